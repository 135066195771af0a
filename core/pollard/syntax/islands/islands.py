"""Texts in other languages inside a document, each with a tree of its own, and the guard over them.

picireny-2016 (section 3) calls a token an *island* if it has a structure by the rules of another
grammar, such as a script in an HTML page. An island is parsed with that grammar over the whole
text, but with its own bytes as tree-sitter's *included ranges*. Offsets in its tree are therefore
offsets of the document, and an edit of the document is an edit of the island. Islands can contain
islands: HTML in Markdown, and JavaScript in that.

Islands are found once for each accepted document. Their trees are parsed on first use: in a
candidate, only those of the islands that its edits touch.
"""

from __future__ import annotations

import bisect
import re
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Parser, Range

from pollard.syntax.islands.injections import injections
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Shift, apply

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tree_sitter import Language, Node

    from pollard.syntax.tree.edits import Edit

    Span = tuple[int, int]


_VISIBLE = re.compile(rb"\S")
# A string with escapes differs from the text that it denotes, and that text would have to be parsed.
_ESCAPE_KIND = "escape_sequence"
# A grammar may find islands of its own language in what it parses.
_MAX_NESTED_ISLANDS = 6
# How many steps above a leaf the host of an island may be. Each step is a walk from the root.
_MAX_STEPS_TO_HOST = 16


class Host(NamedTuple):
    """The node that an island's tree hangs from, described so that it survives edits.

    `is_content` says whether the island is all of that node, and not some of its children. With
    `include_children` the island's text includes that of the node's named children.
    """

    span: Span
    kind: int
    is_content: bool
    include_children: bool


class Island(Document):
    """The part of a document that is in another language: only the bytes in `ranges` are parsed.

    `guests` are the nodes of the host's tree inside the island, such as the `${x}` of a template
    string. `depth` is 1 for an island in a document, 2 for an island in that island, and so on.
    """

    __slots__ = ("depth", "guests", "host", "ranges")

    def __init__(
        self,
        parent: Document,
        language: Language | None,
        host: Host,
        ranges: Sequence[Span],
        *,
        depth: int,
        guests: Iterable[Node] = (),
    ) -> None:
        super().__init__(parent.text, language, cancelled=parent._cancelled)
        self.host = host
        self.ranges = ranges
        self.guests = tuple(guests)
        self.depth = depth
        self.__dict__["_line_starts"] = parent._line_starts

    @property
    def _length(self) -> int:
        return sum(end - start for start, end in self.ranges)

    def _parser(self) -> Parser:
        spans = self.ranges or ((0, 0),)  # none would mean the whole text
        offsets = [offset for span in spans for offset in span]
        if "_line_starts" in self.__dict__:  # the document's, unless this island was edited
            points = [self.point(offset) for offset in offsets]
        else:
            points = _points(self.text, offsets)
        bounds = zip(points[::2], points[1::2], spans, strict=True)
        ranges = [Range(first, last, start, end) for first, last, (start, end) in bounds]
        return Parser(self.language, included_ranges=ranges)

    def edited(self, edits: Sequence[Edit]) -> Island:
        """Return the island after `edits` of the document, which must be in order and disjoint.

        Its ranges move with the text and take in new text inside them. Guests are not followed.
        """
        return self._edited(edits, apply(self.text, edits))

    def _edited(self, edits: Sequence[Edit], text: bytes) -> Island:
        island = Island.__new__(Island)
        Document.__init__(
            island,
            text,
            self.language,
            cancelled=self._cancelled,
            _base=self._as_base,
            _edits=edits,
        )
        shift = Shift(edits)
        island.ranges = _moved_ranges(self.ranges, edits, shift)
        start, end = self.host.span
        island.host = self.host._replace(span=(shift.at(start), shift.end_at(end)))
        island.guests, island.depth = (), self.depth
        return island

    def after(self, edits: Sequence[Edit], document: Document) -> Island | None:
        """Return the island in `document`, which `edits` derived from the document that it is in.

        Return None if its text did not change or nothing of it is left. Return None, too, if the rest
        is no longer in its language: it belongs to the document then, whose own errors are counted.
        """
        if self._is_deleted_by(edits):  # most islands that a large deletion touches
            return None
        edited = self._edited(edits, document.text)
        place = edited._first_visible()
        if place is None:
            return None
        host = _ancestor(document.root, place, self.host.kind)
        if host is not None and (not self.host.is_content or edited._fills(host)):
            if self.host.is_content:
                include_children = self.host.include_children
                edited.ranges = _parsed_ranges(document, (host,), include_children=include_children)
            return edited if edited.ranges and self._is_changed_by(edits) else None
        other = _find(document, (place, place + 1)).containing(place, place + 1)
        return other if other is not None and other.language == self.language else None

    def _first_visible(self) -> int | None:
        for start, end in self.ranges:
            if found := _VISIBLE.search(self.text, start, end):
                return found.start()
        return None

    def _fills(self, host: Node) -> bool:
        """Return whether the island starts and ends where its host does, apart from white space."""
        (first, last), text = (self.ranges[0][0], self.ranges[-1][1]), self.text
        starts, ends = sorted((first, host.start_byte)), sorted((last, host.end_byte))
        return not text[slice(*starts)].strip() and not text[slice(*ends)].strip()

    def _is_deleted_by(self, edits: Sequence[Edit]) -> bool:
        """Return whether one of the edits deletes all of the island, and inserts nothing."""
        first, last = self.ranges[0][0], self.ranges[-1][1]
        return any(edit.start <= first and last <= edit.end and not edit.new for edit in edits)

    def _is_changed_by(self, edits: Sequence[Edit]) -> bool:
        return any(
            edit.start < end and start < edit.end for edit in edits for start, end in self.ranges
        )


