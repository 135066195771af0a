"""How large a text is, in the measures of the papers.

Whether the bytes of a file are text: grammars, words and characters are those of UTF-8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


def is_utf8(text: bytes) -> bool:
    """Tell whether a text is valid UTF-8, as grammars take it to be."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


_WHITE_SPACE = b" \t\n\r\v\f"


def size(text: bytes) -> int:
    """Return how many bytes are no white space: what the papers' tables give (hddh-2021, IV)."""
    return len(text.translate(None, _WHITE_SPACE))


def tokens(document: Document) -> int:
    """Return how many leaves the tree has; without a grammar, how many words there are."""
    if document.tree is None:
        return len(document.text.split())
    if not document.root.child_count:
        return 0  # the root of an empty file is no token
    return leaves(document.root)


def leaves(node: Node) -> int:
    """Return how many leaves there are below a node: 1 if it is one itself."""
    cursor, count = node.walk(), 0
    while True:
        while cursor.goto_first_child():
            pass
        count += 1
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return count
