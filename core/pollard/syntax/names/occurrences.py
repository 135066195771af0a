"""Names as they stand in a tree: where each is, which of them the text declares, and its leaves.

Only the tree that is given: what is in islands is a leaf of it, and no name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.grammars.spelling import is_word
from pollard.syntax.names.identifiers import fields

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tree_sitter import Node


_DECLARING = frozenset({"name", "declarator", "pattern", "alias", "left"})
# What grammars call leaves that are words for people.
_WORDING = re.compile("string|comment|text|content|char|fragment|escape")


def occurrences(
    root: Node, text: bytes, declared: Collection[bytes] = frozenset()
) -> dict[bytes, list[tuple[int, int]]]:
    """Return where each name stands (start, end), in the order of the text.

    What is `declared` is a name in any kind of leaf but strings and comments: C's grammar takes
    `int32_t` for a keyword.
    """
    found: dict[bytes, list[tuple[int, int]]] = {}
    for leaf in leaves(root):
        name = text[leaf.start_byte : leaf.end_byte]
        if name and (is_identifier(leaf) or (name in declared and _may_be_name(leaf))):
            found.setdefault(name, []).append(leaf.byte_range)
    return found


def is_identifier(leaf: Node) -> bool:
    """Tell whether a leaf is a name that somebody gave, as its kind says in nearly all grammars."""
    return leaf.is_named and not leaf.child_count and "identifier" in leaf.type


def _may_be_name(leaf: Node) -> bool:
    return leaf.is_named and _WORDING.search(leaf.type) is None


def declared_names(root: Node, text: bytes) -> frozenset[bytes]:
    """Return the names that anything in a tree declares: parameters and inner names too."""
    found: set[bytes] = set()
    stack = [(root, False)]
    while stack:
        node, named = stack.pop()
        if not node.child_count:
            name = text[node.start_byte : node.end_byte]
            found |= {name} if named and _may_be_name(node) and is_word(name) else set()
        for field, child in fields(node):
            inherited = field is None and (named or "parameter" in node.type)
            stack.append((child, field in _DECLARING or inherited))
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