class Islands:
    """The outermost islands of a document, which can be found by their place in the text."""

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
            self._by_host.setdefault(island.host.span, island)

    def __iter__(self) -> Iterator[Island]:
        return iter(self._by_host.values())

    def hosted_at(self, span: Span) -> Island | None:
        """Return the island whose host has exactly this span."""
        return self._by_host.get(span)

    def containing(self, start: int, end: int) -> Island | None:
        """Return the island that contains a span. An empty span at its border is outside."""
        place = bisect.bisect_right(self._starts, start) - 1
        if place < 0 or end > self._ends[place]:
            return None
        if start == end and start in (self._starts[place], self._ends[place]):
            return None
        return self._pieces[place][2]

    def touched_by(self, edits: Iterable[Edit]) -> Iterable[Island]:
        """Return the islands that edits overlap or touch."""
        found: dict[Island, None] = {}
        for edit in edits if self._pieces else ():
            first = bisect.bisect_left(self._ends, edit.start)
            last = bisect.bisect_right(self._starts, edit.end)
            found.update((piece[2], None) for piece in self._pieces[first:last])
        return found


def _disjoint(pieces: Iterable[tuple[int, int, Island]]) -> set[Island]:
    """Return the islands none of whose pieces overlaps an earlier piece."""
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


NO_ISLANDS = Islands(())


def islands_of(document: Document) -> Islands:
    """Return the islands of a document, searched for only once. Parses none of them."""
    return document.once(_find)


def with_islands(document: Document) -> Iterator[Document]:
    """Yield a document, the islands in it, and those in them."""
    yield document
    for island in islands_of(document):
        yield from with_islands(island)


def innermost(document: Document, start: int, end: int) -> Document:
    """Return the innermost island that contains a span, or the document if none does."""
    while (island := islands_of(document).containing(start, end)) is not None:
        document = island
    return document


def language_at(document: Document, start: int, end: int) -> Language | None:
    """Return the language of a span. Searches for islands there only, and remembers none."""
    while (island := _find(document, (start, end)).containing(start, end)) is not None:
        document = island
    return document.language


