"""Brackets around a single expression, and the expression without them.

Hoisting does the same, but the default strategy hoists only what saves much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.definitions import nodes
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.syntax.tree.document import Document

_KIND = "parenthes"
_OPENING, _CLOSING = b"(", b")"
# Where thousands are nested, a failure may need each of them.
_MAX_PAIRS = 8


def without_brackets(document: Document) -> Iterator[list[Edit]]:
    """Yield the deletion of all brackets around single expressions, then of each of the first pairs."""
    text = document.text
    pairs = [
        [Edit(node.start_byte, node.start_byte + 1), Edit(node.end_byte - 1, node.end_byte)]
        for node in nodes(document.root)
        if _KIND in node.type
        and node.named_child_count == 1
        and text.startswith(_OPENING, node.start_byte)
        and text.endswith(_CLOSING, 0, node.end_byte)
    ]
    if len(pairs) > 1:
        yield [edit for pair in pairs for edit in pair]
    yield from pairs[:_MAX_PAIRS]
