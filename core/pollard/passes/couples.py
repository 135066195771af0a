"""Couples: what can only go together, and how several of them are written as one text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.passes.prune import Units, removing
from pollard.syntax.branches import below
from pollard.syntax.declarations import Declarations
from pollard.syntax.edits import Edit, join
from pollard.syntax.marks import marked
from pollard.syntax.sizes import size
from pollard.syntax.units import removal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pollard.passes.subject import Edits, Subject
    from pollard.syntax.branches import Branch
    from pollard.syntax.units import Unit


@dataclass(frozen=True, slots=True)
class Couple:
    """Units that go at once, with `edits` of what is used elsewhere."""

    units: tuple[Unit, ...] = ()
    edits: tuple[Edit, ...] = ()

    def __add__(self, other: Couple) -> Couple:
        """Return both in one."""
        units = dict.fromkeys((*self.units, *other.units))
        return Couple(tuple(units), tuple(dict.fromkeys((*self.edits, *other.edits))))

    @property
    def parts(self) -> int:
        """How many places it changes."""
        return len(self.units) + len(self.edits)

    def deleted(self) -> tuple[Edit, ...]:
        """Return the spans that go, in order, those that overlap made one."""
        own = (edit for edit in self.edits if not edit.new)
        return join([*(removal(*unit) for unit in self.units), *own])

    def saved(self, text: bytes) -> int:
        """Return how many bytes that are no white space it takes away, as far as it is known."""
        gone = sum(size(text[edit.start : edit.end]) for edit in self.deleted())
        new = [edit for edit in self.edits if edit.new and not _covered(edit, self.deleted())]
        return gone + sum(size(text[edit.start : edit.end]) - size(edit.new) for edit in new)


class Found:
    """What can be known of the subject's document before couples are looked for in it.

    Up to `budget` bytes are parsed to find the units exactly.
    """

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.document = subject.document
        self.branches = _all_branches(subject)
        units = Units(subject)
        self.layout = units.layout
        self.names = Declarations(
            self.document.text,
            self.branches,
            units.of(self.branches),
            marked(self.document),
        )

    def unit(self, branch: Branch) -> Unit:
        """Return the unit of a branch that has one."""
        return branch, self.names.units[branch]

    def written(self, couple: Couple) -> Edits:
        """Return the edits that make all of a couple; what is in a unit that goes, goes with it."""
        gone = couple.deleted()
        outer = _outermost(couple.units)
        kept = [edit for edit in couple.edits if not edit.new or not _covered(edit, gone)]
        return self.layout.tidy([*removing(outer, self.layout), *kept])


def _covered(edit: Edit, gone: Sequence[Edit]) -> bool:
    return any(other.start <= edit.start and edit.end <= other.end for other in gone)


def _outermost(units: Iterable[Unit]) -> list[Unit]:
    """Return the units that are not in another one, in order."""
    ordered = sorted(units, key=lambda unit: (unit[0].start, -unit[0].end))
    found: list[Unit] = []
    for unit in ordered:
        if not found or unit[0].start >= found[-1][0].end:
            found.append(unit)
    return found


def _all_branches(subject: Subject) -> list[Branch]:
    found: list[Branch] = []
    level = below([subject.root], subject.span)
    while level:
        found += level
        level = below(level, subject.span)
    return found
