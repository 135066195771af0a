"""Ranges of a text: the pieces that one parse is about, and where edits move them."""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING

from tree_sitter import Range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.syntax.edits import Edit, Shift

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
