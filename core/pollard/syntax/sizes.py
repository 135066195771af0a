"""How large a text is, in the measures of the papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pollard.syntax.document import Document


def size(text: bytes) -> int:
    """Return how many bytes are no white space: what the papers' tables give (hddh-2021, IV)."""
    return sum(map(len, text.split()))


def tokens(document: Document) -> int:
    """Return how many leaves the tree has; without a grammar, how many words there are."""
    if document.tree is None:
        return len(document.text.split())
    leaves, stack = 0, list(document.root.children)  # the root of an empty file is no token
    while stack:
        children = stack.pop().children
        if children:
            stack += children
        else:
            leaves += 1
    return leaves
