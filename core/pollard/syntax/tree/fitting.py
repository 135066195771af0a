"""Choose a grammar for a text in an unknown language: that of a language which looks similar.

A search over a tree beats a search over lines if the tree nests what the text nests. Brackets, quotes
and words are similar in most languages. The text is parsed with one grammar of each family, and the
one that leaves the least over fits best. If none fits, Scheme's grammar serves: it knows little
more than brackets and quotes, and takes nearly any text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.errors import PollardError
from pollard.syntax.grammars.languages import find
from pollard.syntax.grammars.sources import SOURCES
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.syntax.grammars.sources import Grammar, Source
    from pollard.syntax.tree.document import Cancellation


# One language of each family, each with a strict grammar. Ruby, Kotlin, Haskell and OCaml would not do:
# words beside each other are calls there, so their grammars accept nearly any text.
_FAMILY_LANGUAGES = ("javascript", "csharp", "cpp", "python", "rust", "pascal")
_FALLBACK_LANGUAGE = "scheme"

# A family's grammar fits if it leaves over less than this part of the text.
_MAX_PART_LEFT_OVER = 1 / 8

# How many bytes are parsed with each grammar; where it finds errors all over, in up to 0.3 s.
_SAMPLE_BYTES = 1 << 15

# In longer texts a flat tree costs more time for each candidate than it saves oracle runs.
_MAX_TEXT_BYTES = 1 << 20


def fitting(
    text: bytes, *, cancelled: Cancellation | None = None, sources: Sequence[Source] = SOURCES
) -> Grammar | None:
    """Return the installed grammar that fits a text in an unknown language best.

    Return None for a text that is longer than 1 MiB or has zero bytes, as binary files do. Raises
    Cancelled once `cancelled` is set.
    """
    if len(text) > _MAX_TEXT_BYTES or b"\0" in text:
        return None
    sample = _sample(text)
    best = _installed(_FALLBACK_LANGUAGE, sources)
    least_left_over = size(sample) * _MAX_PART_LEFT_OVER
    for language in _FAMILY_LANGUAGES:
        grammar = _installed(language, sources)
        if grammar is not None:
            left_over = _left_over(Document(sample, grammar.language, cancelled=cancelled))
            if left_over < least_left_over:
                best, least_left_over = grammar, left_over
    return best


def _installed(language: str, sources: Sequence[Source]) -> Grammar | None:
    try:
        return find(language, sources)
    except PollardError:  # not installed, or not for this version of tree-sitter
        return None


def _sample(text: bytes) -> bytes:
    """Return the beginning of a text, cut after a line if there is one."""
    if len(text) <= _SAMPLE_BYTES:
        return text
    return text[: text.rfind(b"\n", 0, _SAMPLE_BYTES) + 1 or _SAMPLE_BYTES]


def _left_over(document: Document) -> int:
    """Return how many bytes are in tokens that are errors or children of an error.

    Nodes inside an ERROR count as understood. One bracket that is not closed can make an ERROR of the
    whole file, though the grammar fits everything else.
    """
    left_over, stack = 0, [document.root]
    while stack:
        node = stack.pop()
        for child in node.children:
            if child.child_count:
                if child.has_error:
                    stack.append(child)
            elif node.is_error or child.is_error:
                left_over += child.end_byte - child.start_byte
    return left_over
