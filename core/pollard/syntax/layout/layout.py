"""Edits that keep the author's layout: empty lines and extra blanks go, tokens stay apart.

People read a reduced text, so it should look like the original (picireny-2016, section 3,
unparsing). Picireny prints a text from the reduced tree. Pollard changes only the white space
around an edit; all other bytes stay as they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.islands.islands import innermost
from pollard.syntax.layout.blanks import BLANK, LINE_END, Blanks, is_own_content
from pollard.syntax.tree.edits import Edit, join

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pollard.syntax.tree.document import Document


_QUOTE_BYTES = frozenset(b"\"'`")
_WORD_BYTES = frozenset(
    b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$"
) | frozenset(range(0x80, 0x100))
_OPERATOR_BYTES = frozenset(b"+-*/%=<>!&|^~?:.#@\\")
_OPENING_BYTES = frozenset(b"([{")
_CLOSING_BYTES = frozenset(b",;)]}")
_BRACKET_BYTES = _OPENING_BYTES | _CLOSING_BYTES
# People write no blank after bytes of the first set, and none before bytes of the second.
_TIGHT_AFTER = _OPENING_BYTES | frozenset(b"<")
_TIGHT_BEFORE = _CLOSING_BYTES | frozenset(b">:")
_NON_BLANK = re.compile(rb"[^ \t]")
_TOKEN_BYTES = _WORD_BYTES | _QUOTE_BYTES | _OPERATOR_BYTES
# In texts up to this size a parse for each edit that might glue tokens is cheap (0.1 ms).
_MAX_PARSED_BYTES = 30_000


class Layout:
    """Tidies edits of one document, and changes only bytes inside `span` (start, end).

    `entailed` returns what has to change as well when edits are made, outside of them.
    """

    def __init__(
        self,
        document: Document,
        span: tuple[int, int],
        entailed: Callable[[Sequence[Edit]], Iterable[Edit]] = lambda _: (),
    ) -> None:
        self.text = self._text = document.text
        self.span = span
        self._document = document
        self._start, self._end = span
        self._entailed = entailed
        self._blanks = Blanks(document, *span)
        self._gaps: dict[tuple[int, int], bool] = {}
        self._tidied_edits: dict[Edit, Edit] = {}
        self._content_if_blank: dict[int, bool] = {}

    def tidy(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """Return edits, in order and disjoint, with the same effect and the white space tidied."""
        joined = join(edits)
        if more := [edit for edit in self._entailed(joined) if self._is_inside(edit)]:
            joined = join([*joined, *more])
        on_lines = self._joined(joined, across=False)
        return join(self._tidied(edit) for edit in self._joined(on_lines, across=True))

    def is_content(self, start: int, end: int) -> bool:
        """Return whether white space belongs to a token or a string, and is thus no layout."""
        return self._blanks.are_content(start, end)

    def outdented(self, start: int, end: int, place: int, *, whole: bool = False) -> Iterator[Edit]:
        """Yield edits that move the lines of a span left, as if the span began at `place`.

        They change lines that are indented at least as deep as the span's first one, but the first
        line itself only if `whole` is set. If `place` is not indented less, there are none.
        """
        old, new = self._indentation(start), self._indentation(place)
        if len(new) >= len(old):
            return
        first = self._document.line_start(start)
        for line in self._document.line_starts_between(first - whole, end):
            if self._text.startswith(old, line) and not self.is_content(line, line + 1):
                yield Edit(line + len(new), line + len(old))

    def _is_inside(self, edit: Edit) -> bool:
        return self._start <= edit.start and edit.end <= self._end

    def _indentation(self, offset: int) -> bytes:
        line = self._text[self._document.line_start(offset) : offset]
        return line[: len(line) - len(line.lstrip(BLANK))]

    def _joined(self, edits: Sequence[Edit], *, across: bool) -> Sequence[Edit]:
        """Join deletions with only white space between them: together they may empty lines."""
        joined: list[Edit] = []
        for edit in edits:
            if joined and self._belong_together(joined[-1], edit, across=across):
                joined[-1] = Edit(joined[-1].start, edit.end)
            else:
                joined.append(edit)
        return joined

    def _belong_together(self, last: Edit, edit: Edit, *, across: bool) -> bool:
        """Return whether two edits are deletions to join.

        Deletions on different lines are joined only if `across` is set, and if nothing is left of the
        second one's line, since text that is left must keep its indentation.
        """
        if self._text[last.end : edit.start].strip() or not (
            self._deletes(last) and self._deletes(edit)
        ):
            return False
        broken = any(byte in LINE_END for byte in self._text[last.end - 1 : edit.start])
        if broken and not (across and self._blanks.ends_line(self._blanks.end_of_blanks(edit.end))):
            return False
        gap = (last.end, edit.start)
        if gap not in self._gaps:
            self._gaps[gap] = not self.is_content(*gap)
        return self._gaps[gap]

    def _deletes(self, edit: Edit) -> bool:
        """Return whether an edit deletes more than blanks; edits of blanks are left as they are."""
        return not edit.new and _NON_BLANK.search(self._text, edit.start, edit.end) is not None

    def _tidied(self, edit: Edit) -> Edit:
        if edit not in self._tidied_edits:
            self._tidied_edits[edit] = (
                self._tidied_deletion(edit) if self._deletes(edit) else self._spaced(edit)
            )
        return self._tidied_edits[edit]

    def _tidied_deletion(self, edit: Edit) -> Edit:
        blanks = self._blanks
        edit = Edit(self._unsplit(edit.start), self._unsplit(edit.end))
        left, right = blanks.start_of_blanks(edit.start), blanks.end_of_blanks(edit.end)
        begins_line, ends_line = blanks.begins_line(left), blanks.ends_line(right)
        if self._text[edit.end - 1] in LINE_END:
            return self._with_line_end(edit, left, begins_line=begins_line)
        if begins_line and ends_line:
            return self._emptied_lines(left, right)
        if begins_line:
            return self._clamped(edit.start, right)
        if ends_line:
            return self._clamped(left, edit.end)
        return self._inside_line(edit, left, right)

    def _unsplit(self, offset: int) -> int:
        """Return the offset, moved before a CRLF that it splits: many grammars end comments there."""
        inside = self._text[max(offset - 1, 0) : offset + 1] == b"\r\n"
        return offset - 1 if inside else offset

    def _with_line_end(self, edit: Edit, left: int, *, begins_line: bool) -> Edit:
        """Delete a span that includes its line end, as preprocessor directives do."""
        if begins_line:
            return self._whole_lines(left, edit.end)
        end = edit.end - len(self._blanks.newline_before(edit.end))
        return self._clamped(left, max(end, left))

    def _emptied_lines(self, left: int, right: int) -> Edit:
        """Delete whole lines. At the end of the text, keep its final newline or its lack of one."""
        blanks = self._blanks
        above = left - len(blanks.newline_before(left))
        if self._continues(above):
            return self._clamped(blanks.start_of_blanks(above - 1), right)
        if after := blanks.newline_after(right):
            return self._whole_lines(left, right + len(after))
        left = blanks.start_of_blank_lines(left)
        if not blanks.ends_node(left):
            left -= len(blanks.newline_before(left))
        return self._clamped(left, right)

    def _continues(self, line_end: int) -> bool:
        """Return whether a backslash at the end of a line joins the next line to it."""
        backslash = self._text.endswith(b"\\", 0, line_end)
        return backslash and not self.is_content(line_end - 1, line_end)

    def _whole_lines(self, start: int, end: int) -> Edit:
        """Delete lines, and the blank lines after them if blank lines or nothing come before them."""
        blanks = self._blanks
        if start <= max(self._start, blanks.first) or blanks.start_of_blank_lines(start) < start:
            end = blanks.end_of_blank_lines(end)
        if end == len(self._text):
            start = blanks.start_of_blank_lines(start)
        return self._clamped(start, end)

    def _inside_line(self, edit: Edit, left: int, right: int) -> Edit:
        before, after = self._text[left - 1], self._text[right]
        if self._text[edit.start] in LINE_END and self._blank_is_content(edit.start):
            ending = len(self._blanks.newline_after(edit.start))  # of a comment
            return self._clamped(min(edit.start + ending, edit.end), edit.end)
        if left < edit.start and right > edit.end:
            return self._clamped(edit.start, right)
        closer = edit
        if left < edit.start and after in _TIGHT_BEFORE and before not in _OPENING_BYTES:
            closer = self._clamped(left, edit.end)
        elif right > edit.end and before in _TIGHT_AFTER:
            closer = self._clamped(edit.start, right)
        spaced = self._spaced(closer)
        return edit if closer != edit and spaced.new else spaced

    def _spaced(self, edit: Edit) -> Edit:
        """Add blanks where the edit would otherwise glue two tokens together."""
        left = self._glues(edit, 0)
        right = bool(edit.new) and self._glues(edit, len(edit.new))
        return Edit(edit.start, edit.end, b" " * left + edit.new + b" " * right)

    def _glues(self, edit: Edit, place: int) -> bool:
        """Return whether the bytes around a place in the new text become one token unless separated."""
        begin = max(edit.start - 1, self._blanks.first)
        left = edit.new[place - 1 : place] if place else self._text[begin : edit.start]
        right = edit.new[place : place + 1] or self._text[edit.end : edit.end + 1]
        if not left or not right or not _could_glue(left[0], right[0]):
            return False
        offset = edit.end if place else edit.start
        return self._is_one_token(edit, place, left + right) and not self._blank_is_content(offset)

    def _is_one_token(self, edit: Edit, place: int, around: bytes) -> bool:
        """Return whether the parser reads the bytes around a place in the new text as one token.

        Guess by the kind of bytes if a parse is too costly, if the edit alone causes syntax errors, or
        if two words meet: parsers read `0in` as two tokens where languages forbid it.
        """
        guess = _usually_glue(*around)
        is_costly = self._document.tree is None or len(self._text) > _MAX_PARSED_BYTES
        if is_costly or _WORD_BYTES.issuperset(around):
            return guess
        document = innermost(self._document, edit.start, edit.end)
        edited = document.edited((edit,))
        if edited.has_more_errors_than(document.errors):
            return guess
        seam = edit.start + place
        token = edited.root.descendant_for_byte_range(seam - 1, seam + 1)
        return token is not None and not token.child_count and token.parent is not None

    def _blank_is_content(self, offset: int) -> bool:
        """Return whether a blank inserted here would become part of a token. Needs one parse."""
        if self._document.tree is None:
            return False
        if offset not in self._content_if_blank:
            document = innermost(self._document, offset, offset)
            spaced = document.edited((Edit(offset, offset, b" "),))
            self._content_if_blank[offset] = is_own_content(spaced, offset, offset + 1)
        return self._content_if_blank[offset]

    def _clamped(self, start: int, end: int) -> Edit:
        return Edit(max(start, self._start), min(end, self._end))


def _could_glue(left: int, right: int) -> bool:
    """Return whether two bytes side by side form a token or begin a comment in some language."""
    if left in _BRACKET_BYTES and right in _BRACKET_BYTES:
        return left == right
    opens_comment = left in _OPENING_BYTES and right in _OPERATOR_BYTES
    closes_comment = left in _OPERATOR_BYTES and right in _CLOSING_BYTES
    return opens_comment or closes_comment or (left in _TOKEN_BYTES and right in _TOKEN_BYTES)


def _usually_glue(left: int, right: int) -> bool:
    """Return whether two bytes side by side form one token in most languages."""
    if left in _WORD_BYTES and right in _WORD_BYTES:
        return True
    if left in _OPERATOR_BYTES and right in _OPERATOR_BYTES:
        return True
    return (left in _WORD_BYTES and right in _QUOTE_BYTES) or (
        left in _QUOTE_BYTES and right in _WORD_BYTES | _QUOTE_BYTES
    )
