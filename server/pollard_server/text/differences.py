"""Finds the few places where two texts differ, in O(n log n).

A reduction cuts whole lines in several places. Lines that occur exactly once in both texts
therefore serve as anchors; of these, the longest sequence that has the same order in both texts is
kept. Only the text between anchors has changed. Each of these gaps is then trimmed by lines and by
characters. This is Bram Cohen's patience diff without its recursion.
"""

from __future__ import annotations

import io
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from operator import lt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# If the first and the last difference are further apart than this, looking for anchors would block
# the event loop; such texts get one change.
MAX_SEARCHED_CHARACTERS = 1_000_000


@dataclass(frozen=True, slots=True, order=True)
class Gap:
    """Characters `start` to `end` of the old text, replaced by `new_start` to `new_end`."""

    start: int
    end: int
    new_start: int
    new_end: int

    @property
    def is_empty(self) -> bool:
        """Whether nothing is different here."""
        return self.start == self.end and self.new_start == self.new_end


def difference(old: str, new: str) -> Gap:
    """Return one gap that contains all differences of two texts."""
    return _trim(old, new, Gap(0, len(old), 0, len(new)))


def gaps(old: str, new: str) -> list[Gap]:
    """Return the ordered gaps where `old` and `new` differ; they do not touch."""
    if old == new:
        return []
    found = (_trim(old, new, gap) for gap in _between_anchors(old, new))
    return joined(gap for gap in found if not gap.is_empty)


def joined(found: Iterable[Gap]) -> list[Gap]:
    """Return the ordered gaps, with those that touch joined."""
    merged: list[Gap] = []
    for gap in found:
        if merged and merged[-1].end >= gap.start:
            merged[-1] = Gap(merged[-1].start, gap.end, merged[-1].new_start, gap.new_end)
        else:
            merged.append(gap)
    return merged


def _differing_lines(old: str, new: str) -> Gap:
    """Leave out the lines that both texts begin or end with."""
    head = _shared_head(old, new)
    tail = _shared_tail(old, new, min(len(old), len(new)) - head)
    head = old.rfind("\n", 0, head) + 1
    after = old.find("\n", len(old) - tail)
    tail = 0 if after < 0 else len(old) - after - 1
    return Gap(head, len(old) - tail, head, len(new) - tail)


def _between_anchors(old: str, new: str) -> Iterator[Gap]:
    middle = _differing_lines(old, new)
    if middle.end - middle.start > MAX_SEARCHED_CHARACTERS:
        yield middle
        return
    old_lines = _lines(old[middle.start : middle.end])
    new_lines = _lines(new[middle.new_start : middle.new_end])
    offsets = list(accumulate(map(len, old_lines), initial=middle.start))
    new_offsets = list(accumulate(map(len, new_lines), initial=middle.new_start))
    for run in _differing_runs(old_lines, new_lines):
        lines = _trim_lines(old_lines, new_lines, run)
        yield Gap(
            offsets[lines.start],
            offsets[lines.end],
            new_offsets[lines.new_start],
            new_offsets[lines.new_end],
        )


def _differing_runs(old: list[str], new: list[str]) -> Iterator[Gap]:
    """Return the gaps, counted in lines, between the anchors of two lists of lines."""
    start = new_start = 0
    for end, new_end in (*_anchors(old, new), (len(old), len(new))):
        if old[start:end] != new[new_start:new_end]:
            yield Gap(start, end, new_start, new_end)
        start, new_start = end + 1, new_end + 1


def _lines(text: str) -> list[str]:
    return io.StringIO(text, newline="\n").readlines()


def _anchors(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Return the places (in old, in new) of the lines that are unique in both and in order."""
    counts, new_counts = Counter(old), Counter(new)
    places = {line: place for place, line in enumerate(new) if new_counts[line] == 1}
    pairs = [
        (place, places[line])
        for place, line in enumerate(old)
        if line in places and counts[line] == 1
    ]
    return [pairs[index] for index in _longest_rise([place for _, place in pairs])]


def _longest_rise(numbers: Sequence[int]) -> Sequence[int]:
    """Return the indices of a longest increasing run of distinct numbers, by patience sorting."""
    if all(map(lt, numbers, numbers[1:])):  # the usual case: no line has moved
        return range(len(numbers))
    tops: list[int] = []
    top_indices: list[int] = []
    previous: list[int] = []
    for index, number in enumerate(numbers):
        pile = bisect_left(tops, number)
        previous.append(top_indices[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [number]
        top_indices[pile : pile + 1] = [index]
    rise = [top_indices[-1]]
    while previous[rise[-1]] >= 0:
        rise.append(previous[rise[-1]])
    return rise[::-1]


def _trim_lines(old: list[str], new: list[str], gap: Gap) -> Gap:
    start, end, new_start, new_end = gap.start, gap.end, gap.new_start, gap.new_end
    while start < end and new_start < new_end and old[end - 1] == new[new_end - 1]:
        end, new_end = end - 1, new_end - 1
    while start < end and new_start < new_end and old[start] == new[new_start]:
        start, new_start = start + 1, new_start + 1
    return Gap(start, end, new_start, new_end)


def _trim(old: str, new: str, gap: Gap) -> Gap:
    before, after = old[gap.start : gap.end], new[gap.new_start : gap.new_end]
    head = _shared_head(before, after)
    tail = _shared_tail(before, after, min(len(before), len(after)) - head)
    return Gap(gap.start + head, gap.end - tail, gap.new_start + head, gap.new_end - tail)


def _shared_head(left: str, right: str) -> int:
    """Return the length of the longest common prefix, by binary search: O(n) characters compared."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _shared_tail(left: str, right: str, limit: int) -> int:
    """Return the length of the longest common suffix that is not longer than `limit`."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        left_part = left[len(left) - middle : len(left) - low]
        if left_part == right[len(right) - middle : len(right) - low]:
            low = middle
        else:
            high = middle - 1
    return low
