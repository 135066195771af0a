"""Joint deletions by use: definitions with their uses, and last uses with their definitions.

Some languages (Go, or any with warnings as errors) allow no import and no local variable without a
use, so that neither the use nor the definition can go alone.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from pollard.passes.coupling.joint_deletions import JointDeletion
from pollard.syntax.branches.units import removal
from pollard.syntax.names.definitions import field_of, is_imported
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pollard.passes.coupling.joint_deletions import Analysis
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Unit
    from pollard.syntax.names.definitions import Definition
    from pollard.syntax.names.names import Names
    from pollard.syntax.tree.edits import Edit


class Orphans:
    """Finds the imports and local definitions whose last uses go with a deletion.

    Other definitions may matter without a use, such as an exported function. With `imports` only
    imports count: where the body of a function goes, its parameters stay.
    """

    def __init__(self, analysis: Analysis, *, imports: bool = False) -> None:
        self._analysis = analysis
        self._used: dict[int, list[Definition]] = {}
        for definition in analysis.names.definitions:
            if self._is_dependent(definition, imports=imports):
                for leaf in analysis.names.uses(definition):
                    self._used.setdefault(leaf.start, []).append(definition)

    def _is_dependent(self, definition: Definition, *, imports: bool) -> bool:
        if imports:
            return is_imported(definition.unit[0], self._analysis.document)
        return (
            definition.is_local_or_import
            and not self._is_parameter(definition)
            and self._has_uses_outside_only(definition)
        )

    def _is_parameter(self, definition: Definition) -> bool:
        """Return whether a parameter would go, of which calls may have an argument."""
        unit = definition.unit[0]
        lists = self._analysis.names.conventions_of(unit).fields.parameter_lists
        return unit.parent is not None and field_of(unit.parent) in lists

    def _has_uses_outside_only(self, definition: Definition) -> bool:
        """Return whether a unit does not use its own names, as a loop or an arm of a `match` does."""
        named = self._analysis.names.leaves_named(definition.names, definition.span)
        return len(named) <= len(definition.names)

    def of(self, deletion: JointDeletion) -> JointDeletion:
        """Return the units of the orphans of a deletion, of the orphans of these, and so on.

        Takes time linear in the number of names that go.
        """
        orphans, seen = JointDeletion(), set[int]()
        lost_uses: Counter[Unit] = Counter()
        waiting = list(deletion.deleted())
        gone = list(waiting)
        while waiting:
            for definition in self._used_in(waiting.pop(), seen):
                lost_uses[definition.unit] += 1
                uses = self._analysis.names.uses(definition)
                is_unused = lost_uses[definition.unit] == len(uses)
                if is_unused and not any(_within(definition.unit[0], edit) for edit in gone):
                    orphans += JointDeletion((definition.unit,))
                    waiting.append(removal(*definition.unit))
                    gone.append(waiting[-1])
        return orphans

    def _used_in(self, edit: Edit, seen: set[int]) -> Iterator[Definition]:
        """Yield the definitions that names in a span use, for each name that was not seen before."""
        for leaf in self._analysis.names.leaves_within((edit.start, edit.end)):
            if leaf.start not in seen:
                seen.add(leaf.start)
                yield from self._used.get(leaf.start, ())


def _within(branch: Branch, edit: Edit) -> bool:
    return branch.is_within((edit.start, edit.end))


def last_uses(analysis: Analysis, orphans: Orphans) -> Iterator[JointDeletion]:
    """Yield units with the definitions that nothing else uses, the imports among them.

    Of all units with the same orphans: the smallest, the smallest that is a statement, the largest.
    """
    by_orphans: dict[frozenset[int], list[JointDeletion]] = {}
    for unit in _units_around_all_uses(analysis):
        deletion = JointDeletion((analysis.unit(unit),))
        orphaned = orphans.of(deletion)
        key = frozenset(branch.start for branch, _ in orphaned.units)
        if key:
            by_orphans.setdefault(key, []).append(deletion + orphaned)
    for deletions in by_orphans.values():
        deletions.sort(key=lambda deletion: deletion.saved(analysis.document.text))
        statements = (each for each in deletions if _is_statement(analysis.names, each.units[0][0]))
        yield from dict.fromkeys((deletions[0], *islice(statements, 1), deletions[-1]))


def _is_statement(names: Names, branch: Branch) -> bool:
    """Return whether a branch is like a statement: in no field, and without a comma beside it."""
    return not (names.is_in_list(branch) or branch.is_token or field_of(branch))


def _units_around_all_uses(analysis: Analysis) -> Iterable[Branch]:
    """Return the units that hold all uses of some import or local definition, but not its unit."""
    units: dict[Branch, None] = {}
    for definition in analysis.names.definitions:
        uses = analysis.names.uses(definition) if definition.is_local_or_import else []
        for unit in analysis.names.units_around(uses[0]) if uses else ():
            gone = removal(*analysis.unit(unit))
            if gone.start < definition.span[1] and definition.span[0] < gone.end:
                break
            if gone.start <= uses[0].start and uses[-1].end <= gone.end:
                units[unit] = None
    return units


#: A definition with more uses than this is left alone.
MAX_USES = 64


def definitions_with_uses(analysis: Analysis, orphans: Orphans) -> Iterator[JointDeletion]:
    """Yield each definition in use with its uses removed, replaced, and replaced by nothing's value."""
    for definition in analysis.names.definitions:
        group = _with_same_names(analysis.names, definition)
        spans = [each.span for each in group]
        all_uses = analysis.names.uses(definition)
        uses = [leaf for leaf in all_uses if not any(leaf.is_within(span) for span in spans)]
        if not 1 < len(uses) + len(group) <= MAX_USES:
            continue
        gone = JointDeletion(tuple(each.unit for each in group))
        without = (
            without_uses(analysis, gone, uses),
            without_uses(analysis, gone, uses, whole=True),
            with_stand_ins(analysis, gone, uses),
            with_replaced_uses(analysis, gone, uses, analysis.stand_ins.nothing),
        )
        for deletion in dict.fromkeys(filter(None, without)):
            yield deletion + orphans.of(deletion)


