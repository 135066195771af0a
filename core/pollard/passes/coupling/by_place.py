"""Couples by position: a parameter with the arguments at its place, and all that is like that.

Whatever has a name and then a list (a function's parameters, a type's, a table's columns) is used by
its name and then a list with the same bracket. No kinds of nodes are named here, so that this holds
in any language.

Couples by place: an element's beginning with its end, and what opens with what closes.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from pollard.engine.hoisting import Elements, Hoister, Hoisting
from pollard.passes.coupling.by_use import MOST_USES, without_uses
from pollard.passes.coupling.couples import Couple
from pollard.syntax.names.definitions import parameter_names
from pollard.syntax.names.stand_ins import StandIns
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pollard.passes.coupling.couples import Found
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.names.definitions import Definition


_MIN_ELEMENTS = 2
_MIN_CHILDREN = 2


def peeled(found: Found) -> Iterator[Couple]:
    """Yield, for each branch with several elements between brackets or tags, it without these.

    What has a single one is left to hoisting.
    """
    hoister = Hoister(found.subject)
    for branch in found.branches:
        inner = branch.children[1:-1]
        if sum(not child.is_token for child in inner) < _MIN_ELEMENTS or not _is_enclosed(branch):
            continue
        if branch.is_within(found.subject.span):
            yield Couple((), hoister.edits([Hoisting(branch, Elements(inner))]))


def joined(found: Found) -> Iterator[Couple]:
    """Yield, for neighbours of one kind, the end of the first with the beginning of the second.

    What is inside of both is in the first then: of `f() { a(); } g() { b(); }` this leaves
    `f() { a(); b(); }`, of `[1], [2]` it leaves `[1, 2]`.
    """
    start, end = found.subject.span
    for branch in found.branches:
        after = _neighbour(branch)
        if after is None or not (start <= branch.start and after.end <= end):
            continue
        closed, opened = _bracketed(found, branch), _bracketed(found, after)
        if closed is not None and opened is not None:
            closing, opening = closed.children[-1], opened.children[0]
            ends = Edit(closing.start, closing.end), Edit(after.start, opening.end)
            yield Couple((), ends)


def _neighbour(branch: Branch) -> Branch | None:
    """Return the next sibling of a branch, or the one after a separator, if it is of its kind."""
    if branch.is_token or (after := branch.sibling(1)) is None:
        return None
    after = after.sibling(1) if after.is_token else after
    return after if after is not None and after.node.kind_id == branch.node.kind_id else None


def _bracketed(found: Found, branch: Branch) -> Branch | None:
    """Return what is between brackets or tags: a branch, or the last one below it, as a body is."""
    for one in (branch, *branch.children[-1:]):
        if (
            len(one.children) >= _MIN_ELEMENTS
            and _is_enclosed(one)
            and _is_opening(found, one.children[0])
        ):
            return one
    return None


def _is_opening(found: Found, branch: Branch) -> bool:
    kinds = found.names.conventions_of(branch).kinds
    return branch.node.type in (kinds.opening_brackets if branch.is_token else kinds.opening_tags)


def _is_enclosed(branch: Branch) -> bool:
    first, last = branch.children[0], branch.children[-1]
    return first.is_token == last.is_token and first.node.kind_id != last.node.kind_id


def paired(found: Found) -> Iterator[Couple]:
    """Yield siblings of which the one's text is the other's but for `begin` and `end` or the like."""
    by_text: dict[tuple[int, bytes], Branch] = {}
    for branch in found.branches:
        if branch in found.names.units and not branch.is_token:
            text = found.names.text_of(branch)
            for opening in _opened(text, found.names.conventions_of(branch).pairs):
                first = by_text.pop((id(branch.parent), opening), None)
                if first is not None:
                    yield Couple((found.unit(first), found.unit(branch)))
                    break
            by_text[id(branch.parent), text] = branch


def _opened(text: bytes, pairs: Iterable[tuple[str, str]]) -> Iterator[bytes]:
    """Yield what would be closed by a text: the same with another word, in its first word's case."""
    for opening, closing in pairs:
        for write in (str.lower, str.upper, str.capitalize):
            old, new = write(closing).encode(), write(opening).encode()
            if re.search(rb"(?<![a-z])" + old if old.islower() else old, text):
                yield text.replace(old, new, 1)


