r"""Converts offsets in a text (code points) to LSP positions (a line and code units) and back.

Lines end with "\n", "\r\n" or "\r" only, as in LSP; `str.splitlines` knows more line ends. A text
may contain lone surrogates: JSON allows them, and an editor that uses UTF-16 has them.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate, count
from operator import add

from lsprotocol import types as lsp

# The largest number of code units that one code point takes.
_MAX_UNITS = {
    lsp.PositionEncodingKind.Utf8: 4,
    lsp.PositionEncodingKind.Utf16: 2,
    lsp.PositionEncodingKind.Utf32: 1,
}


class Lines:
    """The lines of one text, found when they are first needed."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line begins; a text has at least one line."""
        text = self.text
        if "\r" in text:  # a text of the same length in which only "\n" ends lines
            text = text.replace("\r\n", " \n").replace("\r", "\n")
        lengths = map(len, text.split("\n"))
        return [0, *map(add, accumulate(lengths), count(1))][:-1]

    def end(self, line: int) -> int:
        """Return the offset of the end of `line`, before the characters that end it."""
        if line + 1 >= len(self.starts):
            return len(self.text)
        after = self.starts[line + 1]
        return after - (2 if self.text.endswith("\r\n", self.starts[line], after) else 1)

    def position(self, offset: int, encoding: lsp.PositionEncodingKind) -> lsp.Position:
        r"""Return the position of `offset`, which is clamped to the text.

        There is no position between "\r" and "\n": the one before them is returned.
        """
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        before = self.text[self.starts[line] : min(offset, self.end(line))]
        return lsp.Position(line, units(before, encoding))

    def offset(self, position: lsp.Position, encoding: lsp.PositionEncodingKind) -> int:
        """Return the offset of `position`, clamped to its line and to the text.

        A position inside a code point is taken as the one before it.
        """
        if position.line < 0:
            return 0
        if position.line >= len(self.starts):
            return len(self.text)
        return self._within(position.line, position.character, encoding)

    def _within(self, line: int, remaining: int, encoding: lsp.PositionEncodingKind) -> int:
        """Return the offset that is `remaining` units into a line, in O(length of the line)."""
        offset, end = self.starts[line], self.end(line)
        while remaining > 0 and offset < end:
            piece = self.text[offset : min(end, offset + max(1, remaining // _MAX_UNITS[encoding]))]
            remaining -= units(piece, encoding)
            if remaining < 0:
                break
            offset += len(piece)
        return offset


def units(text: str, encoding: lsp.PositionEncodingKind) -> int:
    """Return the number of code units in a text; a lone surrogate counts as well."""
    if encoding == lsp.PositionEncodingKind.Utf32 or text.isascii():
        return len(text)
    if encoding == lsp.PositionEncodingKind.Utf8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
