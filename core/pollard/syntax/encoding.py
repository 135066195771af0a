"""Whether the bytes of a file are text: grammars, words and characters are those of UTF-8."""

from __future__ import annotations


def is_utf8(text: bytes) -> bool:
    """Tell whether a text is valid UTF-8, as grammars take it to be."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
