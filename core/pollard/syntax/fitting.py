"""The grammar for a text in a language that has none: that of a language which looks the same.

Any tree serves a search better than none, as long as it nests what the text nests: brackets, quotes and
words are much the same everywhere. Scheme's grammar knows little else, and takes nearly any text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.errors import PollardError
from pollard.syntax.document import Document
from pollard.syntax.grammars import SOURCES
from pollard.syntax.languages import find

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.syntax.document import Cancellation
    from pollard.syntax.grammars import Grammar, Source

# Languages that others take after, one of each family, and strict: the grammars of Ruby and Kotlin, or
# of Haskell and OCaml, in which words beside each other are calls, make something of nearly any text.
# One of them fits if its errors cover less than a tenth.
_FAMILIES = ("javascript", "csharp", "cpp", "python", "rust", "pascal")
_TENTH = 10
_BRACKETS = "scheme"

# Bytes. Longer texts are not parsed by one grammar after the other, which would take seconds; and above
# a megabyte a flat tree costs more time for each candidate than it saves runs.
_LONGEST = 1 << 18
_LARGEST = 1 << 20


def fitting(
    text: bytes, *, cancelled: Cancellation | None = None, sources: Sequence[Source] = SOURCES
) -> Grammar | None:
    """Return the installed grammar that fits a text of an unknown language best.

    None for a text that is no UTF-8, or is so large that lines do better. Raises Cancelled once
    `cancelled` is set.
    """
    if len(text) > _LARGEST or not _is_utf8(text):
        return None
    best, fewest = _found(_BRACKETS, sources), len(text) / _TENTH
    for language in _FAMILIES if len(text) <= _LONGEST else ():
        grammar = _found(language, sources)
        if grammar is not None:
            errors = _errors(Document(text, grammar.language, cancelled=cancelled))
            if errors < fewest:
                best, fewest = grammar, errors
    return best


def _found(language: str, sources: Sequence[Source]) -> Grammar | None:
    try:
        return find(language, sources)
    except PollardError:  # not installed, or not for this version of tree-sitter
        return None


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _errors(document: Document) -> int:
    """Return how many bytes the grammar could make nothing of."""
    errors, stack = 0, [document.root]
    while stack:
        node = stack.pop()
        if node.is_error:
            errors += node.end_byte - node.start_byte
        elif node.has_error:
            stack += node.children
    return errors
