"""Positions and edits as the protocol defines them, written independently of the server's code.

Stricter than editors: a position past the end of its line, within a character or within a line's
end is an error, because editors treat it differently. Only the beginning of the line after the last
one is allowed: everybody uses it for "to the end".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from lsprotocol import types as lsp

_LINE_END = re.compile(r"\r\n|\n|\r")
_CODECS = {
    lsp.PositionEncodingKind.Utf8: ("utf-8", 1),
    lsp.PositionEncodingKind.Utf16: ("utf-16-le", 2),
    lsp.PositionEncodingKind.Utf32: ("utf-32-le", 4),
}


class BadEdit(AssertionError):
    """An edit that the protocol does not allow."""


def width(text: str, encoding: lsp.PositionEncodingKind) -> int:
    """Return the number of code units of a text; a lone surrogate counts as one."""
    codec, size = _CODECS[encoding]
    return len(text.encode(codec, "surrogatepass")) // size


def lines(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each line, without its line end."""
    found = []
    start = 0
    for end in _LINE_END.finditer(text):
        found.append((start, end.start()))
        start = end.end()
    return [*found, (start, len(text))]


def position(text: str, offset: int, encoding: lsp.PositionEncodingKind) -> lsp.Position:
    """Return the position of an offset; inside a line end, that before it."""
    number, (start, end) = max(
        (item for item in enumerate(lines(text)) if item[1][0] <= offset), key=lambda item: item[0]
    )
    return lsp.Position(number, width(text[start : min(offset, end)], encoding))


def offset(text: str, where: lsp.Position, encoding: lsp.PositionEncodingKind) -> int:
    """Return the offset of a position. Raises BadEdit if the text has no such position."""
    found = lines(text)
    if where == lsp.Position(len(found), 0):
        return len(text)
    if not 0 <= where.line < len(found):
        raise BadEdit(f"{where} is beyond the {len(found)} lines of the text")
    start, end = found[where.line]
    left = where.character
    for index in range(start, end):
        if left <= 0:
            break
        left -= width(text[index], encoding)
        start = index + 1
    if left:
        raise BadEdit(f"{where} is past the end of its line or within a character")
    return start


def with_one_line_end(text: str) -> str:
    """Return the text with its most frequent line end on all lines, as VS Code does."""
    crlf = text.count("\r\n")
    most = "\r\n" if 2 * crlf > len(_LINE_END.findall(text)) else "\n"
    return _LINE_END.sub(most, text)


def apply(text: str, edits: Sequence[lsp.TextEdit], encoding: lsp.PositionEncodingKind) -> str:
    """Return the text after the edits, whose positions are those of `text`."""
    found = sorted(
        (offset(text, edit.range.start, encoding), offset(text, edit.range.end, encoding), order)
        for order, edit in enumerate(edits)
    )
    if any(end < start for start, end, _ in found):
        raise BadEdit("an edit ends before it begins")
    if any(before[1] > after[0] for before, after in pairwise(found)):
        raise BadEdit("edits overlap")
    for start, end, order in reversed(found):
        text = text[:start] + edits[order].new_text + text[end:]
    return text
