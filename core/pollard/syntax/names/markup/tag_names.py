"""The places of names in markup: of elements and attributes, and of the prefixes before them."""

from __future__ import annotations

import re
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
_END = rb"(?![A-Za-z0-9])"


def prefix_places(document: Document) -> dict[bytes, Sequence[Span]]:
    """Map each prefix that the document declares to its places, in names and in values."""
    text = document.text
    places: dict[bytes, Sequence[Span]] = {}
    for prefix in declared_prefixes(document):
        declaring = _DECLARING + _COLON + prefix
        declared = [
            (found.end() - len(prefix), found.end())
            for found in re.finditer(re.escape(declaring) + _END, text)
        ]
        uses = [(start, end - len(_COLON)) for start, end in uses_of_prefix(prefix, text)]
        places[prefix] = sorted([*declared, *uses])
    return places


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
