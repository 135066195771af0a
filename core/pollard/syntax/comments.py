"""Comments, in any language: nothing that is only named in one is in use."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tree_sitter import Query, QueryCursor

if TYPE_CHECKING:
    from tree_sitter import Language, Node


def without_comments(text: bytes, root: Node, language: Language) -> bytes:
    """Return the text with spaces in the place of its comments: all else stays where it is."""
    query = _query(language)
    if query is None:
        return text
    pieces, end = [], 0
    for node in QueryCursor(query).captures(root).get("comment", ()):
        if node.start_byte >= end:
            pieces += [text[end : node.start_byte], b" " * (node.end_byte - node.start_byte)]
            end = node.end_byte
    return b"".join([*pieces, text[end:]])


@cache
def _query(language: Language) -> Query | None:
    kinds = {
        kind
        for number in range(language.node_kind_count)
        if language.node_kind_is_named(number)
        and language.node_kind_is_visible(number)
        and "comment" in (kind := language.node_kind_for_id(number) or "")
    }
    return (
        Query(language, "".join(f"({kind}) @comment\n" for kind in sorted(kinds)))
        if kinds
        else None
    )
