"""Joint deletions by place: parameters with arguments, and openings with closings.

What is defined with a name and a list after it (the parameters of a function or of a type, the columns
of a table) is used with the name and a list in the same kind of bracket. The module names no kinds of
nodes, so it works for any language.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from pollard.engine.hoisting import Elements, Hoister, Hoisting
from pollard.passes.coupling.by_use import MAX_USES, without_uses
from pollard.passes.coupling.joint_deletions import JointDeletion
from pollard.syntax.names.definitions import parameter_names
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pollard.passes.coupling.joint_deletions import Analysis
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.names.definitions import Definition
    from pollard.syntax.names.names import Names


_MIN_ELEMENTS = 2
_MIN_CHILDREN = 2


def unwrapped(analysis: Analysis) -> Iterator[JointDeletion]:
    """Yield the beginning and the end of each branch with several elements between brackets or tags.

    Hoisting does the same for a single element.
    """
    hoister = Hoister(analysis.subject)
    for branch in analysis.branches:
        inner = branch.children[1:-1]
        if sum(not child.is_token for child in inner) < _MIN_ELEMENTS or not _is_enclosed(branch):
            continue
        if branch.is_within(analysis.subject.span):
            yield JointDeletion((), hoister.edits([Hoisting(branch, Elements(inner))]))


def joined_neighbours(analysis: Analysis) -> Iterator[JointDeletion]:
    """Yield the end of a branch with the beginning of its neighbour of the same kind.

    The first then has the elements of both: `f() { a(); } g() { b(); }` becomes `f() { a(); b(); }`,
    and `[1], [2]` becomes `[1, 2]`.
    """
    start, end = analysis.subject.span
    for branch in analysis.branches:
        after = _neighbour(branch)
        if after is None or not (start <= branch.start and after.end <= end):
            continue
        first, second = (_enclosed_part(analysis.names, each) for each in (branch, after))
        if first is not None and second is not None:
            closing, opening = first.children[-1], second.children[0]
            ends = Edit(closing.start, closing.end), Edit(after.start, opening.end)
            yield JointDeletion((), ends)


def _neighbour(branch: Branch) -> Branch | None:
    """Return the next sibling of a branch, after any separator, if it has the same kind."""
    if branch.is_token or (after := branch.sibling(1)) is None:
        return None
    after = after.sibling(1) if after.is_token else after
    return after if after is not None and after.node.kind_id == branch.node.kind_id else None


def _enclosed_part(names: Names, branch: Branch) -> Branch | None:
    """Return a branch that is between brackets or tags, or its last child that is, such as a body."""
    for part in (branch, *branch.children[-1:]):
        has_ends = len(part.children) >= _MIN_CHILDREN
        if has_ends and _is_enclosed(part) and _is_opening(names, part.children[0]):
            return part
    return None


def _is_opening(names: Names, branch: Branch) -> bool:
    kinds = names.conventions_of(branch).kinds
    return branch.node.type in (kinds.opening_brackets if branch.is_token else kinds.opening_tags)


def _is_enclosed(branch: Branch) -> bool:
    first, last = branch.children[0], branch.children[-1]
    return first.is_token == last.is_token and first.node.kind_id != last.node.kind_id


def openings_with_closings(analysis: Analysis) -> Iterator[JointDeletion]:
    """Yield siblings with the same text but for `begin` and `end`, `push` and `pop` or the like."""
    names = analysis.names
    by_text: dict[tuple[int, bytes], Branch] = {}
    for branch in analysis.branches:
        if branch in names.units and not branch.is_token:
            text = names.text_of(branch)
            for opening in _texts_of_openings(text, names.conventions_of(branch).pairs):
                first = by_text.pop((id(branch.parent), opening), None)
                if first is not None:
                    yield JointDeletion((analysis.unit(first), analysis.unit(branch)))
                    break
            by_text[id(branch.parent), text] = branch


def _texts_of_openings(text: bytes, pairs: Iterable[tuple[str, str]]) -> Iterator[bytes]:
    """Yield the texts that a closing text may close: with the opening word, in the same case."""
    for opening, closing in pairs:
        for write in (str.lower, str.upper, str.capitalize):
            old, new = write(closing).encode(), write(opening).encode()
            if re.search(rb"(?<![a-z])" + old if old.islower() else old, text):
                yield text.replace(old, new, 1)


# The list after a name is beside the name or one of its ancestors, this many steps up at most.
_MAX_STEPS_TO_LIST = 4
_MAX_PARAMETERS = 32


def parameters_with_arguments(analysis: Analysis) -> Iterator[JointDeletion]:
    """Yield parameters with the arguments at the same position in all calls of that name.

    The uses of the parameter are removed in one deletion, and replaced in another.
    """
    names = analysis.names
    for definition in names.definitions:
        uses = names.uses(definition)
        if not 0 < len(uses) <= MAX_USES:
            continue
        for own in _lists_after_name(names, definition):
            for position, parameter in enumerate(_elements(names, own)[:_MAX_PARAMETERS]):
                given = _arguments_at(names, own, position, uses)
                if given:
                    yield from _without_parameter(analysis, definition, (parameter, *given))


def _without_parameter(
    analysis: Analysis, definition: Definition, elements: Sequence[Branch]
) -> Iterator[JointDeletion]:
    """Yield a parameter and its arguments, with the uses of the parameter removed or replaced."""
    names, owner = analysis.names, definition.unit[0]
    branches = [_unit_with_element(names, element) for element in elements]
    gone = JointDeletion(tuple(analysis.unit(branch) for branch in branches if branch is not None))
    if len(gone.units) < len(elements):
        return
    everywhere = 0, len(names.text)
    scope = (owner.start, owner.end) if names.is_function(owner) else everywhere
    uses = [
        leaf
        for leaf in names.leaves_named(_names_of_parameter(names, elements[0]), scope)
        if not any(leaf.is_within((edit.start, edit.end)) for edit in gone.deleted())
    ]
    choices = (True, False) if uses else (True,)
    for removed in choices if len(uses) <= MAX_USES else ():
        deletion = without_uses(analysis, gone, uses, removed=removed)
        if deletion is not None:
            yield deletion


def _names_of_parameter(names: Names, parameter: Branch) -> list[bytes]:
    if not parameter.children:
        return [names.text_of(parameter)]
    language = names.language_of(parameter)
    return parameter_names(parameter.inner_node, names.text, language)


def _unit_with_element(names: Names, element: Branch) -> Branch | None:
    """Return the unit of an element: itself, or its list if it is the only element."""
    if element in names.units:
        return element
    above = element.parent
    is_alone = above in names.units and above is not None and len(_elements(names, above)) == 1
    return above if is_alone else None


def _lists_after_name(names: Names, definition: Definition) -> Iterator[Branch]:
    """Yield the lists after the name in a definition, the first one with each bracket."""
    owner = definition.unit[0]
    seen: set[bytes] = set()
    for leaf in names.leaves_named(definition.names, (owner.start, owner.end))[:1]:
        for after in chain.from_iterable(_later_siblings(leaf, owner)):
            bracket = _list_opening(names, after)
            if bracket and bracket not in seen:
                seen.add(bracket)
                yield after


def _arguments_at(
    names: Names, parameters: Branch, position: int, uses: Sequence[Branch]
) -> list[Branch]:
    """Return the elements at a position of the lists after uses, with the bracket of `parameters`.

    One use may be followed by several lists, such as the rows that are inserted into a table.
    """
    own, bracket = _elements(names, parameters), _list_opening(names, parameters)
    receivers = names.conventions_of(parameters).tokens.receivers
    has_receiver = bool(own) and names.text_of(own[0]) in receivers
    given = []
    for arguments in chain.from_iterable(_lists_after_use(names, leaf, bracket) for leaf in uses):
        row = _elements(names, arguments)
        place = position - (has_receiver and len(row) < len(own))
        if 0 <= place < len(row):
            given.append(row[place])
    return given


def _lists_after_use(names: Names, leaf: Branch, bracket: bytes) -> list[Branch]:
    """Return the lists with a bracket that follow a name, all of the same parent."""
    levels = (
        [after for after in level if _list_opening(names, after) == bracket]
        for level in _later_siblings(leaf, None)
    )
    return next(filter(None, levels), [])


def _later_siblings(leaf: Branch, limit: Branch | None) -> Iterator[Sequence[Branch]]:
    """Yield the later siblings of a name, then of its parent, up to a few steps above."""
    branch = leaf
    for _ in range(_MAX_STEPS_TO_LIST):
        if branch is limit or branch.parent is None:
            return
        yield branch.siblings[branch.index + 1 :]
        branch = branch.parent


def _list_opening(names: Names, branch: Branch) -> bytes:
    """Return the bracket that a list begins with; empty if the branch is no list."""
    children = branch.children
    if len(children) < _MIN_CHILDREN or not (children[0].is_token and children[-1].is_token):
        return b""
    bracket = names.text_of(children[0])
    return bracket if bracket in names.conventions_of(branch).tokens.list_openings else b""


def _elements(names: Names, branch: Branch) -> list[Branch]:
    """Return the elements between the commas of a list; none if something else is between them."""
    separators = names.conventions_of(branch).tokens.separators
    groups: list[list[Branch]] = [[]]
    for child in branch.children[1:-1]:
        if child.is_token and names.text_of(child) in separators:
            groups.append([])
        else:
            groups[-1].append(child)
    return [group[0] for group in groups] if all(len(group) == 1 for group in groups) else []
