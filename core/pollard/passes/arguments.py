"""Couples by position: a parameter with the arguments at its place, and all that is like that.

Whatever has a name and then a list (a function's parameters, a type's, a table's columns) is used by
its name and then a list with the same bracket. No kinds of nodes are named here, so that this holds
in any language.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from pollard.passes.couples import Couple
from pollard.passes.uses import MOST_USES, StandIns, without_uses
from pollard.syntax.declarations import is_function

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.passes.couples import Found
    from pollard.syntax.branches import Branch
    from pollard.syntax.declarations import Declaration

# So far above a name is the list that belongs to it.
_STEPS = 4
_LONGEST = 32
_RECEIVERS = frozenset({b"self", b"cls", b"this", b"&self", b"&mut self", b"mut self"})


def positional(found: Found) -> Iterator[Couple]:
    """Yield parameters with the arguments at the same place in all calls, by name.

    What uses the parameter goes too, or it is replaced: two candidates for each of these.
    """
    stand_ins = StandIns(found)
    for declaration in found.names.all:
        uses = found.names.uses(declaration)
        if not 0 < len(uses) <= MOST_USES:
            continue
        for own in _own_lists(found, declaration):
            parameters = _elements(own)
            for place, parameter in enumerate(parameters[:_LONGEST]):
                given = _given(found, own, place, uses)
                if given:
                    yield from _without(found, declaration, (parameter, *given), stand_ins)


def _without(
    found: Found, declaration: Declaration, elements: Sequence[Branch], stand_ins: StandIns
) -> Iterator[Couple]:
    """Yield a parameter and its arguments, with what uses the parameter taken away or replaced."""
    branches = [_removable(found, element) for element in elements]
    gone = Couple(tuple(found.unit(branch) for branch in branches if branch is not None))
    if len(gone.units) < len(elements):
        return
    scope, owner = (0, len(found.document.text)), declaration.unit[0]
    if is_function(owner):
        scope = owner.start, owner.end
    names = _names(found, elements[0])
    uses = [
        leaf
        for leaf in found.names.called(names, scope)
        if not any(leaf.is_within((edit.start, edit.end)) for edit in gone.deleted())
    ]
    for removed in (True, False)[: 1 + bool(uses)] if len(uses) <= MOST_USES else ():
        couple = without_uses(found, gone, uses, stand_ins, removed=removed)
        if couple is not None:
            yield couple


def _names(found: Found, parameter: Branch) -> frozenset[bytes]:
    if not parameter.children:
        return frozenset({found.names.name(parameter)})
    defining = found.names.defining(parameter)
    names = frozenset(found.document.text[leaf.start_byte : leaf.end_byte] for leaf in defining)
    first = found.names.within((parameter.start, parameter.end))[:1]
    return names or frozenset(map(found.names.name, first))


def _removable(found: Found, element: Branch) -> Branch | None:
    """Return what goes with an element: itself, or all of its list where it is alone in there."""
    if element in found.names.units:
        return element
    above = element.parent
    if above is not None and above in found.names.units and len(_elements(above)) == 1:
        return above
    return None


def _own_lists(found: Found, declaration: Declaration) -> Iterator[Branch]:
    """Yield the lists that follow a declaration's name in it, the first one with each bracket."""
    owner = declaration.unit[0]
    seen: set[bytes] = set()
    for leaf in found.names.called(declaration.names, (owner.start, owner.end))[:1]:
        for after in chain.from_iterable(_following(leaf, owner)):
            bracket = _bracket(found, after)
            if bracket and bracket not in seen:
                seen.add(bracket)
                yield after


def _given(found: Found, own: Branch, place: int, uses: Sequence[Branch]) -> list[Branch]:
    """Return the elements at a place of the lists, with the bracket of `own`, that follow uses.

    Several lists may follow one name: the rows that are put into a table.
    """
    elements = _elements(own)
    bound = bool(elements) and found.names.name(elements[0]) in _RECEIVERS
    rows = (_elements(row) for leaf in uses for row in _rows(found, leaf, _bracket(found, own)))
    given = []
    for row in rows:
        is_method = bound and len(row) < len(elements)
        if 0 <= place - is_method < len(row):
            given.append(row[place - is_method])
    return given


def _rows(found: Found, leaf: Branch, bracket: bytes) -> list[Branch]:
    """Return the lists with a bracket that follow a name, one beside the other."""
    levels = (
        [after for after in level if _bracket(found, after) == bracket]
        for level in _following(leaf, None)
    )
    return next(filter(None, levels), [])


def _following(leaf: Branch, limit: Branch | None) -> Iterator[Sequence[Branch]]:
    """Yield the later siblings of a name, then of what is around it, up to a few steps above."""
    branch = leaf
    for _ in range(_STEPS):
        if branch is limit or branch.parent is None:
            return
        yield branch.siblings[branch.index + 1 :]
        branch = branch.parent


def _bracket(found: Found, branch: Branch) -> bytes:
    """Return what a list begins with; nothing if it is none."""
    children = branch.children
    if len(children) < 2 or not (children[0].is_token and children[-1].is_token):
        return b""
    bracket = found.names.name(children[0])
    return bracket if bracket in (b"(", b"<", b"[", b"(|") else b""


def _elements(branch: Branch) -> list[Branch]:
    """Return what a list has between its brackets and commas; nothing if something else is there."""
    inner = branch.children[1:-1]
    groups: list[list[Branch]] = [[]]
    for child in inner:
        if child.is_token and child.trunk.type == ",":
            groups.append([])
        else:
            groups[-1].append(child)
    return [group[0] for group in groups] if all(len(group) == 1 for group in groups) else []
