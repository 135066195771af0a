"""One letter for each of many names: what `rename` and `shorten` put in their places."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from pollard.syntax.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence


def letters(names: Sequence[bytes], text: bytes) -> dict[bytes, bytes]:
    """Return for each name a letter that is no word of the text, as long as there are any."""
    taken = set(words(text))
    found: dict[bytes, bytes] = {}
    for name in names:
        letter = next((one for one in _wishes(name) if one not in taken), None)
        if letter is not None:
            taken.add(letter)
            found[name] = letter
    return found


def _wishes(name: bytes) -> list[bytes]:
    """Return the letters of a name's case, its own first."""
    alphabet = string.ascii_uppercase if name[:1].isupper() else string.ascii_lowercase
    every = [letter.encode() for letter in alphabet]
    return sorted(every, key=lambda letter: letter != name[:1])
