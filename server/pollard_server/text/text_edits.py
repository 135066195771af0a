r"""The edits that turn one text into another, in the form that each editor handles well.

Editors agree about "\n" and "\r\n" but not about a lone "\r". In VS Code it ends a line, and
inserting it makes it the document's line end; in Vim and Emacs it is a character. So a text that
has one is replaced as a whole, and no edit begins, ends or inserts in the middle of a "\r\n".

Neovim makes the edits of one document one by one and may publish each step, and it makes an edit
that touches the end of the document in two steps. What it publishes in between would look like the
user's change. So one edit contains all differences, and avoids the end of the document if possible.

Emacs compares what is replaced with its replacement to keep its markers in place, which takes
minutes if thousands of characters differ. So it gets an edit for each place instead, and publishes
them all together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pollard_server.text.differences import Gap, difference, gaps, joined
from pollard_server.text.positions import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence


def text_edits(
    old: str, new: str, encoding: lsp.PositionEncodingKind, *, apart: bool = False
) -> list[lsp.TextEdit]:
    """Return the edits that turn `old` into a different text `new`: ordered, and not touching.

    By default it is the smallest single edit; if `apart`, one for each place where the texts differ.
    """
    lines = Lines(old)
    if has_lone_return(old):
        beyond = lsp.Position(len(lines.starts), 0)
        return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), beyond), new)]
    found = gaps(old, new) if apart else [_before_last_line_end(old, new, difference(old, new))]
    whole = joined(_around_line_ends(old, new, gap) for gap in found)
    return [_edit(lines, gap, new, encoding) for gap in whole]


def applied(text: str, edits: Sequence[object], encoding: lsp.PositionEncodingKind) -> str:
    """Return `text` after ordered edits that do not touch, as `text_edits` makes them."""
    lines = Lines(text)
    for edit in reversed(edits):  # backwards: all positions are those of the text before
        if isinstance(edit, lsp.TextEdit):
            start, end = (
                lines.offset(each, encoding) for each in (edit.range.start, edit.range.end)
            )
            text = text[:start] + edit.new_text + text[end:]
    return text


def _edit(lines: Lines, gap: Gap, new: str, encoding: lsp.PositionEncodingKind) -> lsp.TextEdit:
    start = lines.position(gap.start, encoding)
    end = start if gap.end == gap.start else lines.position(gap.end, encoding)
    return lsp.TextEdit(lsp.Range(start, end), new[gap.new_start : gap.new_end])


def _around_line_ends(old: str, new: str, gap: Gap) -> Gap:
    r"""Widen a gap with a border between a "\r" and a "\n", before or after the edit."""
    start, end, new_start, new_end = gap.start, gap.end, gap.new_start, gap.new_end
    if old[max(start - 1, 0) : start] == "\r" and (
        old.startswith("\n", start) or new.startswith("\n", new_start)
    ):
        start, new_start = start - 1, new_start - 1
    if old.startswith("\n", end) and (old.endswith("\r", 0, end) or new.endswith("\r", 0, new_end)):
        end, new_end = end + 1, new_end + 1
    return Gap(start, end, new_start, new_end)


def _before_last_line_end(old: str, new: str, gap: Gap) -> Gap:
    """Move a cut or insertion from the very end to before the last line end, if that stays."""
    for end in ("\r\n", "\n"):
        at_the_end = gap.end == len(old) and old.endswith(end) and new.endswith(end)
        if at_the_end and old.endswith(end, 0, gap.start):
            size = len(end)
            return Gap(gap.start - size, gap.end - size, gap.new_start - size, gap.new_end - size)
    return gap


def same_text(left: str, right: str) -> bool:
    """Return whether the texts are the same but for their line ends.

    Two adjacent surrogates count as the character that they form: an editor that uses UTF-16 cannot
    tell the difference.
    """
    return left == right or _normalised(left) == _normalised(right)


def shows(arrived: str, expected: str, before: str) -> bool:
    """Return whether `arrived` is what an editor makes of `expected`, put in place of `before`.

    VS Code gives all lines the document's line end. Vim's buffers end with a line end if the file
    did, and an edit cannot remove it.
    """
    if same_text(arrived, expected):
        return True
    keeps_end = before.endswith(("\n", "\r")) and not expected.endswith(("\n", "\r"))
    return keeps_end and same_text(arrived, expected + "\n")


def is_half_made(arrived: str, expected: str, before: str) -> bool:
    """Return whether `arrived` is an intermediate step of Neovim's from `before` to `expected`.

    Neovim makes an edit that reaches the end of the document in two steps; after the first there is
    one line too many. Such an edit is only sent if it is unavoidable, see `text_edits`.
    """
    end, new_end = _final_line_end(before), _final_line_end(expected)
    needed = end != new_end or has_lone_return(before)
    return bool(needed and end and new_end) and _normalised(arrived) == _normalised(expected) + "\n"


def has_lone_return(text: str) -> bool:
    r"""Return whether there is a "\r" that is not the first half of a "\r\n"."""
    return "\r" in text and text.count("\r") != text.count("\r\n")


def _final_line_end(text: str) -> str:
    return next((end for end in ("\r\n", "\n", "\r") if text.endswith(end)), "")


def _normalised(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
