"""White space: which of it is layout and which is content, and where blanks and lines begin and end.

White space inside a token or a string is content. The layout must not touch it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.islands.islands import innermost

if TYPE_CHECKING:
    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


BOM = b"\xef\xbb\xbf"
BLANK = b" \t"
LINE_END = b"\r\n"

_NEWLINES = (b"\r\n", b"\n", b"\r")
_BLANK_LINES = re.compile(rb"(?:[ \t]*(?:\r\n|\n|\r))+")
_VISIBLE = re.compile(rb"\S")
# Kinds of nodes in which the white space between children is text.
_STRING_KIND = re.compile("(?<!concatenated_)string|heredoc|quoted")


def is_content(document: Document, start: int, end: int) -> bool:
    """Return whether white space (`start` to `end`) belongs to a token or a string.

    Tokens of only white space are layout (line ends in Go, text between elements in XML), unless they
    are inside a string. Inside an island, the island's own tree decides.
    """
    return document.tree is not None and is_own_content(innermost(document, start, end), start, end)


def is_own_content(document: Document, start: int, end: int) -> bool:
    """Return whether white space belongs to a token or a string, by the document's own tree."""
    root = document.root
    node = root.descendant_for_byte_range(start, end)
    if node is None or node == root:
        return False
    if node.child_count:
        return _is_string(node)
    if _VISIBLE.search(document.text, node.start_byte, node.end_byte):
        return True
    return node.parent is not None and _is_string(node.parent)


def _is_string(node: Node) -> bool:
    return _STRING_KIND.search(node.type) is not None


class Blanks:
    """The white space of a document between `start` and `end`, the part that may be changed."""

    def __init__(self, document: Document, start: int, end: int) -> None:
        self._document = document
        self._text = document.text
        self._start = start
        self._end = end
        self.first = len(BOM) if document.text.startswith(BOM) else 0

    def start_of_blanks(self, offset: int) -> int:
        """Return the offset where the blanks begin that end at `offset`."""
        left = offset
        while left > self._start and self._text[left - 1] in BLANK:
            left -= 1
        return offset if left < offset and self.are_content(left, offset) else left

    def end_of_blanks(self, offset: int) -> int:
        """Return the offset where the blanks end that begin at `offset`."""
        right = offset
        while right < self._end and self._text[right] in BLANK:
            right += 1
        return offset if right > offset and self.are_content(offset, right) else right

    def are_content(self, start: int, end: int) -> bool:
        """Return whether these bytes belong to a token or a string."""
        return is_content(self._document, start, end)

    def begins_line(self, offset: int) -> bool:
        """Return whether a line begins here, and not in the middle of a token."""
        if offset <= self.first:
            return True
        if self._text[offset - 1] not in LINE_END:
            return False
        return offset == len(self._text) or not self.are_content(offset - 1, offset + 1)

    def ends_line(self, offset: int) -> bool:
        """Return whether a line ends here, and not in the middle of a token."""
        if offset == len(self._text):
            return True
        newline = self.newline_after(offset)
        return bool(newline) and not self.are_content(offset, offset + len(newline))

    def newline_after(self, offset: int) -> bytes:
        """Return the line end that begins at `offset`, or nothing."""
        return next((n for n in _NEWLINES if self._text.startswith(n, offset)), b"")

    def newline_before(self, offset: int) -> bytes:
        """Return the line end that ends at `offset`, or nothing."""
        return next((n for n in _NEWLINES if self._text.endswith(n, 0, offset)), b"")

    def start_of_blank_lines(self, offset: int) -> int:
        """Return the offset where the blank lines begin that end at the line start `offset`."""
        while newline := self.newline_before(offset):
            line_end = offset - len(newline)
            left = self.start_of_blanks(line_end)
            if left < self._start or not self.begins_line(left):
                break
            if self.are_content(line_end, offset):
                break
            offset = left
        return offset

    def end_of_blank_lines(self, offset: int) -> int:
        """Return the offset where the blank lines end that begin at the line start `offset`."""
        found = _BLANK_LINES.match(self._text, offset, self._end)
        if not found or self.are_content(offset, offset + 1):
            return offset
        return offset if self.are_content(found.end() - 1, found.end()) else found.end()

    def ends_node(self, offset: int) -> bool:
        """Return whether a node includes the line end before `offset`, as directives in C do."""
        newline = self.newline_before(offset)
        if not newline or self._document.tree is None:
            return False
        root = innermost(self._document, offset - len(newline), offset).root
        node = root.descendant_for_byte_range(offset - len(newline), offset)
        return node is not None and node != root and node.end_byte == offset
