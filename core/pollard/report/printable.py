"""Bytes as characters that are safe to show: what is no text, or is invisible, becomes an escape."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pollard.syntax.encodings.encoding import Encoding

# Control characters, those that change the direction of text, and code points that are no characters.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff"
    "\ud800-\udfff\ue000-\uf8ff]"
)
# Colours and cursor movements, which compilers print even into files if they are told to.
_TERMINAL_SEQUENCE = re.compile("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)")


def printable(text: str) -> str:
    r"""Return `text` with escapes such as `\x1b` for what is invisible; line ends and tabs stay."""
    return _HIDDEN.sub(lambda found: _escape(found[0]), text.replace("\r\n", "\n"))


def readable(content: bytes, encoding: Encoding) -> bytes:
    """Return a file's content in UTF-8, with escapes for bytes that are none of its encoding."""
    if encoding.is_utf8:
        return content
    characters = content.removeprefix(encoding.bom).decode(encoding.codec, "backslashreplace")
    return characters.encode("utf-8", "backslashreplace")


def printable_text(content: bytes, encoding: Encoding) -> str:
    """Return the characters of a file's content that are safe to show, and escapes for the rest."""
    return printable(readable(content, encoding).decode("utf-8", "backslashreplace"))


def printable_output(output: str) -> str:
    """Return what a command printed, without colours."""
    return printable(_TERMINAL_SEQUENCE.sub("", output))


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
