"""Parameters with arguments, which can only go together.

What is defined with a name and a list after it (the parameters of a function or of a type, the columns
of a table) is used with the name and a list in the same kind of bracket. The module names no kinds of
nodes, so it works for any language.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from pollard.passes.coupling.by_use import (
    MAX_USES,
    with_replaced_uses,
    with_stand_ins,
    without_uses,
)
from pollard.passes.coupling.joint_deletions import JointDeletion
from pollard.syntax.names.definitions import parameter_names
from pollard.syntax.names.inlinable import is_open_expression
from pollard.syntax.names.stand_ins import put_in_place
from pollard.syntax.names.written_collections import is_rest
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.passes.coupling.joint_deletions import Analysis
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.names.definitions import Definition
    from pollard.syntax.names.names import Names


_MIN_CHILDREN = 2
# Stands where an argument was that is needed elsewhere.
_LITERAL = b"0"
# In JavaScript this is no path before a name.
_SPREAD = b"..."
# The list after a name is beside the name or one of its ancestors, this many steps up at most.
_MAX_STEPS_TO_LIST = 4
_MAX_PARAMETERS = 32


# What stands for the bracket of a list that may have none.
_BRACKET = b"("


class _List(NamedTuple):
    """The elements between two brackets, and the first of these."""

    bracket: bytes
    elements: Sequence[Branch]


def parameters_with_arguments(analysis: Analysis) -> Iterator[JointDeletion]:
    """Yield parameters with the arguments at the same position in all calls of that name.

    The uses of the parameter are removed in one deletion, and replaced in another.
    """
    for parameter, given, uses, declared in _parameters(analysis):
        gone = _all_gone(analysis, (parameter, *given))
        if gone is None:
            continue
        gone += declared
        without = without_uses(analysis, gone, uses), with_stand_ins(analysis, gone, uses)
        yield from dict.fromkeys(filter(None, without))


def moved_arguments(analysis: Analysis) -> Iterator[JointDeletion]:
    """Yield arguments that move to the uses of their parameter, if they are the same in all calls.

    The parameter goes, or stays and gets another argument.
    """
    names = analysis.names
    for parameter, given, uses, declared in _parameters(analysis):
        own = _names_of_parameter(names, parameter)
        values = [each for each in given if names.text_of(each) not in own]
        is_list = is_rest(parameter.inner_node, names.text)
        texts = {b"[%b]" % found if is_list else found for found in map(names.text_of, values)}
        places = [leaf for leaf in uses if not _is_member(names, leaf)]
        if not places or len(texts) != 1:
            continue
        is_open = is_open_expression(values[0].inner_node, names.language_of(values[0]))
        moved = partial(put_in_place, names, text=min(texts), is_open=is_open)
        filled = with_replaced_uses(analysis, JointDeletion(), places, moved)
        if filled is None:
            continue
        gone = _all_gone(analysis, (parameter, *given))
        if gone is not None:
            yield gone + declared + filled
        emptied = tuple(Edit(each.start, each.end, _LITERAL) for each in values)
        yield filled + JointDeletion((), emptied)


_Parameter = tuple["Branch", "Sequence[Branch]", "Sequence[Branch]", JointDeletion]


def _parameters(analysis: Analysis) -> Iterator[_Parameter]:
    """Yield each parameter with its arguments in all calls, its uses, and what else declares it."""
    names = analysis.names
    for definition in names.definitions:
        calls = names.uses(definition)
        if not 0 < len(calls) <= MAX_USES:
            continue
        for own in _lists_after_name(names, definition):
            for position, parameter in enumerate(own.elements[:_MAX_PARAMETERS]):
                given = _arguments_at(names, own, position, calls)
                uses = _uses(names, definition, (parameter, *given))
                if given and len(uses) <= MAX_USES:
                    declaring = _declarations(analysis, definition, parameter, uses)
                    inside = [each.span for each in declaring]
                    others = [leaf for leaf in uses if not any(map(leaf.is_within, inside))]
                    declared = JointDeletion(tuple(each.unit for each in declaring))
                    yield parameter, given, others, declared


def _uses(names: Names, definition: Definition, elements: Sequence[Branch]) -> list[Branch]:
    """Return the uses of the parameter, the first of the elements, outside of all of them."""
    scope = _scope(names, definition, elements[0])
    return [
        leaf
        for leaf in names.leaves_named(_names_of_parameter(names, elements[0]), scope)
        if not any(leaf.is_within((each.start, each.end)) for each in elements)
    ]


def _declarations(
    analysis: Analysis, definition: Definition, parameter: Branch, uses: Sequence[Branch]
) -> list[Definition]:
    """Return what declares a parameter among its uses: in Fortran `real x` after `subroutine f(x)`."""
    names = analysis.names
    if _scope(names, definition, parameter) == _everywhere(names):
        return []
    own = {names.text_of(leaf) for leaf in uses}
    found = (each for each in names.definitions_of(own) if each.names <= own)
    return [each for each in found if any(leaf.is_within(each.span) for leaf in uses)]


def _all_gone(analysis: Analysis, elements: Sequence[Branch]) -> JointDeletion | None:
    """Return the deletion of all elements; None if one cannot go."""
    branches = [_unit_with_element(analysis.names, element) for element in elements]
    if None in branches:
        return None
    return JointDeletion(tuple(analysis.unit(branch) for branch in branches if branch is not None))


def _scope(names: Names, definition: Definition, parameter: Branch) -> tuple[int, int]:
    """Return the span (start, end) in which a parameter has its meaning; columns have it everywhere."""
    branch: Branch | None = parameter
    while branch is not None and branch.start >= definition.span[0]:
        inner_parts = names.conventions_of(branch).inner_parts
        if names.is_function(branch) or branch.inner_node.type in inner_parts:
            return branch.start, branch.end
        branch = branch.parent
    return _everywhere(names)


def _everywhere(names: Names) -> tuple[int, int]:
    return 0, len(names.text)


def _is_member(names: Names, leaf: Branch) -> bool:
    """Return whether a name is that of a member, such as `x` in `self.x`."""
    before = names.text[: leaf.start].rstrip()
    separators = names.conventions_of(leaf).tokens.path_separators
    return before.endswith(separators) and not before.endswith(_SPREAD)


def _names_of_parameter(names: Names, parameter: Branch) -> list[bytes]:
    language = names.language_of(parameter)
    if parameter.children and (
        found := parameter_names(parameter.inner_node, names.text, language)
    ):
        return found
    leaves = names.leaves_within((parameter.start, parameter.end))
    return [names.text_of(leaf) for leaf in leaves[:1]]


def _unit_with_element(names: Names, element: Branch) -> Branch | None:
    """Return the unit of an element: itself, or its list if it is the only element."""
    if element in names.units:
        return element
    above = element.parent
    if above is None or above not in names.units:
        return None
    return above if len(_elements(names, above.children[1:-1])) == 1 else None


def _lists_after_name(names: Names, definition: Definition) -> Iterator[_List]:
    """Yield the lists after the name in a definition, the first one with each bracket.

    Also those after the name of a constructor in it, whose arguments are those of the definition.
    """
    owner = definition.unit[0]
    seen: set[bytes] = set()
    span = owner.start, owner.end
    constructors = names.conventions_of(owner).tokens.constructors
    leaves = names.leaves_named(definition.names, span)[:1]
    for leaf in (*leaves, *names.leaves_named(constructors, span)[:1]):
        for after in chain.from_iterable(
            _lists(names, level) for level in _later_siblings(leaf, owner)
        ):
            if after.bracket not in seen:
                seen.add(after.bracket)
                yield after


def _arguments_at(
    names: Names, parameters: _List, position: int, uses: Sequence[Branch]
) -> list[Branch]:
    """Return the elements at a position of the lists after uses, with the bracket of `parameters`.

    One use may be followed by several lists, such as the rows that are inserted into a table.
    """
    own, bracket = parameters.elements, parameters.bracket
    receivers = names.conventions_of(own[0]).tokens.receivers if own else ()
    has_receiver = bool(own) and names.text_of(own[0]) in receivers
    given = []
    for arguments in chain.from_iterable(_lists_after_use(names, leaf, bracket) for leaf in uses):
        row = arguments.elements
        place = position - (has_receiver and len(row) < len(own))
        if 0 <= place < len(row):
            given.append(row[place])
    return given


def _lists_after_use(names: Names, leaf: Branch, bracket: bytes) -> list[_List]:
    """Return the lists with a bracket that follow a name, all of the same parent."""
    levels = (
        [after for after in _lists(names, level) if after.bracket == bracket]
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


def _lists(names: Names, level: Sequence[Branch]) -> Iterator[_List]:
    """Yield the lists among siblings, or the one that they make, as in Pascal: `f` `(` `1, 2` `)`."""
    for branch in level:
        if bracket := _bracket(names, branch.children):
            yield _List(bracket, _elements(names, branch.children[1:-1]))
        else:
            yield from _bare_lists(names, (branch, *branch.children))
    if bracket := _bracket(names, level):
        inner = level[1:-1]
        if len(inner) == 1 and any(_separates(names, each) for each in inner[0].children):
            inner = inner[0].children
        yield _List(bracket, _elements(names, inner))


def _bare_lists(names: Names, branches: Sequence[Branch]) -> Iterator[_List]:
    """Yield the lists without brackets among branches."""
    for branch in branches:
        if branch.node.type in names.conventions_of(branch).kinds.bare_lists:
            is_one = branch.node.named_child_count == 1
            yield _List(_BRACKET, [branch] if is_one else _elements(names, branch.children))


def _bracket(names: Names, branches: Sequence[Branch]) -> bytes:
    """Return the bracket that a list of siblings begins with; empty if they are no list."""
    if len(branches) < _MIN_CHILDREN or not (branches[0].is_token and branches[-1].is_token):
        return b""
    bracket = names.text_of(branches[0])
    return bracket if bracket in names.conventions_of(branches[0]).tokens.list_openings else b""


def _elements(names: Names, branches: Sequence[Branch]) -> list[Branch]:
    """Return the elements between commas; none if something else is between them."""
    groups: list[list[Branch]] = [[]]
    for branch in branches:
        if _separates(names, branch):
            groups.append([])
        else:
            groups[-1].append(branch)
    return [group[0] for group in groups] if all(len(group) == 1 for group in groups) else []


def _separates(names: Names, branch: Branch) -> bool:
    return branch.is_token and (
        names.text_of(branch) in names.conventions_of(branch).tokens.separators
    )
