"""White space as a person would write it: no blank lines, and lines indented by their nesting.

A reduction leaves blank lines, blanks and indentation where the text around them went. `Respacing`
finds the edits of white space that clean up a whole document, from the syntax tree and from the
document's own indentation: a line stays deeper than the line that it belongs to, by one step.

`structure` is what such edits must not change.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.islands.islands import Island, innermost, islands_of
from pollard.syntax.layout.blanks import BOM, is_content, is_own_content
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document

    Span = tuple[int, int]

_GAP = re.compile(rb"[ \t\r\n\v\f]+")
_LINE_END = re.compile(rb"\r\n|\n|\r")
_CONTINUATION = b"\\"
_TAB_COLUMNS = 8
_MAX_BLANKS_BEFORE_COMMENT = 2
_STEP_COLUMNS = (4, 2, 3)  # the most usual one first
_CLOSER_KIND = re.compile(r"[)\]}]|end|.*(end_tag|ETag)")
# Nodes that may stand as far left as the braces around them, and what is around such braces.
_FLUSH_KIND = re.compile("case|label|default|access_specifier")
_FLUSH_AROUND_KIND = re.compile("namespace|linkage")
_DIRECTIVE_KIND = "preproc"


class TextLine(NamedTuple):
    """A line that does not begin inside a token: `start` is the offset of its first visible byte.

    `gap` is the white space before, with the line end; `is_fixed` says that it must not change.
    """

    start: int
    indentation: bytes
    gap: tuple[int, int]
    is_fixed: bool

    @property
    def columns(self) -> int:
        """The width of the indentation, with tabs of 8 columns."""
        return columns(self.indentation)


class _LineOwner(NamedTuple):
    """What a line belongs to: the number of an earlier line (-1: none), and nodes of the tree.

    `node` is the outermost one that begins with the line, `parent` the one around it.
    """

    owner: int
    node: Node | None = None
    parent: Node | None = None


def columns(indentation: bytes) -> int:
    """Return the width of blanks and tabs, with tabs of 8 columns."""
    return len(indentation.expandtabs(_TAB_COLUMNS))


def without_blank_lines(text: bytes, span: Span) -> list[Edit]:
    """Return edits that remove blank lines and trailing blanks, in strings as well."""
    edits = []
    for found in _GAP.finditer(text, *span):
        gap, ends = found[0], list(_LINE_END.finditer(found[0]))
        line_end = ends[0][0] if ends and found.start() > _start_of(text) else b""
        indentation = gap[ends[-1].end() :] if found.end() < len(text) and ends else b""
        new = line_end + indentation if ends or found.end() == len(text) else gap
        if new != gap:
            edits.append(Edit(*found.span(), new))
    return edits


def structure(document: Document) -> list[tuple[int, str, bytes]]:
    """Return the depth, kind and text of each node, those of islands last: all but their places."""
    found: list[tuple[int, str, bytes]] = []
    islands = islands_of(document)
    cursor, depth, is_ahead = document.root.walk(), 0, True
    while is_ahead:
        node = cursor.node
        assert node is not None
        entry = (depth, f"missing {node.type}" if node.is_missing else node.type, b"")
        if cursor.goto_first_child():
            found.append(entry)
            depth += 1
            continue
        text = document.text[node.start_byte : node.end_byte]
        if islands.touched_by((Edit(node.start_byte, node.end_byte),)):
            text = _GAP.sub(b"", text)
        elif not text.strip() and not is_own_content(document, node.start_byte, node.end_byte):
            text = b""
        new = (depth, entry[1], text)
        is_continuation = node.is_extra and text.strip() == _CONTINUATION
        if not is_continuation and (text.strip() or found[-1:] != [new]):
            found.append(new)
        while not cursor.goto_next_sibling():
            depth -= 1
            if not cursor.goto_parent():
                is_ahead = False
                break
    for island in islands:
        found += structure(island)
    return found


class Respacing:
    """Cleans up the white space of a document with a grammar, inside `span`."""

    def __init__(self, document: Document, span: Span) -> None:
        self.document, self.text, self.span = document, document.text, span
        self.start = _start_of(document.text)
        self._gaps = [found.span() for found in _GAP.finditer(self.text) if self._is_free(found)]
        self.lines = list(self._found_lines())
        self._starts = [line.start for line in self.lines]

    def edits(self) -> list[Edit]:
        """Return edits that remove blank lines, surplus blanks and needless indentation."""
        return self._changes(
            [Edit(*gap, self._respaced(*gap, indented=True)) for gap in self._gaps]
        )

    def careful_edits(self, *, blank_lines: int) -> list[Edit]:
        """Return edits that leave indentation as it is, and so many blank lines where there are any.

        `blank_lines` is 0 or 1.
        """
        edits = []
        for gap in self._gaps:
            new = self._respaced(*gap, indented=False)
            has_blank_lines = len(_LINE_END.findall(self.text, *gap)) > 1
            if blank_lines and has_blank_lines and self.start < gap[0] and gap[1] < len(self.text):
                new = self.line_end + new
            edits.append(Edit(*gap, new))
        return self._changes(edits)

    def _changes(self, edits: list[Edit]) -> list[Edit]:
        return [edit for edit in edits if self.text[edit.start : edit.end] != edit.new]

    def line_at(self, offset: int) -> int:
        """Return the number of the line that an offset is in."""
        return max(bisect_right(self._starts, offset) - 1, 0)

    def indentation_at(self, offset: int) -> bytes:
        """Return the new indentation of the line that an offset is in.

        There are no lines where every line begins with content, as between a template's tags.
        """
        return self.indentations[self.line_at(offset)] if self.lines else b""

    @cached_property
    def line_end(self) -> bytes:
        """The document's first line end."""
        found = _LINE_END.search(self.text)
        return found[0] if found else b"\n"

    @cached_property
    def indentations(self) -> list[bytes]:
        """The new indentation of each line."""
        found: list[bytes] = []
        for line, place in zip(self.lines, self._places, strict=True):
            if line.is_fixed:
                found.append(line.indentation)
            else:
                found.append(self._indented(line, place, found) if place.owner >= 0 else b"")
        return found

    def _is_free(self, found: re.Match[bytes]) -> bool:
        """Return whether white space is layout inside the span: a token or nothing is on each side.

        Text of which no token is made is content, such as that of a string in some grammars.
        """
        start, end = found.span()
        if start < self.span[0] or end > self.span[1] or self.text[start - 1 : start] == b"\\":
            return False
        if is_content(self.document, start, end):
            return False
        root = innermost(self.document, start, end).root
        beside = ((start - 1, start), (end, end + 1))
        return all(
            right <= root.start_byte or left >= root.end_byte or _is_token(root, left, right)
            for left, right in beside
        )

    def _found_lines(self) -> Iterator[TextLine]:
        free = set(self._gaps)
        if not _GAP.match(self.text, self.start):
            yield TextLine(self.start, b"", (self.start, self.start), is_fixed=True)
        for found in _GAP.finditer(self.text):
            gap, ends = found.span(), list(_LINE_END.finditer(found[0]))
            begins = bool(ends) or gap[0] == self.start
            if begins and gap[1] < len(self.text) and not is_content(self.document, *gap):
                indentation = found[0][ends[-1].end() if ends else 0 :]
                yield TextLine(gap[1], indentation, gap, gap not in free)

    def _respaced(self, start: int, end: int, *, indented: bool) -> bytes:
        newline = _LINE_END.search(self.text, start, end)
        line_end = newline[0] if newline and start > self.start else b""
        if end == len(self.text):
            return line_end
        if newline or start == self.start:
            number = self.line_at(end)
            old, new = self.lines[number].indentation, self.indentations[number]
            return line_end + (new if indented else old)
        if self._begins_comment(end):
            return self.text[start : min(start + _MAX_BLANKS_BEFORE_COMMENT, end)]
        return b"" if self.begins_separator(end) else self.text[start : start + 1]

    def _begins_comment(self, offset: int) -> bool:
        node = self.document.root.descendant_for_byte_range(offset, offset + 1)
        return node is not None and "comment" in node.type

    def begins_separator(self, offset: int) -> bool:
        """Return whether a token is a semicolon or a comma, before which people write no blank."""
        if self.text[offset : offset + 1] not in (b";", b","):
            return False
        node = innermost(self.document, offset, offset + 1).root
        leaf = node.descendant_for_byte_range(offset, offset + 1)
        return leaf is not None and leaf.byte_range == (offset, offset + 1)

    @cached_property
    def _places(self) -> list[_LineOwner]:
        return [self._place(number) for number in range(len(self.lines))]

    def _place(self, number: int) -> _LineOwner:
        start = self.lines[number].start
        document = innermost(self.document, start, start + 1)
        node = document.root.descendant_for_byte_range(start, start + 1)
        while node is not None and (parent := node.parent) is not None:
            is_earlier = self.line_at(parent.start_byte) < number
            if is_earlier and not parent.type.startswith(_DIRECTIVE_KIND):
                is_top = parent.parent is None and not isinstance(document, Island)
                return _LineOwner(-1 if is_top else self.line_at(parent.start_byte), node, parent)
            node = parent
        if not isinstance(document, Island):
            return _LineOwner(-1)
        host = self.line_at(max(document.host.span[0] - 1, 0))
        return _LineOwner(host if host < number else -1)

    def _indented(self, line: TextLine, place: _LineOwner, found: list[bytes]) -> bytes:
        owner, base = self.lines[place.owner], found[place.owner]
        if place.node is not None and place.parent is not None:
            if place.node.end_byte == place.parent.end_byte and _CLOSER_KIND.fullmatch(
                place.node.type
            ):
                return base
            if not line.columns and place.node.type.startswith((_DIRECTIVE_KIND, "#")):
                return b""
            offset = place.parent.start_byte - owner.start
            if ends_with_bracket(place.parent):
                is_flush = _is_flush(line, owner, place)
                return base if is_flush else base + self._step
            if offset > 0 and line.columns == owner.columns + offset:
                return base + b" " * offset  # aligned with its node, as layout in Haskell must be
        return base + self._step if line.columns > owner.columns else base

    @cached_property
    def _step(self) -> bytes:
        """One level of indentation: a tab, or the most frequent step of the document."""
        indented = [line for line in self.lines if line.indentation]
        if 2 * sum(line.indentation.startswith(b"\t") for line in indented) > len(indented):
            return b"\t"
        counts = Counter(
            line.columns - self.lines[place.owner].columns
            for line, place in zip(self.lines, self._places, strict=True)
            if place.owner >= 0
        )
        return b" " * max(_STEP_COLUMNS, key=lambda step: counts[step])


def _is_token(root: Node, start: int, end: int) -> bool:
    node = root.descendant_for_byte_range(start, end)
    return node is not None and not node.child_count and node.parent is not None


def ends_with_bracket(node: Node) -> bool:
    """Return whether a node's last token is a closing bracket of its own."""
    last = node.children[-1] if node.child_count else None
    return last is not None and last.type in (")", "]", "}")


def _is_flush(line: TextLine, owner: TextLine, place: _LineOwner) -> bool:
    """Return whether a line was as far left as the braces around it, where that is usual."""
    assert place.node is not None
    assert place.parent is not None
    above = place.parent.parent
    is_usual = _FLUSH_KIND.search(place.node.type) or (
        above is not None and _FLUSH_AROUND_KIND.search(above.type)
    )
    return bool(is_usual) and line.columns <= owner.columns


def _start_of(text: bytes) -> int:
    return len(BOM) if text.startswith(BOM) else 0
