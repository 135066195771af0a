"""Couples by name: a definition with all that uses it.

Couples by last use: a unit with the definitions that nothing else uses.

Some languages (Go, or any with warnings as errors) allow no import and no local variable without a
use, so that neither the use nor the definition can go alone.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pollard.passes.coupling.couples import Couple
from pollard.syntax.branches.units import removal
from pollard.syntax.names.definitions import field_of, is_imported
from pollard.syntax.names.stand_ins import StandIns
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pollard.passes.coupling.couples import Found
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Unit
    from pollard.syntax.names.definitions import Definition
    from pollard.syntax.tree.edits import Edit


class Orphans:
    """Finds the imports and local definitions whose last uses go with a couple.

    Others are not needed less than before, and may be what all is about. Of a function of which only
    the body goes, with `imports`, its parameters stay: only imports count.
    """

    def __init__(self, found: Found, *, imports: bool = False) -> None:
        self._found = found
        self._used: dict[int, list[Definition]] = {}
        for definition in found.names.definitions:
            if self._is_dependent(definition, imports=imports):
                for leaf in found.names.uses(definition):
                    self._used.setdefault(leaf.start, []).append(definition)

    def _is_dependent(self, definition: Definition, *, imports: bool) -> bool:
        if imports:
            return is_imported(definition.unit[0], self._found.document)
        return definition.is_local_or_import

    def of(self, couple: Couple) -> Couple:
        """Return the units of the orphans that a couple leaves, of those that these leave, and so on.

        Takes time in the number of names in all that goes.
        """
        others, seen = Couple(), set[int]()
        times: Counter[Unit] = Counter()
        waiting = list(couple.deleted())
        gone = list(waiting)
        while waiting:
            for definition in self._used_in(waiting.pop(), seen):
                times[definition.unit] += 1
                all_uses = times[definition.unit] == len(self._found.names.uses(definition))
                if all_uses and not any(_within(definition.unit[0], edit) for edit in gone):
                    others += Couple((definition.unit,))
                    waiting.append(removal(*definition.unit))
                    gone.append(waiting[-1])
        return others

    def _used_in(self, edit: Edit, seen: set[int]) -> Iterator[Definition]:
        """Yield what the names in a span use that were not seen before."""
        for leaf in self._found.names.leaves_within((edit.start, edit.end)):
            if leaf.start not in seen:
                seen.add(leaf.start)
                yield from self._used.get(leaf.start, ())


def _within(branch: Branch, edit: Edit) -> bool:
    return branch.is_within((edit.start, edit.end))


def orphaning(found: Found, orphans: Orphans) -> Iterator[Couple]:
    """Yield units with the definitions that nothing else uses, the imports among them.

    Of all units that leave the same definitions without a use, the smallest, the smallest that
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
    listed = found.names.is_in_list(branch)
    return not listed and not branch.is_token and field_of(branch) is None


def _around_uses(found: Found) -> Iterable[Branch]:
    """Return the units that have all uses of some import or local definition, and not it itself."""
    units: dict[Branch, None] = {}
    for definition in found.names.definitions:
        uses = found.names.uses(definition) if definition.is_local_or_import else []
        for unit in found.names.units_around(uses[0]) if uses else ():
            gone = removal(*found.unit(unit))
            if gone.start < definition.span[1] and definition.span[0] < gone.end:
                break
            if gone.start <= uses[0].start and uses[-1].end <= gone.end:
                units[unit] = None
    return units


#: A definition with more uses than this is left alone.
MOST_USES = 64


def declared(found: Found, orphans: Orphans) -> Iterator[Couple]:
    """Yield, for each definition in use, it without its uses: first taken away, then replaced."""
    stand_ins = StandIns(found.names, found.fits)
    for definition in found.names.definitions:
        group = _alike(found, definition)
        uses = _elsewhere(found.names.uses(definition), group)
        if not 1 < len(uses) + len(group) <= MOST_USES:
            continue
        gone = Couple(tuple(one.unit for one in group))
        for removed in (True, False):
            couple = without_uses(found, gone, uses, stand_ins, removed=removed)
            if couple is not None:
                yield couple + orphans.of(couple)


def without_uses(
    found: Found, gone: Couple, uses: Iterable[Branch], stand_ins: StandIns, *, removed: bool
) -> Couple | None:
    """Return what goes with its uses; `removed` or else replaced. None if one can be neither.

    Where the innermost unit around a use has what it uses, or weighs more than half of all, the use
    is replaced nevertheless.
    """
    most = size(found.document.text) // 2
    names = {found.names.text_of(leaf) for leaf in uses}
    for leaf in uses:
        unit = next(found.names.units_around(leaf), None) if removed else None
        if unit is not None and _takes_too_much(found, unit, gone, most):
            unit = None
        new = None if unit else stand_ins.of(leaf, names)
        if unit is not None:
            gone += Couple((found.unit(unit),))
        elif new is not None:
            gone += Couple((), (new,))
        else:
            return None
    return gone


def _takes_too_much(found: Found, unit: Branch, gone: Couple, most: int) -> bool:
    edit = removal(*found.unit(unit))
    inside = any(edit.start <= other.start and other.end <= edit.end for other, _ in gone.units)
    return inside or size(found.document.text[edit.start : edit.end]) > most


def _alike(found: Found, definition: Definition) -> list[Definition]:
    """Return all definitions of no other names: a function, say, with its prototypes."""
    return [
        other
        for other in found.names.definitions_of(definition.names)
        if other.names <= definition.names and other.scope == definition.scope
    ]


def _elsewhere(uses: Iterable[Branch], group: Sequence[Definition]) -> list[Branch]:
    spans = [one.span for one in group]
    return [leaf for leaf in uses if not any(leaf.is_within(span) for span in spans)]