# So far above a name is the list that belongs to it.
_MAX_STEPS_TO_LIST = 4
_MAX_PARAMETERS = 32


def positional(found: Found) -> Iterator[Couple]:
    """Yield parameters with the arguments at the same place in all calls, by name.

    What uses the parameter goes too, or it is replaced: two candidates for each of these.
    """
    stand_ins = StandIns(found.names, found.fits)
    for definition in found.names.definitions:
        uses = found.names.uses(definition)
        if not 0 < len(uses) <= MOST_USES:
            continue
        for own in _own_lists(found, definition):
            parameters = _elements(own)
            for place, parameter in enumerate(parameters[:_MAX_PARAMETERS]):
                given = _given(found, own, place, uses)
                if given:
                    yield from _without(found, definition, (parameter, *given), stand_ins)


def _without(
    found: Found, definition: Definition, elements: Sequence[Branch], stand_ins: StandIns
) -> Iterator[Couple]:
    """Yield a parameter and its arguments, with what uses the parameter taken away or replaced."""
    branches = [_removable(found, element) for element in elements]
    gone = Couple(tuple(found.unit(branch) for branch in branches if branch is not None))
    if len(gone.units) < len(elements):
        return
    scope, owner = (0, len(found.document.text)), definition.unit[0]
    if found.names.is_function(owner):
        scope = owner.start, owner.end
    parameter = elements[0]
    names = {found.names.text_of(parameter)}
    if parameter.children:
        language = found.names.language_of(parameter)
        names = {*parameter_names(parameter.inner_node, found.document.text, language)}
    uses = [
        leaf
        for leaf in found.names.leaves_named(names, scope)
        if not any(leaf.is_within((edit.start, edit.end)) for edit in gone.deleted())
    ]
    for removed in (True, False)[: 1 + bool(uses)] if len(uses) <= MOST_USES else ():
        couple = without_uses(found, gone, uses, stand_ins, removed=removed)
        if couple is not None:
            yield couple


def _removable(found: Found, element: Branch) -> Branch | None:
    """Return what goes with an element: itself, or all of its list where it is alone in there."""
    if element in found.names.units:
        return element
    above = element.parent
    if above is not None and above in found.names.units and len(_elements(above)) == 1:
        return above
    return None


def _own_lists(found: Found, definition: Definition) -> Iterator[Branch]:
    """Yield the lists that follow a definition's name in it, the first one with each bracket."""
    owner = definition.unit[0]
    seen: set[bytes] = set()
    for leaf in found.names.leaves_named(definition.names, (owner.start, owner.end))[:1]:
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
    receivers = found.names.conventions_of(own).tokens.receivers
    bound = bool(elements) and found.names.text_of(elements[0]) in receivers
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
    for _ in range(_MAX_STEPS_TO_LIST):
        if branch is limit or branch.parent is None:
            return
        yield branch.siblings[branch.index + 1 :]
        branch = branch.parent


def _bracket(found: Found, branch: Branch) -> bytes:
    """Return what a list begins with; nothing if it is none."""
    children = branch.children
    if len(children) < _MIN_CHILDREN or not (children[0].is_token and children[-1].is_token):
        return b""
    bracket = found.names.text_of(children[0])
    return bracket if bracket in found.names.conventions_of(branch).tokens.list_openings else b""


def _elements(branch: Branch) -> list[Branch]:
    """Return what a list has between its brackets and commas; nothing if something else is there."""
    inner = branch.children[1:-1]
    groups: list[list[Branch]] = [[]]
    for child in inner:
        if child.is_token and child.inner_node.type == ",":
            groups.append([])
        else:
            groups[-1].append(child)
    return [group[0] for group in groups] if all(len(group) == 1 for group in groups) else []
