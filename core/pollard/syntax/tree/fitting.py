"""The grammar for a text in a language that has none: that of a language which looks the same.

Any tree serves a search better than none, as long as it nests what the text nests: brackets, quotes and
words are much the same everywhere. Scheme's grammar knows little else, and takes nearly any text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.errors import PollardError
from pollard.syntax.grammars.languages import find
from pollard.syntax.grammars.sources import SOURCES
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.sizes import is_utf8, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.syntax.grammars.sources import Grammar, Source
    from pollard.syntax.tree.document import Cancellation


# Languages that others take after, one of each family, and strict: the grammars of Ruby and Kotlin, or
# of Haskell and OCaml, in which words beside each other are calls, make something of nearly any text.
# One of them fits if less than an eighth of the text is left over.
_FAMILIES = ("javascript", "csharp", "cpp", "python", "rust", "pascal")
_EIGHTH = 8
_BRACKETS = "scheme"

# Bytes. So much tells what fits: each grammar takes a tenth of a second or two for it. And above a
# megabyte a flat tree costs more time for each candidate than it saves runs.
_SAMPLE = 1 << 17
_LARGEST = 1 << 20


def fitting(
    text: bytes, *, cancelled: Cancellation | None = None, sources: Sequence[Source] = SOURCES
) -> Grammar | None:
    """Return the installed grammar that fits a text of an unknown language best.

    None for a text that is no UTF-8, or is so large that lines do better. Raises Cancelled once
    `cancelled` is set.
    """
    if len(text) > _LARGEST or not is_utf8(text):
        return None
    sample = _sample(text)
    best, least = _found(_BRACKETS, sources), size(sample) / _EIGHTH
    for language in _FAMILIES:
        grammar = _found(language, sources)
        if grammar is not None:
            left_over = _left_over(Document(sample, grammar.language, cancelled=cancelled))
            if left_over < least:
                best, least = grammar, left_over
    return best


def _found(language: str, sources: Sequence[Source]) -> Grammar | None:
    try:
        return find(language, sources)
    except PollardError:  # not installed, or not for this version of tree-sitter
        return None


def _sample(text: bytes) -> bytes:
    """Return the beginning of a text, as whole lines if it has some."""
    if len(text) <= _SAMPLE:
        return text
    return text[: text.rfind(b"\n", 0, _SAMPLE) + 1 or _SAMPLE]


def _left_over(document: Document) -> int:
    """Return how many bytes of tokens are in no node but an error.

    An error may be all around what was understood: one bracket that is not closed makes one of the
    whole file.
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
