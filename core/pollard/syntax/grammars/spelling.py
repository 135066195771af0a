"""Words: where names may stand in a text, as the language spells them.

In most languages a name is of letters, digits and underscores. Where it may have more, a word that ends
before the hyphen of `margin-left` would be taken for a use of every name that begins like it.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.grammars.languages import grammar_of

if TYPE_CHECKING:
    from tree_sitter import Language


class _Spelling(NamedTuple):
    """What is a word, and two bytes beside each other that may be inside of one."""

    word: re.Pattern[bytes]
    within: re.Pattern[bytes]


def _spelling(word: bytes, others: bytes) -> _Spelling:
    """Return how names are spelt; `others` are the bytes, escaped, in words besides the usual ones."""
    return _Spelling(re.compile(word), re.compile(b"[" + _USUAL + others + b"]{2}"))


_USUAL = rb"\w\x80-\xff"
_LETTER = rb"[A-Za-z_\x80-\xff]"
_SIGNS = re.escape(b"!$%&*+./:<=>?^~-")
_PLAIN = _spelling(rb"%b[%b]*" % (_LETTER, _USUAL), b"")
# A row of signs is looked at once, not from each of them on.
_LISP = _spelling(rb"(?<![%b])[%b]*%b[%b%b]*" % (_SIGNS, _SIGNS, _LETTER, _USUAL, _SIGNS), _SIGNS)
_STYLES = _spelling(rb"(?:\$|--?)?%b[%b-]*" % (_LETTER, _USUAL), rb"\$-")
_QUESTIONS = _spelling(rb"%b[%b]*[?!]?" % (_LETTER, _USUAL), b"?!")
_PRIMES = _spelling(rb"%b[%b']*" % (_LETTER, _USUAL), b"'")
_HYPHENS = _spelling(rb"%b[%b'-]*" % (_LETTER, _USUAL), b"'-")
_COMMANDS = _spelling(rb"\$?%b[%b-]*" % (_LETTER, _USUAL), rb"\$-")
_SPELLINGS = {
    **dict.fromkeys(("clojure", "commonlisp", "elisp", "fennel", "janet"), _LISP),
    **dict.fromkeys(("racket", "scheme"), _LISP),
    **dict.fromkeys(("css", "scss"), _STYLES),
    **dict.fromkeys(("elixir", "ruby"), _QUESTIONS),
    **dict.fromkeys(("elm", "fsharp", "haskell", "ocaml", "purescript"), _PRIMES),
    **dict.fromkeys(("wast", "wat"), _LISP),
    "nix": _HYPHENS,
    "powershell": _COMMANDS,
}
# What may be a name at all: no white space, quotes or brackets, and no number.
_NAME = re.compile(rb"[^\s\w()\[\]{}\"'`,;]*" + _LETTER + rb"[^\s()\[\]{}\"`,;]*")


def _spelling_of(language: Language | None) -> _Spelling:
    grammar = grammar_of(language) if language is not None else None
    return _SPELLINGS.get(grammar.name, _PLAIN) if grammar is not None else _PLAIN


def words(text: bytes, language: Language | None = None) -> Counter[bytes]:
    """Count the names in a text: its words, those in comments and strings too."""
    return Counter(_spelling_of(language).word.findall(text))


def word_places(text: bytes, language: Language | None = None) -> dict[bytes, list[int]]:
    """Return where each word of a text begins, in order."""
    places: dict[bytes, list[int]] = {}
    for found in _spelling_of(language).word.finditer(text):
        places.setdefault(found[0], []).append(found.start())
    return places


def is_word(text: bytes, language: Language | None = None) -> bool:
    """Tell whether a text is a name and nothing else."""
    return _spelling_of(language).word.fullmatch(text) is not None


def word_at(text: bytes, place: int, language: Language | None = None) -> bytes:
    """Return the word that begins at a place in a text; nothing if none does."""
    found = _spelling_of(language).word.match(text, place)
    return found[0] if found else b""


def is_name(text: bytes) -> bool:
    """Tell whether a text may be a name in any language."""
    return _NAME.fullmatch(text) is not None


def is_torn(text: bytes, offset: int, language: Language | None = None) -> bool:
    """Tell whether a place in a text is between two bytes that words are made of."""
    within = _spelling_of(language).within
    return within.match(text, offset - 1) is not None if offset else False
