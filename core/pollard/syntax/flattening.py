"""Flattening (reference 8 of hddh-2021): a list that a grammar writes as a recursion is one list.

Such a list must be one whose elements can go: what a link adds has to be a unit, one child and the
tokens beside it. So a chain of `else if`, of `? :` or of loops in loops stays nested,
and hoisting takes its links out: of a flat `if`, condition, block, `else` none could go alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.grafts import squeezed

if TYPE_CHECKING:
    from tree_sitter import Node

_OPERATION = 2
_LONGEST_UNIT = 3


def with_text(node: Node) -> list[Node]:
    """Return the children of a node that have text."""
    return [child for child in node.children if child.end_byte > child.start_byte]


def flattened(node: Node) -> list[Node]:
    """Return the children of a node that have text, those of recursions of it among its own.

    A first or last child of the node's kind is replaced by its children, as long as there is one.
    """
    kind = node.kind_id
    own = children = with_text(node)
    tail: list[list[Node]] = []
    while inner := _recursion(kind, children, 0):
        tail.append(children[1:])
        children = inner
    children = [child for part in (children, *reversed(tail)) for child in part]
    head: list[Node] = []
    while inner := _recursion(kind, own, -1):
        head += children[:-1]
        children = own = inner
    return [*head, *children]


def _recursion(kind: int, children: list[Node], place: int) -> list[Node]:
    """Return the children of the child at `place` if it is a recursion of a node of that kind.

    It may be wrapped in nodes that have the same text, as rules for operands often are.
    """
    if len(children) < 2:
        return []
    node = squeezed(children[place])
    if node.kind_id != kind or node.child_count < 2:
        return []
    link = children[1:] if place == 0 else children[:place]
    return with_text(node) if _is_unit([n for n in link if not n.is_extra]) else []


def _is_unit(link: list[Node]) -> bool:
    """Tell whether a link is an operator and an operand, or one child between two tokens.

    Some grammars have names for their operators (`keyword_and` in SQL), which are no tokens.
    """
    elements = sum(node.is_named for node in link)
    return len(link) <= _OPERATION or (elements == 1 and len(link) <= _LONGEST_UNIT)
