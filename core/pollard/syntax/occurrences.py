"""Names as they stand in a tree: where each is, which of them the text declares, and its leaves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tree_sitter import Node

_WORD = re.compile(rb"[^\W\d]\w*|[\x80-\xff\w]*[\x80-\xff][\x80-\xff\w]*")
_DECLARING = frozenset({"name", "declarator", "pattern", "alias", "left"})


def occurrences(
    root: Node, text: bytes, declared: Collection[bytes] = frozenset()
) -> dict[bytes, list[tuple[int, int]]]:
    """Return where each name stands (start, end), in the order of the text.

    What is `declared` is a name in any kind of leaf: C's grammar takes `int32_t` for a keyword.
    """
    found: dict[bytes, list[tuple[int, int]]] = {}
    for leaf in leaves(root):
        name = text[leaf.start_byte : leaf.end_byte]
        if name and (is_identifier(leaf) or (leaf.is_named and name in declared)):
            found.setdefault(name, []).append(leaf.byte_range)
    return found


def is_identifier(leaf: Node) -> bool:
    """Tell whether a leaf is a name that somebody gave: its kind says so in every grammar."""
    return leaf.is_named and not leaf.child_count and "identifier" in leaf.type


def declared_names(root: Node, text: bytes) -> frozenset[bytes]:
    """Return the names that anything in a tree declares: parameters and inner names too."""
    found: set[bytes] = set()
    stack = [(root, False)]
    while stack:
        node, named = stack.pop()
        name = text[node.start_byte : node.end_byte]
        if named and node.is_named and not node.child_count and _WORD.fullmatch(name):
            found.add(name)
        for index, child in enumerate(node.children):
            field = node.field_name_for_child(index)
            inherited = named and field is None
            stack.append((child, field in _DECLARING or inherited or "parameter" in node.type))
    return frozenset(found)


def leaves(root: Node) -> Iterator[Node]:
    """Yield the leaves of a tree in the order of the text."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.child_count:
            stack.extend(reversed(node.children))
        else:
            yield node
