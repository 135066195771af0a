"""How large a text or a tree is, in the measures that the papers use."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_WHITE_SPACE = b" \t\n\r\v\f"


def size(text: bytes) -> int:
    """Return how many bytes are not white space, the size in the tables of hddh-2021, section IV."""
    return len(without_white_space(text))


def weighs(text: bytes, start: int, end: int, least: int) -> bool:
    """Return whether the bytes from `start` to `end` have at least the size `least`.

    Most pieces of a long text are shorter than that, and their bytes need not be looked at.
    """
    return end - start >= least and size(text[start:end]) >= least


def without_white_space(text: bytes) -> bytes:
    """Return a text without its white space."""
    return text.translate(None, _WHITE_SPACE)


def tokens(document: Document) -> int:
    """Return how many leaves the tree has; without a grammar, how many words the text has."""
    if document.tree is None:
        return len(document.text.split())
    if not document.root.child_count:
        return 0  # the root of an empty file is no token
    return leaves(document.root)


def leaves(node: Node) -> int:
    """Return how many leaves are below a node; 1 for a leaf."""
    cursor, count = node.walk(), 0
    while True:
        while cursor.goto_first_child():
            pass
        count += 1
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return count
