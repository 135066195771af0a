"""The part of a text that may change: made from a selection, and followed through later edits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pollard_server.text.differences import gaps
from pollard_server.text.positions import Lines, units

if TYPE_CHECKING:
    from pollard_server.text.differences import Gap


@dataclass(frozen=True, slots=True)
class Region:
    """The code points `start` to `end` (exclusive) of a text."""

    start: int
    end: int

    def to_bytes(self, text: str) -> tuple[int, int]:
        """Return the span in bytes of UTF-8 (lone surrogates take three bytes each)."""
        start = units(text[: self.start], lsp.PositionEncodingKind.Utf8)
        inside = units(text[self.start : self.end], lsp.PositionEncodingKind.Utf8)
        return start, start + inside

    def carried(self, old: str, new: str) -> Region:
        """Return where the region of `old` is in `new`.

        Changes before it move it. Changes in it or at its border belong to it afterwards.
        """
        start, end = self.start, self.end
        new_start, new_end = start, end
        for gap in gaps(old, new):
            new_start = _start_after(gap, start, new_start)
            new_end = _end_after(gap, end, new_end)
        return Region(new_start, new_end)


def selection(text: str, selected: lsp.Range, encoding: lsp.PositionEncodingKind) -> Region:
    """Return the region of `text` that `selected` covers: ends in order, and clamped to the text.

    Selected whole lines include their last line end, whether the editor says so ((2, 0)-(8, 0) in
    VS Code) or not ((2, 0)-(7, 5) in Neovim). An end at character 0 is not moved.
    """
    lines = Lines(text)
    start, end = sorted(lines.offset(each, encoding) for each in (selected.start, selected.end))
    first, last = lines.position(start, encoding), lines.position(end, encoding)
    is_whole = first.character == 0 and last.character > 0 and end == lines.end(last.line)
    if is_whole and last.line + 1 < len(lines.starts):
        end = lines.starts[last.line + 1]
    return Region(start, end)


def _start_after(gap: Gap, start: int, moved: int) -> int:
    if gap.start > start:
        return moved
    return gap.new_start if start <= gap.end else start + gap.new_end - gap.end


def _end_after(gap: Gap, end: int, moved: int) -> int:
    if gap.start > end:
        return moved
    return gap.new_end if end <= gap.end else end + gap.new_end - gap.end