def without_uses(
    analysis: Analysis, gone: JointDeletion, uses: Sequence[Branch], *, whole: bool = False
) -> JointDeletion | None:
    """Return `gone` with the `uses` removed too, or else replaced; None if one can be neither.

    A use goes with the innermost unit around it, or with the `whole` statement or element of a list: in
    `[C::A(1)]` with all of `C::A(1)`, not only with `::A`. A use is replaced if that unit contains the
    definition, or weighs more than half of the text.
    """
    names = {analysis.names.text_of(leaf) for leaf in uses}

    def unit_around(leaf: Branch) -> Branch | None:
        units = analysis.names.units_around(leaf)
        return next(_whole_units(analysis.names, units) if whole else units, None)

    return _without_each(
        analysis, gone, uses, unit_around, lambda leaf: analysis.stand_ins.of(leaf, names)
    )


def with_stand_ins(
    analysis: Analysis, gone: JointDeletion, uses: Sequence[Branch]
) -> JointDeletion | None:
    """Return `gone` with literals or other names in the place of the `uses`, as far as possible."""
    names = {analysis.names.text_of(leaf) for leaf in uses}
    return with_replaced_uses(analysis, gone, uses, lambda leaf: analysis.stand_ins.of(leaf, names))


def with_replaced_uses(
    analysis: Analysis,
    gone: JointDeletion,
    uses: Sequence[Branch],
    replaced: Callable[[Branch], Edit | None],
) -> JointDeletion | None:
    """Return `gone` with the `uses` replaced; None if one of them cannot be.

    Statements that change what is used, such as `x.y += 1`, go, since no literal can be changed.
    """
    changing = partial(_changing_statement, analysis.names)
    return _without_each(analysis, gone, uses, changing, replaced)


def _without_each(
    analysis: Analysis,
    gone: JointDeletion,
    uses: Sequence[Branch],
    unit_of: Callable[[Branch], Branch | None],
    replaced: Callable[[Branch], Edit | None],
) -> JointDeletion | None:
    """Return `gone` with the unit of each use, or what replaces the use; None if there is neither."""
    for leaf in uses:
        unit = unit_of(leaf)
        if unit is not None and not _takes_too_much(analysis, unit, gone):
            gone += JointDeletion((analysis.unit(unit),))
        elif new := replaced(leaf):
            gone += JointDeletion((), (new,))
        else:
            return None
    return gone


def _changing_statement(names: Names, leaf: Branch) -> Branch | None:
    """Return the statement around a use that begins with it and changes it."""
    node, kinds = leaf.inner_node, names.conventions_of(leaf).kinds.changes
    start = node.start_byte
    while node.parent is not None and node.parent.start_byte == start:
        node = node.parent
        if node.type in kinds:
            return next(_whole_units(names, names.units_around(leaf)), None)
    return None


def _whole_units(names: Names, units: Iterator[Branch]) -> Iterator[Branch]:
    """Yield those of the units that are elements of lists or statements."""
    for unit in units:
        if names.is_in_list(unit):
            yield unit
        elif _is_statement(names, unit):
            yield _with_its_end(names, unit)


def _with_its_end(names: Names, unit: Branch) -> Branch:
    """Return the unit that consists of this one and a token, such as a semicolon, if there is one."""
    above = unit.parent
    if above is None or above not in names.units:
        return unit
    has_end = list(above.children[:-1]) == [unit] and above.children[-1].is_token
    return above if has_end else unit


def _takes_too_much(analysis: Analysis, unit: Branch, gone: JointDeletion) -> bool:
    """Return whether a unit contains one that goes, or weighs more than half of the text."""
    edit = removal(*analysis.unit(unit))
    contains_gone = any(
        edit.start <= other.start and other.end <= edit.end for other, _ in gone.units
    )
    weight = size(analysis.document.text[edit.start : edit.end])
    return contains_gone or weight > analysis.weight // 2


def _with_same_names(names: Names, definition: Definition) -> list[Definition]:
    """Return the definitions in the same scope that define no other names, such as prototypes."""
    return [
        other
        for other in names.definitions_of(definition.names)
        if other.names <= definition.names and other.scope == definition.scope
    ]
