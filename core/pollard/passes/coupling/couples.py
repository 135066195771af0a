"""Couples: what can only go together, and how several of them are written as one text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pollard.engine.pruning import Units, removing
from pollard.syntax.branches.branches import all_below
from pollard.syntax.branches.units import removal
from pollard.syntax.names.definitions import is_imported
from pollard.syntax.names.names import Names
from pollard.syntax.tree.edits import Edit, join
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pollard.engine.subject import Edits, Subject
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Unit


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

    def standing(self) -> list[Edit]:
        """Return the edits, but for those in what goes or is replaced as a whole.

        Of two replacements of the same span the first one counts.
        """
        deleted = self.deleted()
        replacing = list({(e.start, e.end): e for e in reversed(self.edits) if e.new}.values())
        kept = [
            edit
            for edit in replacing
            if not any(_covers(other, edit) for other in (*deleted, *replacing) if other != edit)
        ]
        return [edit for edit in self.edits if not edit.new] + kept

    def saved(self, text: bytes) -> int:
        """Return how many bytes that are no white space it takes away, but for a separator or so."""
        standing = self.standing()
        gone = join([*self.deleted(), *standing])
        return sum(size(text[edit.start : edit.end]) - size(edit.new) for edit in gone)


def _covers(other: Edit, edit: Edit) -> bool:
    return other.start <= edit.start and edit.end <= other.end


class Found:
    """What is known of the subject's document before couples are looked for in it.

    The parser is asked how far units reach; if it is to be `quick`, or the text is long, only of
    imports, and what is likeliest is believed of others: in 100 kB of C++ asking takes two minutes.
    """

    def __init__(self, subject: Subject, *, quick: bool = False) -> None:
        self.subject = subject
        self.document = subject.document
        self._units = Units(subject)
        self._quick = quick or self._units.is_long
        self.layout = self._units.layout

    @cached_property
    def branches(self) -> Sequence[Branch]:
        """All branches, level by level."""
        return all_below(self.subject.root, self.subject.span)

    @cached_property
    def names(self) -> Names:
        """The names, what defines and what uses them, and the units."""
        asked, believed = self._by_import() if self._quick else (self.branches, ())
        units = [*self._units.of(asked), *self._units.likely(believed)]
        return Names(self.document, self.branches, units)

    def _by_import(self) -> tuple[Sequence[Branch], Sequence[Branch]]:
        """Return the branches that are an import or a part of one, and all others."""
        imports: list[Branch] = []
        others: list[Branch] = []
        for branch in self.branches:
            (imports if is_imported(branch, self.document) else others).append(branch)
        return imports, others

    def fits(self, edit: Edit) -> bool:
        """Return whether the syntax guard accepts the document with an edit."""
        return self.subject.fits(self.document, self.layout.tidy((edit,)))

    def unit(self, branch: Branch) -> Unit:
        """Return the unit of a branch that has one."""
        return branch, self.names.units[branch]

    def written(self, couple: Couple) -> Edits:
        """Return the edits that make all of a couple; what is in a unit that goes, goes with it."""
        outer = _outermost(couple.units)
        return self.layout.tidy([*removing(outer, self.layout), *couple.standing()])


def _outermost(units: Iterable[Unit]) -> list[Unit]:
    """Return the units that are not in another one, in order."""
    ordered = sorted(units, key=lambda unit: (unit[0].start, -unit[0].end))
    found: list[Unit] = []
    for unit in ordered:
        if not found or unit[0].start >= found[-1][0].end:
            found.append(unit)
    return found
