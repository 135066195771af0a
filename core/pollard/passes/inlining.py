"""A declaration's content in the place of its use, and the declaration gone.

What a person does last by hand: a variable's value, a type's meaning, a function's only statement goes
where it is used, with arguments in the place of parameters. It is the one step that no deletion and no
hoisting can do, since what moves is outside of where it goes; LPR (ISSTA 2024) asks a language model
for it. Here the grammar's fields say what is a value, a body, a parameter, and the guard what fits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.passes.declarations import cut, declarations
from pollard.passes.subject import Candidate
from pollard.syntax.edits import Edit, apply
from pollard.syntax.layout import Layout
from pollard.syntax.occurrences import is_identifier, leaves, occurrences
from pollard.syntax.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.passes.subject import Subject
    from pollard.syntax.units import Unit

_VALUES = ("value", "right", "type", "default_value")
_BODIES = ("body",)
_CALLED = ("function", "name", "macro", "method")
_ARGUMENTS = ("arguments", "argument_list")
_RETURN = re.compile("return")
_MOST = 60
_MOST_USES = 4
_CONTENTS = 3


def inline(subject: Subject) -> None:
    """Put what a declaration contains where its name is used: a few candidates for each."""
    if subject.document.language is None:
        return
    while subject.first(_candidates(subject)) is not None:
        pass


def _candidates(subject: Subject) -> Iterator[Candidate]:
    base, span = subject.document, subject.span
    declared = declarations(subject)
    places = occurrences(base.root, base.text, declared)
    if len(places) > _MOST:
        return
    layout = Layout(base, span)
    for name, unit in declared.items():
        gone = cut(unit)
        uses = [(s, e) for s, e in places.get(name, ()) if e <= gone.start or s >= gone.end]
        if not 0 < len(uses) <= _MOST_USES:
            continue
        for edits in _inlinings(base.root, base.text, unit, uses):
            if not all(span[0] <= edit.start and edit.end <= span[1] for edit in edits):
                continue
            tidied = layout.tidy([gone, *edits])
            if size(base.edited(tidied).text) < size(base.text):
                yield Candidate(base, tidied)


def _inlinings(
    root: Node, text: bytes, unit: Unit, uses: Sequence[tuple[int, int]]
) -> Iterator[list[Edit]]:
    """Yield the edits for each content, in the place of the name, of its call, or of a statement."""
    for content in _contents(unit[0].node)[:_CONTENTS]:
        for height in range(3):
            edits = [_inlined(root, text, unit[0].node, content, use, height) for use in uses]
            if all(edit is not None for edit in edits):
                yield [edit for edit in edits if edit is not None]


def _contents(declaration: Node) -> list[Node]:
    """Return what a declaration gives its name: values, results, bodies; the lightest first."""
    found: list[Node] = []
    stack = [declaration]
    while stack:
        node = stack.pop()
        for index, child in enumerate(node.children):
            field = node.field_name_for_child(index)
            if field in _VALUES and child.is_named:
                found += _only(child)
            elif field in _BODIES or _RETURN.search(node.type):
                found += [each for each in child.children if each.is_named] or [child]
            elif "variable_list" in child.type or "expression_list" in child.type:
                found += _only(child)
            stack.append(child)
    unique = {node.byte_range: node for node in found if node.end_byte > node.start_byte}
    return sorted(unique.values(), key=lambda node: node.end_byte - node.start_byte)


def _only(node: Node) -> list[Node]:
    return [node, *node.named_children] if node.named_child_count == 1 else [node]


def _inlined(
    root: Node,
    text: bytes,
    declaration: Node,
    content: Node,
    use: tuple[int, int],
    height: int,
) -> Edit | None:
    """Return the edit of one use; `height` is 0 for the name, 1 for its call, 2 for its statement."""
    leaf = root.descendant_for_byte_range(*use)
    target = leaf
    call = _call_of(leaf) if leaf is not None else None
    if height:
        target = call
    if height == 2:
        target = call.parent if call is not None and call.parent is not None else None
        if target is None or target.named_child_count != 1:
            return None
    if target is None:
        return None
    new = _with_arguments(text, declaration, content, call if height else None)
    return Edit(target.start_byte, target.end_byte, new)


def _call_of(leaf: Node) -> Node | None:
    """Return the call whose function a name is, or is the last part of."""
    node = leaf
    while (above := node.parent) is not None:
        if any(above.child_by_field_name(field) is not None for field in _ARGUMENTS):
            called = [above.child_by_field_name(field) for field in _CALLED]
            return above if node in called else None
        if above.end_byte != leaf.end_byte:
            return None
        node = above
    return None


def _with_arguments(text: bytes, declaration: Node, content: Node, call: Node | None) -> bytes:
    parameters = _parameters(declaration, text)
    arguments = _arguments(call, text) if call is not None else []
    values = dict(zip(parameters, arguments, strict=False))
    edits = [
        Edit(leaf.start_byte - content.start_byte, leaf.end_byte - content.start_byte, value)
        for leaf in leaves(content)
        if is_identifier(leaf) and (value := values.get(_of(text, leaf))) is not None
    ]
    return apply(text[content.start_byte : content.end_byte], edits)


def _parameters(declaration: Node, text: bytes) -> list[bytes]:
    stack = [declaration]
    while stack:
        node = stack.pop(0)
        found = node.child_by_field_name("parameters")
        if found is not None:
            names = [
                next((_of(text, leaf) for leaf in leaves(child) if is_identifier(leaf)), None)
                for child in found.named_children
            ]
            return [name for name in names if name]
        stack += node.named_children
    return []


def _arguments(call: Node, text: bytes) -> list[bytes]:
    for field in _ARGUMENTS:
        found = call.child_by_field_name(field)
        if found is not None:
            return [_of(text, child) for child in found.named_children]
    return []


def _of(text: bytes, node: Node) -> bytes:
    return text[node.start_byte : node.end_byte]
