"""The places of names in markup: of elements and attributes, and of the prefixes before them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import leaves, text_of
from pollard.syntax.names.markup.prefixes import declared_prefixes, uses_of_prefix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.syntax.tree.document import Document

    Span = tuple[int, int]


_COLON = b":"
_DECLARING = b"xmlns"


def prefix_places(document: Document) -> dict[bytes, Sequence[Span]]:
    """Map each prefix that the document declares to its places, in names and in values."""
    text = document.text
    found: dict[bytes, Sequence[Span]] = {}
    for prefix in declared_prefixes(document):
        declaring = _DECLARING + _COLON + prefix
        declared = [
            (start + len(declaring) - len(prefix), start + len(declaring))
            for start in _starts(declaring, text)
        ]
        uses = [(start, end - len(_COLON)) for start, end in uses_of_prefix(prefix, text)]
        found[prefix] = sorted([*declared, *uses])
    return found


def _starts(part: bytes, text: bytes) -> list[int]:
    found = []
    start = text.find(part)
    while start >= 0:
        if not text[start + len(part) : start + len(part) + 1].isalnum():
            found.append(start)
        start = text.find(part, start + 1)
    return found


def tag_name_places(document: Document) -> dict[bytes, list[Span]]:
    """Map each name in tags, without its prefix, to its places; nothing in other languages."""
    kinds, text = conventions(document.language).kinds.tag_names, document.text
    found: dict[bytes, list[Span]] = {}
    for leaf in leaves(document.root) if kinds else ():
        name = text_of(leaf, text)
        if leaf.type in kinds and not name.startswith(_DECLARING):
            own = name.rpartition(_COLON)[2]
            found.setdefault(own, []).append((leaf.end_byte - len(own), leaf.end_byte))
    return found
