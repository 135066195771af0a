"""Edits of a text, and where the bytes between them end up."""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


# In bytes. Texts are compared in blocks of this length, which keeps the copies small.
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the bytes from `start` to `end` (from 0, end exclusive) by `new`."""

    start: int
    end: int
    new: bytes = b""


_SORT_KEY = attrgetter("start", "end", "new")


def join(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return the edits in order, with overlapping and touching ones combined and empty ones dropped.

    A combined edit replaces the union of the spans by all new texts in order.
    """
    joined: list[Edit] = []
    for edit in sorted(edits, key=_SORT_KEY):
        if edit.start == edit.end and not edit.new:
            continue
        if joined and edit.start <= joined[-1].end:
            last = joined[-1]
            joined[-1] = Edit(last.start, max(last.end, edit.end), last.new + edit.new)
        else:
            joined.append(edit)
    return tuple(joined)


def outermost(edits: Sequence[Edit]) -> list[Edit]:
    """Return the edits whose spans are inside the span of no other one, in the given order."""
    return [
        edit
        for edit in edits
        if not any(
            edit != other and other.start <= edit.start and edit.end <= other.end for other in edits
        )
    ]


def apply(text: bytes, edits: Sequence[Edit], span: tuple[int, int] | None = None) -> bytes:
    """Return `text` after `edits`, which must be in order and disjoint.

    With `span` (start, end), return only that part of it, in which the edits are.
    """
    position, end = span or (0, len(text))
    parts: list[bytes] = []
    for edit in edits:
        parts += (text[position : edit.start], edit.new)
        position = edit.end
    parts.append(text[position:end])
    return b"".join(parts)


class Shift:
    """Translates offsets of a text into offsets after `edits`, which must be in order and disjoint."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = edits
        self._ends = [edit.end for edit in edits]
        self._deltas = [0]
        for edit in edits:
            growth = len(edit.new) - (edit.end - edit.start)
            self._deltas.append(self._deltas[-1] + growth)

    def at(self, offset: int) -> int:
        """Return the new offset; for one inside an edit, the end of the edit's new text."""
        index = bisect.bisect_right(self._ends, offset)
        if index < len(self._edits) and self._edits[index].start < offset:
            edit = self._edits[index]
            return edit.start + self._deltas[index] + len(edit.new)
        return offset + self._deltas[index]

    def end_at(self, offset: int) -> int:
        """Return the new offset of the exclusive end of a span; an insertion there does not move it."""
        index = bisect.bisect_right(self._ends, offset - 1)
        while (
            index < len(self._edits) and self._edits[index].end == offset > self._edits[index].start
        ):
            index += 1
        if index < len(self._edits) and self._edits[index].start < offset:
            edit = self._edits[index]
            return edit.start + self._deltas[index]
        return offset + self._deltas[index]


def splice(old: bytes, new: bytes) -> tuple[int, int, bytes]:
    """Return the one replacement (start, end, bytes) that turns `old` into `new`."""
    longest = min(len(old), len(new))
    start = _common(longest, lambda low, high: old[low:high] == new[low:high])
    tail = _common(
        longest - start,
        lambda low, high: (
            old[len(old) - high : len(old) - low] == new[len(new) - high : len(new) - low]
        ),
    )
    return start, len(old) - tail, new[start : len(new) - tail]


def _common(limit: int, equal: Callable[[int, int], bool]) -> int:
    """Return how many bytes are equal, at most *limit*: block by block, then by binary search.

    `equal` compares the bytes at distances from `low` to `high`. Blocks keep the copies small.
    """
    low = 0
    while low < limit and equal(low, min(low + _BLOCK, limit)):
        low = min(low + _BLOCK, limit)
    limit = min(low + _BLOCK, limit)
    while low < limit:
        middle = (low + limit + 1) // 2
        if equal(low, middle):
            low = middle
        else:
            limit = middle - 1
    return low
