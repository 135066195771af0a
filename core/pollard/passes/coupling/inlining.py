"""A declaration's content in the place of its use, and the declaration gone.

What a person does last by hand: a variable's value, a type's meaning, a function's only statement goes
where it is used, with arguments in the place of parameters. It is the one
step that no deletion and no hoisting can do, since what moves is outside of where it goes; LPR
(ISSTA 2024) asks a language model for it. Here the grammar's fields say what is a value, a body, a
parameter, and the guard what fits.

What a declaration contains that can stand for its name, with arguments for its parameters.
"""

from __future__ import annotations

from collections import deque
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.engine.subject import Candidate
from pollard.passes.coupling.coupled import MAX_EARLY_FAILURES
from pollard.passes.coupling.removable import are_within, declarations
from pollard.syntax.layout.layout import Layout
from pollard.syntax.names.definitions import (
    defining,
    is_identifier,
    leaves,
    text_of,
    with_fields,
)
from pollard.syntax.tree.edits import Edit, apply
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.engine.subject import Subject
    from pollard.passes.coupling.removable import Declared
    from pollard.syntax.tree.document import Document


_VALUES = ("value", "right", "type", "default_value")
_LISTS = ("variable_list", "expression_list")
_ARGUMENTS = ("arguments", "argument_list")


def contents(declaration: Node) -> list[Node]:
    """Return what a declaration gives its name: values, results, bodies; the shortest first."""
    found: list[Node] = []
    stack = [declaration]
    while stack:
        node = stack.pop()
        for field, child in with_fields(node):
            if field != "parameters":
                found += _contents(node, field, child)
                stack.append(child)
    unique = {node.byte_range: node for node in found if node.end_byte > node.start_byte}
    return sorted(unique.values(), key=lambda node: node.end_byte - node.start_byte)


def _contents(node: Node, field: str | None, child: Node) -> list[Node]:
    """Return what of a child may stand for the name that `node` is given."""
    if field == "body":
        return child.named_children or [child]
    listed = any(kind in child.type for kind in _LISTS)
    if child.is_named and (field in _VALUES or listed or "return" in node.type):
        return _only(child)
    return []


def _only(node: Node) -> list[Node]:
    return [node, *node.named_children] if node.named_child_count == 1 else [node]


def with_arguments(
    document: Document, declaration: Node, content: Node, call: Node | None
) -> bytes:
    """Return the text of a content, with a call's arguments for the declaration's parameters."""
    text, start = document.text, content.start_byte
    arguments = arguments_of(call) if call is not None else None
    given = [text_of(child, text) for child in arguments.named_children] if arguments else []
    values = dict(zip(_parameters(declaration, document), given, strict=False))
    edits = [
        Edit(leaf.start_byte - start, leaf.end_byte - start, value)
        for leaf in leaves(content)
        if is_identifier(leaf, document.language)
        and (value := values.get(text_of(leaf, text))) is not None
    ]
    return apply(text_of(content, text), edits)


def arguments_of(call: Node) -> Node | None:
    """Return the list of arguments of a call; None of any other node."""
    found = (call.child_by_field_name(field) for field in _ARGUMENTS)
    return next((node for node in found if node is not None), None)


def _parameters(declaration: Node, document: Document) -> list[bytes | None]:
    """Return the names of the outermost parameters, None for each that has none, in order."""
    waiting = deque([declaration])
    while waiting:
        node = waiting.popleft()
        found = node.child_by_field_name("parameters")
        if found is not None:
            return [_name(child, document) for child in found.named_children]
        waiting.extend(node.named_children)
    return []


def _name(parameter: Node, document: Document) -> bytes | None:
    """Return what a parameter is called: `x` of `T x` by its field, else its first name."""
    text, language = document.text, document.language
    named = defining(parameter, text, language) or [
        leaf for leaf in leaves(parameter) if is_identifier(leaf, language)
    ]
    return text_of(named[0], text) if named else None


_CALLED = ("function", "name", "macro", "method")
_MOST_USES = 4
_CONTENTS = 3
# What is replaced: the name, its call, or the statement that the call is.
_HEIGHTS = range(3)
# A call is hardly further above the name of its function; a node's parent is looked for from the root.
_STEPS = 8


@declare(
    "inline",
    runs="9 for each name, after each success",
    needs=Needs.SHORT_TREE,
    source="LPR, ISSTA 2024",
)
def inline(subject: Subject, patience: int | None = None) -> None:
    """Put what a declaration contains where its name is used, and remove the declaration.

    Begins again after each success; as every candidate is smaller than the text, that ends. After
    `patience` failures, if given, without a success in between it gives up.
    """
    while subject.first(islice(_candidates(subject), patience)) is not None:
        pass


@declare("early-inline", runs="6 failures in a row", needs=Needs.SHORT_TREE, source="as inline")
def early_inline(subject: Subject) -> None:
    """Do what `inline` does, in a text of some length and with little patience."""
    if subject.is_worth_early_passes():
        inline(subject, MAX_EARLY_FAILURES)


def _candidates(subject: Subject) -> Iterator[Candidate]:
    base, span = subject.document, subject.span
    layout = Layout(base, span)
    for declared in declarations(subject)[0]:
        for edits in _inlinings(base, declared):
            if are_within(edits, span) and _are_apart(edits):
                tidied = layout.tidy(edits)
                if size(base.edited(tidied).text) < size(base.text):
                    yield Candidate(base, tidied)


def _are_apart(edits: Sequence[Edit]) -> bool:
    """Tell whether no edit, in any order, overlaps another: `f(f(1))` cannot be replaced twice."""
    return all(last.end <= edit.start for last, edit in pairwise(sorted(edits)))


def _inlinings(base: Document, declared: Declared) -> Iterator[list[Edit]]:
    """Yield the edits for each content, in the place of the name, of its call, or of a statement."""
    if len(declared.uses) > _MOST_USES:
        return
    leaves = [base.root.descendant_for_byte_range(*use) for use in declared.uses]
    for content in contents(declared.node)[:_CONTENTS]:
        for height in _HEIGHTS:
            edits = [
                _inlined(base, declared.node, content, leaf, height)
                for leaf in leaves
                if leaf is not None
            ]
            if None not in edits:
                yield [declared.gone, *(edit for edit in edits if edit is not None)]


def _inlined(
    document: Document, declaration: Node, content: Node, leaf: Node, height: int
) -> Edit | None:
    """Return the edit of one use, a leaf; None if there is nothing of that height."""
    call = _call_of(leaf) if height else None
    target = (leaf, call, _alone(call))[height]
    if target is None:
        return None
    new = with_arguments(document, declaration, content, call)
    return Edit(target.start_byte, target.end_byte, new)


def _alone(call: Node | None) -> Node | None:
    """Return what a call is all of, such as a statement."""
    above = call.parent if call is not None else None
    return above if above is not None and above.named_child_count == 1 else None


def _call_of(leaf: Node) -> Node | None:
    """Return the call whose function a name is, or is the last part of."""
    node = leaf
    for _ in range(_STEPS):
        above = node.parent
        if above is None:
            return None
        if arguments_of(above) is not None:
            called = [above.child_by_field_name(field) for field in _CALLED]
            return above if node in called else None
        if above.end_byte != leaf.end_byte:
            return None
        node = above
    return None
