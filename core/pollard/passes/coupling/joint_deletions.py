"""Joint deletions: units that go together, and the analysis of a document that finds them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pollard.engine.pruning import Units, removing
from pollard.syntax.branches.branches import all_below
from pollard.syntax.branches.units import removal
from pollard.syntax.names.definitions import is_imported
from pollard.syntax.names.names import Names
from pollard.syntax.names.stand_ins import StandIns
from pollard.syntax.tree.edits import Edit, join
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pollard.engine.subject import Edits, Subject
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Unit


@dataclass(frozen=True, slots=True)
class JointDeletion:
    """Units that go together, with `edits` elsewhere, such as at their uses."""

    units: tuple[Unit, ...] = ()
    edits: tuple[Edit, ...] = ()

    def __add__(self, other: JointDeletion) -> JointDeletion:
        """Return the deletion that does both."""
        units = dict.fromkeys((*self.units, *other.units))
        return JointDeletion(tuple(units), tuple(dict.fromkeys((*self.edits, *other.edits))))

    @property
    def parts(self) -> int:
        """How many units and edits it has."""
        return len(self.units) + len(self.edits)

    def deleted(self) -> tuple[Edit, ...]:
        """Return the spans that go, in order; overlapping ones are joined."""
        own = (edit for edit in self.edits if not edit.new)
        return join([*(removal(*unit) for unit in self.units), *own])

    def effective_edits(self) -> list[Edit]:
        """Return the edits, less those inside a larger span that goes or is replaced.

        Of two replacements of the same span the first one counts.
        """
        replacing = {(e.start, e.end): e for e in reversed(self.edits) if e.new}
        spans = [*self.deleted(), *replacing.values()]
        kept: list[Edit] = []
        last = -1  # where the spans end that begin before the next one
        for edit in sorted(spans, key=lambda edit: (edit.start, -edit.end, edit.new)):
            if edit.end > last and edit.new:
                kept.append(edit)
            last = max(last, edit.end)
        return [edit for edit in self.edits if not edit.new] + kept

    def saved(self, text: bytes) -> int:
        """Return how many bytes other than white space it saves, up to a separator more or less."""
        effective_edits = self.effective_edits()
        gone = join([*self.deleted(), *effective_edits])
        return sum(size(text[edit.start : edit.end]) - size(edit.new) for edit in gone)


class Analysis:
    """The subject's present document with its branches, units and names.

    In texts of at least 32 kB, or if the analysis is `quick`, the parser finds only the units of
    imports. For others the likeliest unit is assumed: in 100 kB of C++ parsing takes two minutes.
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
    def weight(self) -> int:
        """The bytes of the document without white space."""
        return size(self.document.text)

    @cached_property
    def names(self) -> Names:
        """The names of the document, with the units that may go."""
        parsed, guessed = self._by_import() if self._quick else (self.branches, ())
        units = [*self._units.of(parsed), *self._units.likely(guessed)]
        return Names(self.document, self.branches, units)

    @cached_property
    def stand_ins(self) -> StandIns:
        """What can be put in the place of the document's names."""
        return StandIns(self.names, self._fits)

    def _by_import(self) -> tuple[Sequence[Branch], Sequence[Branch]]:
        """Return the branches in imports, and all others."""
        imports: list[Branch] = []
        others: list[Branch] = []
        for branch in self.branches:
            (imports if is_imported(branch, self.document) else others).append(branch)
        return imports, others

    def _fits(self, edit: Edit) -> bool:
        return self.subject.fits(self.document, self.layout.tidy((edit,)))

    def unit(self, branch: Branch) -> Unit:
        """Return the unit of a branch; KeyError if it has none."""
        return branch, self.names.units[branch]

    def written(self, deletion: JointDeletion) -> Edits:
        """Return the edits that carry out a deletion; of nested units only the outermost counts."""
        outer = _outermost(deletion.units)
        return self.layout.tidy([*removing(outer, self.layout), *deletion.effective_edits()])


def _outermost(units: Iterable[Unit]) -> list[Unit]:
    """Return the units that are inside no other one, in order."""
    ordered = sorted(units, key=lambda unit: (unit[0].start, -unit[0].end))
    found: list[Unit] = []
    for unit in ordered:
        if not found or unit[0].start >= found[-1][0].end:
            found.append(unit)
    return found
