"""Islands: texts of other languages inside a document, each with a tree of its own.

The islands of picireny-2016 (section 3): lexer tokens of the host's grammar that have a structure by
other rules, as a script in HTML. Each is parsed with its own grammar, over the whole text and only in
its ranges, so that its nodes' offsets are those of the document; that happens when its tree is asked
for, which is never for most candidates. Islands have islands: HTML in Markdown, JavaScript in that.

Ranges of a text: the pieces that one parse is about, and where edits move them.
"""

from __future__ import annotations

import bisect
import re
from typing import TYPE_CHECKING

from tree_sitter import Parser, Range

from pollard.syntax.islands.injections import injections
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Shift, apply

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tree_sitter import Language, Node

    from pollard.syntax.islands.injections import Injection
    from pollard.syntax.tree.edits import Edit

    Span = tuple[int, int]


def moved(ranges: Sequence[Span], edits: Sequence[Edit], shift: Shift) -> list[Span]:
    """Return where ranges are after edits; new text in the place of several of them is theirs."""
    spans = [(shift.at(start), shift.end_at(end)) for start, end in ranges]
    if ranges:
        first, last = ranges[0][0], ranges[-1][1]
        for edit in edits:
            if edit.new and first <= edit.start < edit.end <= last:
                end = shift.at(edit.end)
                spans.append((end - len(edit.new), end))
    joined: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def shared(ranges: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """Return the bytes that are in ranges of both; both are in order and disjoint."""
    ends = [end for _, end in others]
    found: list[Span] = []
    for start, end in ranges:
        place = bisect.bisect_right(ends, start)
        while place < len(others) and others[place][0] < end:
            found.append((max(start, others[place][0]), min(end, others[place][1])))
            place += 1
    return found


def included(text: bytes, spans: Sequence[Span]) -> list[Range]:
    """Return spans as the parser wants them; one that is empty where there is none."""
    ranges: list[Range] = []
    place = row = 0
    points = []
    for offset in (offset for span in spans or ((0, 0),) for offset in span):
        row += text.count(b"\n", place, offset)
        place = offset
        points.append((row, offset - text.rfind(b"\n", 0, offset) - 1))
    for number, (start, end) in enumerate(spans or ((0, 0),)):
        ranges.append(Range(points[2 * number], points[2 * number + 1], start, end))
    return ranges


_VISIBLE = re.compile(rb"\S")
# A string with one is not the text that it stands for.
_ESCAPE = "escape_sequence"
# A grammar may find itself in what it parses.
_DEEPEST = 6
# What is parsed as another language is a leaf, or nearly one. Each step up is a walk from the root.
_STEPS = 16


class Island(Document):
    """A document of which only `ranges` (start, end) are parsed; the rest of the text is its host's.

    `host` is the span of the node that takes its tree in and `kind` that node's kind; `content` says
    whether that node is itself what is parsed. `guests` are nodes of the host's tree in the middle of
    the island, as the `${x}` of a template; with `whole` there are none, and the children of the
    content are parsed too. `depth` is 1 for an island in a document.
    """

    __slots__ = ("content", "depth", "guests", "host", "kind", "ranges", "whole")

    def __init__(self, parent: Document, injection: Injection, ranges: Sequence[Span]) -> None:
        super().__init__(parent.text, injection.language, cancelled=parent._cancelled)
        self.ranges = ranges
        self.host = injection.host.byte_range
        self.kind = injection.host.kind_id
        self.content = injection.contents == (injection.host,)
        self.whole = injection.whole
        self.guests = tuple(injection.guests())
        self.depth = _depth(parent) + 1
        self.__dict__["_line_starts"] = parent._line_starts

    @property
    def _length(self) -> int:
        return sum(end - start for start, end in self.ranges)

    def _parser(self) -> Parser:
        return Parser(self.language, included_ranges=included(self.text, self.ranges))

    def edited(self, edits: Sequence[Edit]) -> Island:
        """Return the island with ordered, disjoint `edits` of the text made.

        What was parsed still is, and the edits' new text where it is inside.
        """
        return self._edited(edits, apply(self.text, edits))

    def _edited(self, edits: Sequence[Edit], text: bytes) -> Island:
        made = Island.__new__(Island)
        Document.__init__(
            made,
            text,
            self.language,
            cancelled=self._cancelled,
            _base=self._as_base,
            _edits=edits,
        )
        shift = Shift(edits)
        made.ranges = moved(self.ranges, edits, shift)
        made.host = (shift.at(self.host[0]), shift.end_at(self.host[1]))
        made.kind, made.content, made.whole = self.kind, self.content, self.whole
        made.guests, made.depth = (), self.depth
        return made

    def after(self, edits: Sequence[Edit], document: Document) -> Island | None:
        """Return what `edits`, which made `document` of its host's, made of the island.

        None if its text is as before, if there is none left, or if what is left is no longer in that
        language: as text of its host's it is judged there.
        """
        now = self._edited(edits, document.text)
        place = now._first_visible()
        if place is None:
            return None
        host = _ancestor(document.root, place, self.kind)
        if host is not None and (not self.content or now._is_all_of(host)):
            if self.content:
                now.ranges = _parsed_ranges(document, (host,), whole=self.whole)
            return now if now.ranges and self._is_changed_by(edits) else None
        other = _find(document, (place, place + 1)).holding(place, place + 1)
        return other if other is not None and other.language == self.language else None

    def _first_visible(self) -> int | None:
        for start, end in self.ranges:
            if found := _VISIBLE.search(self.text, start, end):
                return found.start()
        return None

    def _is_all_of(self, host: Node) -> bool:
        """Whether it begins and ends where its host does, but for white space."""
        (first, last), text = (self.ranges[0][0], self.ranges[-1][1]), self.text
        starts, ends = sorted((first, host.start_byte)), sorted((last, host.end_byte))
        return not text[slice(*starts)].strip() and not text[slice(*ends)].strip()

    def _is_changed_by(self, edits: Sequence[Edit]) -> bool:
        return any(
            edit.start < end and start < edit.end for edit in edits for start, end in self.ranges
        )


class Islands:
    """The islands of one document."""

    def __init__(self, islands: Iterable[Island]) -> None:
        pieces = sorted(
            ((start, -end, island) for island in islands for start, end in island.ranges),
            key=lambda piece: piece[:2],
        )
        apart = _disjoint(pieces)
        self._pieces = [(s, -e, island) for s, e, island in pieces if island in apart]
        self._starts = [start for start, _, _ in self._pieces]
        self._ends = [end for _, end, _ in self._pieces]
        self._by_host: dict[Span, Island] = {}
        for _, _, island in self._pieces:
            self._by_host.setdefault(island.host, island)

    def __iter__(self) -> Iterator[Island]:
        return iter(self._by_host.values())

    def at(self, span: Span) -> Island | None:
        """Return the island whose host has just that span."""
        return self._by_host.get(span)

    def holding(self, start: int, end: int) -> Island | None:
        """Return the island that has a span in one of its ranges; an empty one not at its border."""
        place = bisect.bisect_right(self._starts, start) - 1
        if place < 0 or end > self._ends[place]:
            return None
        if start == end and start in (self._starts[place], self._ends[place]):
            return None
        return self._pieces[place][2]

    def beside(self, edits: Iterable[Edit]) -> Iterable[Island]:
        """Return the islands that edits overlap or touch."""
        found: dict[Island, None] = {}
        for edit in edits if self._pieces else ():
            first = bisect.bisect_left(self._ends, edit.start)
            last = bisect.bisect_right(self._starts, edit.end)
            found.update((piece[2], None) for piece in self._pieces[first:last])
        return found


def _disjoint(pieces: Iterable[tuple[int, int, Island]]) -> set[Island]:
    """Return the islands no part of which is in a piece before it; the others are left out."""
    islands: set[Island] = set()
    overlapping: set[Island] = set()
    reached = 0
    for start, end, island in pieces:
        islands.add(island)
        if start < reached:
            overlapping.add(island)
        else:
            reached = -end
    return islands - overlapping


NOWHERE = Islands(())


def islands_of(document: Document) -> Islands:
    """Return the islands of a document; looked for once, and none of them is parsed for that."""
    return document.once(_find)


def innermost(document: Document, start: int, end: int) -> Document:
    """Return the island, or the island's island ..., that a span is in; else the document."""
    while (island := islands_of(document).holding(start, end)) is not None:
        document = island
    return document


def language_at(document: Document, start: int, end: int) -> Language | None:
    """Return the language of a span; looks for no islands but there, and keeps none."""
    while (island := _find(document, (start, end)).holding(start, end)) is not None:
        document = island
    return document.language


def _find(document: Document, span: Span | None = None) -> Islands:
    if document.language is None or not document.has_islands or _depth(document) >= _DEEPEST:
        return NOWHERE
    islands = []
    for injection in injections(document, span):
        ranges = _parsed_ranges(document, injection.contents, whole=injection.whole)
        if any(document.text[start:end].strip() for start, end in ranges):
            islands.append(Island(document, injection, ranges))
    return Islands(islands) if islands else NOWHERE


def _depth(document: Document) -> int:
    return document.depth if isinstance(document, Island) else 0


def _parsed_ranges(document: Document, contents: Iterable[Node], *, whole: bool) -> list[Span]:
    """Return what is parsed: nothing if that is not the text that it stands for."""
    ranges: list[Span] = []
    for node in contents:
        place = node.start_byte
        for child in () if whole else node.named_children:
            if child.type == _ESCAPE:
                return []
            if child.start_byte < child.end_byte:
                ranges.append((place, child.start_byte))
                place = child.end_byte
        ranges.append((place, node.end_byte))
    ranges = [span for span in ranges if span[0] < span[1]]
    return shared(ranges, document.ranges) if isinstance(document, Island) else ranges


def _ancestor(root: Node, place: int, kind: int) -> Node | None:
    """Return the nearest node of a kind at, or a few steps above, what is at a place."""
    node = root.descendant_for_byte_range(place, place + 1)
    for _ in range(_STEPS):
        if node is None or node.kind_id == kind:
            return node
        node = node.parent
    return None
