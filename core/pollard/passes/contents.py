"""What a declaration contains that can stand for its name, with arguments for its parameters."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from pollard.syntax.edits import Edit, apply
from pollard.syntax.identifiers import defining, fields
from pollard.syntax.occurrences import is_identifier, leaves

if TYPE_CHECKING:
    from tree_sitter import Node

_VALUES = ("value", "right", "type", "default_value")
_LISTS = ("variable_list", "expression_list")
_ARGUMENTS = ("arguments", "argument_list")


def contents(declaration: Node) -> list[Node]:
    """Return what a declaration gives its name: values, results, bodies; the shortest first."""
    found: list[Node] = []
    stack = [declaration]
    while stack:
        node = stack.pop()
        for field, child in fields(node):
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


def with_arguments(text: bytes, declaration: Node, content: Node, call: Node | None) -> bytes:
    """Return the text of a content, with a call's arguments for the declaration's parameters."""
    arguments = arguments_of(call) if call is not None else None
    given = [_of(text, child) for child in arguments.named_children] if arguments else []
    values = dict(zip(_parameters(declaration, text), given, strict=False))
    edits = [
        Edit(leaf.start_byte - content.start_byte, leaf.end_byte - content.start_byte, value)
        for leaf in leaves(content)
        if is_identifier(leaf) and (value := values.get(_of(text, leaf))) is not None
    ]
    return apply(_of(text, content), edits)


def arguments_of(call: Node) -> Node | None:
    """Return the list of arguments of a call; None of any other node."""
    found = (call.child_by_field_name(field) for field in _ARGUMENTS)
    return next((node for node in found if node is not None), None)


def _parameters(declaration: Node, text: bytes) -> list[bytes | None]:
    """Return the names of the outermost parameters, None for each that has none, in order."""
    waiting = deque([declaration])
    while waiting:
        node = waiting.popleft()
        found = node.child_by_field_name("parameters")
        if found is not None:
            return [_name(child, text) for child in found.named_children]
        waiting.extend(node.named_children)
    return []


def _name(parameter: Node, text: bytes) -> bytes | None:
    """Return what a parameter is called: `x` of `T x` by its field, else its first name."""
    named = defining(parameter, text, None) or filter(is_identifier, leaves(parameter))
    return next((_of(text, leaf) for leaf in named), None)


def _of(text: bytes, node: Node) -> bytes:
    return text[node.start_byte : node.end_byte]
