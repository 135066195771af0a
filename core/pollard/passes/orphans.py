"""Couples by last use: a unit with the declarations that nothing else uses.

Some languages (Go, or any with warnings as errors) allow no import and no local variable without a
use, so that neither the use nor the declaration can go alone.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pollard.passes.couples import Couple
from pollard.syntax.leaves import field_of
from pollard.syntax.owners import is_imported
from pollard.syntax.units import removal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pollard.passes.couples import Found
    from pollard.syntax.branches import Branch
    from pollard.syntax.declarations import Declaration
    from pollard.syntax.edits import Edit
    from pollard.syntax.units import Unit


class Orphans:
    """Finds the imports and local declarations whose last uses go with a couple.

    Others are not needed less than before, and may be what all is about. Of a function of which only
    the body goes, with `imports`, its parameters stay: only imports count.
    """

    def __init__(self, found: Found, *, imports: bool = False) -> None:
        self._found = found
        self._used: dict[int, list[Declaration]] = {}
        for declaration in found.names.all:
            if is_imported(declaration.unit[0]) if imports else declaration.is_lent:
                for leaf in found.names.uses(declaration):
                    self._used.setdefault(leaf.start, []).append(declaration)

    def of(self, couple: Couple) -> Couple:
        """Return the units of the orphans that a couple leaves, of those that these leave, and so on.

        Takes time in the number of names in all that goes.
        """
        others, seen = Couple(), set[int]()
        times: Counter[Unit] = Counter()
        waiting = list(couple.deleted())
        gone = list(waiting)
        while waiting:
            for declaration in self._used_in(waiting.pop(), seen):
                times[declaration.unit] += 1
                all_uses = times[declaration.unit] == len(self._found.names.uses(declaration))
                if all_uses and not any(_within(declaration.unit[0], edit) for edit in gone):
                    others += Couple((declaration.unit,))
                    waiting.append(removal(*declaration.unit))
                    gone.append(waiting[-1])
        return others

    def _used_in(self, edit: Edit, seen: set[int]) -> Iterator[Declaration]:
        """Yield what the names in a span use that were not seen before."""
        for leaf in self._found.names.within((edit.start, edit.end)):
            if leaf.start not in seen:
                seen.add(leaf.start)
                yield from self._used.get(leaf.start, ())


def _within(branch: Branch, edit: Edit) -> bool:
    return branch.is_within((edit.start, edit.end))


def orphaning(found: Found, orphans: Orphans) -> Iterator[Couple]:
    """Yield units with the declarations that nothing else uses, the imports among them.

    Of all units that leave the same declarations without a use, the smallest, the smallest that
    stands for itself, and the largest.
    """
    by_orphans: dict[frozenset[int], list[Couple]] = {}
    for unit in _around_uses(found):
        couple = Couple((found.unit(unit),))
        others = orphans.of(couple)
        key = frozenset(branch.start for branch, _ in others.units)
        if key:
            by_orphans.setdefault(key, []).append(couple + others)
    for couples in by_orphans.values():
        couples.sort(key=lambda couple: couple.saved(found.document.text))
        by_itself = [couple for couple in couples if _is_statement(found, couple.units[0])][:1]
        yield from dict.fromkeys((couples[0], *by_itself, couples[-1]))


def _is_statement(found: Found, unit: Unit) -> bool:
    """Whether a unit is one of many that no comma separates, and no part with a role of its own."""
    branch, _ = unit
    listed = found.names.is_listed(branch)
    return not listed and not branch.is_token and field_of(branch) is None


def _around_uses(found: Found) -> Iterable[Branch]:
    """Return the units that have all uses of some import or local declaration, and not it itself."""
    units: dict[Branch, None] = {}
    for declaration in found.names.all:
        uses = found.names.uses(declaration) if declaration.is_lent else []
        for unit in found.names.above(uses[0]) if uses else ():
            gone = removal(*found.unit(unit))
            if gone.start < declaration.span[1] and declaration.span[0] < gone.end:
                break
            if gone.start <= uses[0].start and uses[-1].end <= gone.end:
                units[unit] = None
    return units