class IslandGuard:
    """The syntax guard for islands: no island may get more errors than it has in the best document.

    To its host's grammar an island is one token, in which nothing is ever wrong. The islands that a
    candidate's edits touch are therefore parsed by their own grammars, too.
    """

    def __init__(self) -> None:
        self._base: Document | None = None
        self._errors: dict[Island, int] = {}

    def rejects(self, base: Document, edits: Sequence[Edit], candidate: Document) -> bool:
        """Return whether `candidate`, which is `base` after `edits`, has more errors in an island."""
        return any(
            new.has_more_errors_than(self._errors.get(old, old.errors))
            for old, new in _changed(base, edits, candidate)
        )

    def accept(self, base: Document, edits: Sequence[Edit], document: Document) -> None:
        """Remember the errors in `document`, the new best one, which is `base` after `edits`."""
        if base is not self._base:
            self._base, self._errors = base, {}
        for old, new in _changed(base, edits, document):
            if old.errors:
                self._errors[old] = new.errors


def _changed(
    base: Document, edits: Sequence[Edit], candidate: Document
) -> Iterator[tuple[Island, Island]]:
    """Yield each island of `base` that `edits` change, with the same island in `candidate`."""
    for old in islands_of(base).touched_by(edits):
        new = old.after(edits, candidate)
        if new is not None:
            yield old, new
            yield from _changed(old, edits, new)


def _find(document: Document, span: Span | None = None) -> Islands:
    depth = document.depth if isinstance(document, Island) else 0
    if document.language is None or not document.has_islands or depth >= _MAX_NESTED_ISLANDS:
        return NO_ISLANDS
    islands = []
    for injection in injections(document, span):
        node, contents, language, include_children = injection
        ranges = _parsed_ranges(document, contents, include_children=include_children)
        if any(document.text[start:end].strip() for start, end in ranges):
            host = Host(node.byte_range, node.kind_id, contents == (node,), include_children)
            guests = injection.guests()
            islands.append(Island(document, language, host, ranges, depth=depth + 1, guests=guests))
    return Islands(islands) if islands else NO_ISLANDS


def _parsed_ranges(
    document: Document, contents: Iterable[Node], *, include_children: bool
) -> list[Span]:
    """Return the ranges of an island with these contents; none if escapes make the text unusable."""
    ranges: list[Span] = []
    for node in contents:
        place = node.start_byte
        for child in () if include_children else node.named_children:
            if child.type == _ESCAPE_KIND:
                return []
            if child.start_byte < child.end_byte:
                ranges.append((place, child.start_byte))
                place = child.end_byte
        ranges.append((place, node.end_byte))
    ranges = [span for span in ranges if span[0] < span[1]]
    return _intersection(ranges, document.ranges) if isinstance(document, Island) else ranges


def _ancestor(root: Node, place: int, kind: int) -> Node | None:
    """Return the nearest node of a kind at or above the leaf at a place."""
    node = root.descendant_for_byte_range(place, place + 1)
    for _ in range(_MAX_STEPS_TO_HOST):
        if node is None or node.kind_id == kind:
            return node
        node = node.parent
    return None


def _moved_ranges(ranges: Sequence[Span], edits: Sequence[Edit], shift: Shift) -> list[Span]:
    """Return the ranges after edits, with the new text of edits between the first and the last byte."""
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


def _intersection(ranges: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """Return the spans that two lists share, each of which is in order and disjoint."""
    ends = [end for _, end in others]
    found: list[Span] = []
    for start, end in ranges:
        place = bisect.bisect_right(ends, start)
        while place < len(others) and others[place][0] < end:
            found.append((max(start, others[place][0]), min(end, others[place][1])))
            place += 1
    return found


def _points(text: bytes, offsets: Sequence[int]) -> list[tuple[int, int]]:
    """Return the rows and columns of offsets, which are in order, by counting the lines before."""
    points = []
    place = row = 0
    for offset in offsets:
        row += text.count(b"\n", place, offset)
        place = offset
        points.append((row, offset - text.rfind(b"\n", 0, offset) - 1))
    return points
