"""Edits that keep the author's layout: emptied lines go, blanks do not pile up, tokens stay apart.

Picireny showed that a reduced text is read by people and should look like the original one
(picireny-2016, section 3, unparsing). Here nothing is unparsed: all bytes that no edit touches stay
as they are, and only the blanks around an edit are tidied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.edits import Edit, join

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pollard.syntax.document import Document

_BLANK = b" \t"
_LINE_END = b"\r\n"
_QUOTES = frozenset(b"\"'`")
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$") | frozenset(
    range(0x80, 0x100)
)
_DIGITS = frozenset(b"0123456789")
_OPERATORS = frozenset(b"+-*/%=<>!&|^~?:.#@\\")
_OPENING = frozenset(b"([{")
_CLOSING = frozenset(b",;)]}")


class Layout:
    """Tidies edits of one document; `span` (start, end) is all that they may touch."""

    def __init__(self, document: Document, span: tuple[int, int]) -> None:
        self._document = document
        self._text = document.text
        self._start, self._end = span
        self._significant: dict[int, bool] = {}

    def tidy(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """Return ordered, disjoint edits that do the same and leave the layout in order."""
        return join(self._tidied(edit) for edit in self._without_blank_gaps(edits))

    def _without_blank_gaps(self, edits: Iterable[Edit]) -> list[Edit]:
        """Join deletions with only white space between them, so that they empty lines together."""
        joined: list[Edit] = []
        for edit in join(edits):
            last = joined[-1] if joined else None
            if last and not last.new and not edit.new and self._is_blank(last.end, edit.start):
                joined[-1] = Edit(last.start, edit.end)
            else:
                joined.append(edit)
        return joined

    def _is_blank(self, start: int, end: int) -> bool:
        between = self._text[start:end]
        return not between.strip() and self._blank_after(start, between) == len(between)

    def _blank_after(self, start: int, between: bytes) -> int:
        return 0 if between and self.in_leaf(start, start + len(between)) else len(between)

    def _tidied(self, edit: Edit) -> Edit:
        if edit.new:
            return self._spaced(edit, edit.new)
        text, end = self._text, edit.end
        left = self._blanks_before(edit.start)
        begins_line = left == 0 or text[left - 1] in _LINE_END
        if end > edit.start and text[end - 1] in b"\n":
            return self._whole_lines(edit, left, begins_line=begins_line)
        right = self._blanks_after(end)
        ends_line = right == len(text) or text[right] in _LINE_END
        if begins_line and ends_line:
            return self._emptied_lines(left, right)
        if begins_line:
            return self._clamped(edit.start, right)
        if ends_line:
            return self._clamped(left, end)
        return self._inside_line(edit, left, right)

    def _whole_lines(self, edit: Edit, left: int, *, begins_line: bool) -> Edit:
        """Delete a span that takes its line end along, as preprocessor directives do."""
        if begins_line:
            return self._clamped(left, edit.end)
        end = edit.end - len(self._newline_before(edit.end))
        return self._clamped(left, max(end, left))

    def _emptied_lines(self, left: int, right: int) -> Edit:
        """Delete whole lines; at the end of the text so that its final newline stays as it is."""
        after = self._newline_after(right)
        if after:
            return self._clamped(left, right + len(after))
        return self._clamped(left - len(self._newline_before(left)), right)

    def _inside_line(self, edit: Edit, left: int, right: int) -> Edit:
        text = self._text
        before, after = text[left - 1], text[right]
        if left < edit.start and right > edit.end:
            return self._clamped(edit.start, right)
        if left < edit.start and after in _CLOSING:
            return self._clamped(left, edit.end)
        if right > edit.end and before in _OPENING:
            return self._clamped(edit.start, right)
        if left == edit.start and right == edit.end:
            return self._spaced(edit, b"")
        return edit

    def _spaced(self, edit: Edit, new: bytes) -> Edit:
        """Add blanks where the edit's new text, or none, would glue two tokens together."""
        before = self._text[edit.start - 1 : edit.start]
        after = self._text[edit.end : edit.end + 1]
        if not new:
            glued = _glue(before, after) and not self._blank_is_content(edit.start)
            return Edit(edit.start, edit.end, b" " if glued else b"")
        if _glue(before, new[:1]) and not self._blank_is_content(edit.start):
            new = b" " + new
        if _glue(new[-1:], after) and not self._blank_is_content(edit.end):
            new += b" "
        return Edit(edit.start, edit.end, new)

    def _blanks_before(self, offset: int) -> int:
        left = offset
        while left > self._start and self._text[left - 1] in _BLANK:
            left -= 1
        return offset if left < offset and self.in_leaf(left, offset) else left

    def _blanks_after(self, offset: int) -> int:
        right = offset
        while right < self._end and self._text[right] in _BLANK:
            right += 1
        return offset if right > offset and self.in_leaf(offset, right) else right

    def in_leaf(self, start: int, end: int) -> bool:
        """Tell whether the bytes belong to a token (a string, a comment): then they are no layout."""
        if self._document.tree is None:
            return False
        node = self._document.root.descendant_for_byte_range(start, end)
        return node is not None and node.child_count == 0 and node.parent is not None

    def _blank_is_content(self, offset: int) -> bool:
        """Whether a blank inserted here would become part of a token, as inside a string.

        One parse tells.
        """
        if self._document.tree is None:
            return False
        if offset not in self._significant:
            spaced = self._document.edited((Edit(offset, offset, b" "),))
            leaf = spaced.root.descendant_for_byte_range(offset, offset + 1)
            self._significant[offset] = (
                leaf is not None and leaf.child_count == 0 and leaf.parent is not None
            )
        return self._significant[offset]

    def _newline_after(self, offset: int) -> bytes:
        return next((n for n in (b"\r\n", b"\n", b"\r") if self._text.startswith(n, offset)), b"")

    def _newline_before(self, offset: int) -> bytes:
        return next((n for n in (b"\r\n", b"\n", b"\r") if self._text.endswith(n, 0, offset)), b"")

    def _clamped(self, start: int, end: int) -> Edit:
        return Edit(max(start, self._start), min(end, self._end))


def _glue(before: bytes, after: bytes) -> bool:
    """Whether two bytes side by side could be read as one token, or start a comment."""
    if not before or not after:
        return False
    left, right = before[0], after[0]
    if left in _WORD:
        return right in _WORD or right in _QUOTES or (left in _DIGITS and right == ord("."))
    if right in _WORD:
        return left in _QUOTES or (left == ord(".") and right in _DIGITS)
    return left in _OPERATORS and right in _OPERATORS
