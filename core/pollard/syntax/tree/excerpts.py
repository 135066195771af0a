"""A short excerpt of a long text, in which an edit fits just as it fits in the whole.

A reparse of a megabyte takes 5 to 70 ms for a single edit, depending on the language, and most
questions of what may be removed are about a few bytes. The excerpt has the nodes around the edit. Of
each long list that holds them it has only the neighbours, the first elements and the last ones.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Edit, Shift, apply

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

# A shorter text is parsed again in less than a millisecond.
_MIN_BYTES = 65_536
# An excerpt that is a larger part of the text is not worth it.
_MAX_PART = 1 / 4
# A list is shortened if it has more nodes. A kind of node is that of elements if it has so many.
_MIN_LIST = 16
_MIN_ELEMENTS = 3
# Blocks of so many neighbours have one excerpt, which then has this many more on either side.
_BLOCK = 4
_MARGIN = 2


class _Siblings(NamedTuple):
    """The children of a node, where each begins, and the kinds that are those of elements."""

    nodes: Sequence[Node]
    starts: Sequence[int]
    elements: frozenset[int]


class Excerpts:
    """The excerpts of one document, of which the last one is kept."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: dict[int, _Siblings] = {}
        self._last: tuple[list[Edit], Document | None] = [], None

    def of(self, edits: Sequence[Edit]) -> tuple[Document, tuple[Edit, ...]] | None:
        """Return an excerpt and the same edits in it; None if the whole text is needed.

        The excerpt has the errors that the whole has in the same places, unless the root is one.
        """
        is_long = len(self._document.text) >= _MIN_BYTES
        if not (is_long and edits and self._document.language):
            return None
        cuts = self._cuts(edits[0].start, edits[-1].end)
        kept = len(self._document.text) - sum(cut.end - cut.start for cut in cuts)
        if kept > _MAX_PART * len(self._document.text):
            return None
        if self._last[0] != cuts:
            self._last = cuts, self._excerpt(cuts)
        excerpt, shift = self._last[1], Shift(cuts)
        if excerpt is None:
            return None
        return excerpt, tuple(Edit(shift.at(e.start), shift.at(e.end), e.new) for e in edits)

    def _excerpt(self, cuts: Sequence[Edit]) -> Document | None:
        """Return the text without `cuts`; None if it has other errors than the whole has there.

        Where the root is an error, some of them come from afar, and the excerpt is good enough.
        """
        document = self._document
        excerpt = Document(apply(document.text, cuts), document.language, has_islands=False)
        if document.root.is_error:
            return excerpt
        starts = [cut.start for cut in cuts]
        kept = sum(
            not (place and end <= cuts[place - 1].end)
            for start, end, _ in document.error_spans
            for place in (bisect_right(starts, start),)
        )
        return excerpt if excerpt.errors == kept else None

    def _cuts(self, start: int, end: int) -> list[Edit]:
        """Return what is far from a span: parts of the lists that hold it, in order."""
        before: list[Edit] = []
        after: list[Edit] = []
        node = self._document.root
        while node.child_count:
            siblings = self._siblings(node)
            first = max(bisect_right(siblings.starts, start) - 1, 0)
            last = max(bisect_left(siblings.starts, end) - 1, first)
            if len(siblings.nodes) > _MIN_LIST:
                before += _cut_before(siblings, first - first % _BLOCK - _MARGIN)
                after += _cut_after(siblings, last - last % _BLOCK + _BLOCK + _MARGIN)
            node = siblings.nodes[first]
            if first != last or not (node.start_byte <= start and end <= node.end_byte):
                break
        return [*before, *reversed(after)]

    def _siblings(self, node: Node) -> _Siblings:
        if node.id not in self._known:
            nodes = node.children
            counts = Counter(child.kind_id for child in nodes)
            elements = frozenset(kind for kind in counts if counts[kind] >= _MIN_ELEMENTS)
            self._known[node.id] = _Siblings(nodes, [child.start_byte for child in nodes], elements)
        return self._known[node.id]


def _cut_before(siblings: _Siblings, place: int) -> list[Edit]:
    """Return the edit that cuts the elements before one at `place` or shortly before it, if any."""
    for boundary in range(place, max(place - _MARGIN, 0), -1):
        node = siblings.nodes[boundary]
        first = _first_alike(siblings, node, range(boundary))
        if first is not None:
            return [Edit(first.start_byte, node.start_byte)]
    return []


def _cut_after(siblings: _Siblings, place: int) -> list[Edit]:
    """Return the edit that cuts the elements after one at `place` or shortly after it, if any."""
    count = len(siblings.nodes)
    for boundary in range(place, min(place + _MARGIN, count)):
        node = siblings.nodes[boundary]
        last = _first_alike(siblings, node, range(count - 1, boundary, -1))
        if last is not None:
            return [Edit(node.end_byte, last.end_byte)]
    return []


def _first_alike(siblings: _Siblings, node: Node, places: range) -> Node | None:
    """Return the first of the elements at `places` that can stand where `node`, an element, is."""
    if node.kind_id not in siblings.elements:
        return None
    for place in places:
        other = siblings.nodes[place]
        if other.kind_id in siblings.elements and (
            other.kind_id == node.kind_id or (other.is_named and node.is_named)
        ):
            return other
    return None
