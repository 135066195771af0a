"""Edits of a text, and where the bytes between them end up."""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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


def apply(text: bytes, edits: Sequence[Edit]) -> bytes:
    """Return `text` after `edits`, which must be in order and disjoint."""
    parts: list[bytes] = []
    position = 0
    for edit in edits:
        parts += (text[position : edit.start], edit.new)
        position = edit.end
    parts.append(text[position:])
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
