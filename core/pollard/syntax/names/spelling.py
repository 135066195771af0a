"""Words: where names may stand in a text, as the language spells them.

In most languages a name consists of letters, digits and underscores. Where it may have more characters,
a search for plain words would take the `margin` of `margin-left` for a use of the name `margin`.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tree_sitter import Language

    from pollard.syntax.tree.document import Document


# A name in any language: no white space, quotes or brackets, and not a number.
_NAME = re.compile(rb"[^\s\w()\[\]{}\"'`,;]*[A-Za-z_\x80-\xff][^\s()\[\]{}\"`,;]*")


def words(text: bytes, language: Language | None = None) -> Counter[bytes]:
    """Count the words in a text, those in comments and strings too."""
    return Counter(conventions(language).word.findall(text))


def word_places(document: Document) -> Mapping[bytes, Sequence[int]]:
    """Return the offsets of each word of a document's text, in order; found once."""
    return document.once(_word_places)


def _word_places(document: Document) -> Mapping[bytes, Sequence[int]]:
    places: dict[bytes, list[int]] = {}
    for found in conventions(document.language).word.finditer(document.text):
        places.setdefault(found[0], []).append(found.start())
    return places


def is_word(text: bytes, language: Language | None = None) -> bool:
    """Return whether a text is one word and nothing else."""
    return conventions(language).word.fullmatch(text) is not None


def word_at(text: bytes, offset: int, language: Language | None = None) -> bytes:
    """Return the word that begins at an offset; empty if none does."""
    found = conventions(language).word.match(text, offset)
    return found[0] if found else b""


def is_name(text: bytes) -> bool:
    """Return whether a text may be a name in any language."""
    return _NAME.fullmatch(text) is not None


def splits_word(text: bytes, offset: int, language: Language | None = None) -> bool:
    """Return whether an offset is between two bytes that one word may have in a row."""
    inside = conventions(language).inside_word
    return inside.match(text, offset - 1) is not None if offset else False
