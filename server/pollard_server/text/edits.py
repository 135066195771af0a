r"""The edits that turn one text into another, as an editor can be sent them.

Editors agree about "\n" and "\r\n". They do not about a "\r" alone: to VS Code it ends a line and
when inserted becomes the document's line end, to Vim and Emacs it is a character. So a text that has
one is replaced as a whole, and no edit begins, ends or inserts in the middle of a "\r\n".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pollard_server.text.changes import Gap, gaps, join
from pollard_server.text.likeness import has_lone_return
from pollard_server.text.positions import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence


def text_edits(old: str, new: str, encoding: lsp.PositionEncodingKind) -> Sequence[lsp.TextEdit]:
    """Return the edits that turn `old` into `new`: ordered, disjoint and small; none if equal."""
    if old == new:
        return []
    lines = Lines(old)
    if has_lone_return(old):
        beyond = lsp.Position(len(lines.starts), 0)
        return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), beyond), new)]
    return [_edit(lines, new, gap, encoding) for gap in changes(old, new)]


def changes(old: str, new: str) -> list[Gap]:
    r"""Return where the texts differ, with every "\r\n" on one side of each border."""
    return join(_around_line_ends(old, new, gap) for gap in gaps(old, new))


def _around_line_ends(old: str, new: str, gap: Gap) -> Gap:
    r"""Widen a gap whose border stands, or would stand, between a "\r" and a "\n"."""
    start, end, new_start, new_end = gap.start, gap.end, gap.new_start, gap.new_end
    if old[max(start - 1, 0) : start] == "\r" and (
        old.startswith("\n", start) or new.startswith("\n", new_start)
    ):
        start, new_start = start - 1, new_start - 1
    if old.startswith("\n", end) and (old.endswith("\r", 0, end) or new.endswith("\r", 0, new_end)):
        end, new_end = end + 1, new_end + 1
    return Gap(start, end, new_start, new_end)


def _edit(lines: Lines, new: str, gap: Gap, encoding: lsp.PositionEncodingKind) -> lsp.TextEdit:
    start = lines.position(gap.start, encoding)
    end = start if gap.end == gap.start else lines.position(gap.end, encoding)
    return lsp.TextEdit(lsp.Range(start, end), new[gap.new_start : gap.new_end])
