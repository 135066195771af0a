"""The words of a document, and its definitions at any depth; both by place."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache, partial
from typing import TYPE_CHECKING

from pollard.syntax.grammars.patterns import Patterns
from pollard.syntax.names.conventions import conventions, word_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Language, Node

    from pollard.syntax.names.conventions import Conventions
    from pollard.syntax.tree.document import Document

# Kinds of nodes whose field for a name defines it. In others, such as calls, it refers to something.
_DEFINING = re.compile(
    "declarat|definition|specifier|parameter|alias|variable|binding|item|function"
)
_REFERRING = re.compile("reference|qualified|scoped|call|member|type$|friend|^template_")

_ELLIPSIS = b"..."


class PlacedWords:
    """Finds words and definitions between two offsets of a document.

    Members after a dot or an arrow are left out, since who has a value has its type, too.
    """

    def __init__(self, document: Document) -> None:
        text = document.text
        places = word_places(document).items()
        free = ((place, word) for word, found in places for place in found)
        ordered = sorted(pair for pair in free if not _is_member(text, pair[0]))
        self._places = [place for place, _ in ordered]
        self._words = [word for _, word in ordered]
        self._definitions = sorted(_definitions(document))

    def between(self, start: int, end: int) -> Sequence[bytes]:
        """Return the words between two offsets, in order."""
        return self._words[bisect_left(self._places, start) : bisect_left(self._places, end)]

    def defined_between(self, start: int, end: int) -> frozenset[bytes]:
        """Return the names that are defined anywhere between two offsets."""
        first = bisect_left(self._definitions, (start, b""))
        last = bisect_left(self._definitions, (end, b""))
        return frozenset(name for _, name in self._definitions[first:last])


def _is_member(text: bytes, place: int) -> bool:
    """Return whether a word is the name of a member of what stands before it."""
    before = text[max(place - 3, 0) : place]
    return before.endswith((b".", b"->")) and before != _ELLIPSIS


def _definitions(document: Document) -> Iterator[tuple[int, bytes]]:
    """Yield the offset and the name of each definition in a document, in no order."""
    if document.language is None:
        return
    text, known = document.text, conventions(document.language)
    may_define = cache(partial(_may_define, known))
    for _, _, captures in _named(document.language).matches(document.root, text):
        document.stop_if_cancelled()
        (whole,), (name,) = captures["whole"], captures["name"]
        if (
            name.type in known.kinds.identifiers
            and may_define(whole.type)
            and _defines(whole, known)
        ):
            yield name.start_byte, text[name.start_byte : name.end_byte]


def _may_define(known: Conventions, kind: str) -> bool:
    """Return whether nodes of a kind may define the name that they have in a field."""
    is_possible = _DEFINING.search(kind) and not _REFERRING.search(kind)
    return bool(is_possible) and kind not in known.kinds.imports


def _defines(node: Node, known: Conventions) -> bool:
    """Return whether a node does not just mention a type or a friend."""
    if "specifier" in node.type:
        return any(node.child_by_field_name(field) for field in known.fields.bodies)
    return node.parent is None or "friend" not in node.parent.type


@cache
def _named(language: Language) -> Patterns:
    """Return patterns for all nodes with something in a field for names.

    With the kinds that may be there a query for C++ would take thirty times as long to compile, longer
    than it takes to look at more nodes.
    """
    fields = filter(language.field_id_for_name, sorted(conventions(language).fields.names))
    return Patterns("\n".join(f"(_ {field}: (_) @name) @whole" for field in fields), language)
