"""The differences of two texts, line by line, within bounds on what is compared and shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from pollard.report.printable import printable
from pollard.syntax.tree.edits import splice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.journal import Change

#: The longest line that is shown as it is.
MAX_LINE_CHARACTERS = 200
# Matching takes as many steps as there are pairs of lines in the worst case, some 5 million a second.
_MAX_MATCHED_PAIRS = 10_000_000
_MAX_MATCHED_STEP_LINES = 200
_CONTEXT_LINES = 2
_CONTEXT_BYTES = 40
_LEFT_OUT = "  ⋮"
# A long line is broken after punctuation, as people break it.
_PIECE = re.compile(rf"[^;,{{}}>]{{0,{MAX_LINE_CHARACTERS - 1}}}(?:[;,{{}}>]|.)")


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A line of a comparison; `kind` is "-" for the old text, "+" for the new one, " " for both."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind} {self.text}"


def broken_lines(text: str) -> list[str]:
    """Return the lines of a text; those that are too long to be compared are in pieces."""
    lines = text.splitlines()
    return [piece for line in lines for piece in _pieces(line)]


def _pieces(line: str) -> list[str]:
    return [line] if len(line) <= MAX_LINE_CHARACTERS else _PIECE.findall(line)


def compared_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[ChangedLine]:
    """Yield the lines of both texts in order; of very long texts only the common ends are matched."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    yield from (ChangedLine(" ", line) for line in old[:head])
    old_rest, new_rest = old[head : len(old) - tail], new[head : len(new) - tail]
    matched = len(old_rest) * len(new_rest) <= _MAX_MATCHED_PAIRS
    yield from _matched(old_rest, new_rest) if matched else _replaced(old_rest, new_rest)
    yield from (ChangedLine(" ", line) for line in old[len(old) - tail :])


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    pairs = enumerate(zip(old, new, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(old), len(new)))


def _matched(old: Sequence[str], new: Sequence[str]) -> Iterator[ChangedLine]:
    matcher = SequenceMatcher(None, old, new)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            yield from (ChangedLine(" ", line) for line in old[start:end])
        else:
            yield from _replaced(old[start:end], new[new_start:new_end])


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[ChangedLine]:
    yield from (ChangedLine("-", line) for line in old)
    yield from (ChangedLine("+", line) for line in new)


def change_text(old: bytes, new: bytes, limit: int, change: Change | None = None) -> str:
    """Return how `new` differs from `old`, both UTF-8, in about `limit` characters at most.

    `change` is the replacement that leads from one to the other, if it is known.
    """
    start, end, inserted = change or splice(old, new)
    new_end = start + len(inserted)
    before, after = _lines_before(old, start), _lines_after(old, end)
    sides = (old[before:after], new[before : new_end + after - end])
    lines = [printable(_decoded(side)).splitlines() for side in sides]
    if any(len(line) > MAX_LINE_CHARACTERS for side in lines for line in side):
        excerpts = [_excerpt(old, start, end, limit), _excerpt(new, start, new_end, limit)]
        return "\n".join(map(str, _replaced(excerpts[:1], excerpts[1:])))
    short = max(map(len, lines)) <= _MAX_MATCHED_STEP_LINES
    rows = list(compared_lines(*lines) if short else _replaced(*lines))
    return clipped(list(_near_changes(rows)), limit)


def _near_changes(rows: Sequence[ChangedLine]) -> Iterator[str]:
    """Yield the changed lines and a few around each, with a mark where others are left out."""
    changed = [place for place, row in enumerate(rows) if row.kind != " "]
    near = range(-_CONTEXT_LINES, _CONTEXT_LINES + 1)
    shown = {place + offset for place in changed for offset in near} & {*range(len(rows))}
    before = min(shown, default=0) - 1
    for place in sorted(shown):
        if place > before + 1:
            yield _LEFT_OUT
        yield str(rows[place])
        before = place


def _lines_before(text: bytes, start: int) -> int:
    """Return where the lines begin that are shown before a change that begins at `start`."""
    for _ in range(_CONTEXT_LINES + 1):
        start = text.rfind(b"\n", 0, start)
        if start < 0:
            break
    return start + 1


def _lines_after(text: bytes, end: int) -> int:
    """Return where the lines end that are shown after a change that ends at `end`."""
    for _ in range(_CONTEXT_LINES + 1):
        found = text.find(b"\n", end)
        if found < 0:
            return len(text)
        end = found + 1
    return end


def _excerpt(text: bytes, start: int, end: int, limit: int) -> str:
    """Return a changed part of a text on one line, with what is around it."""
    before, after = max(start - _CONTEXT_BYTES, 0), min(end + _CONTEXT_BYTES, len(text))
    shown = printable(_decoded(text[before:after])).replace("\n", "\\n")
    half = max(limit // 4, _CONTEXT_BYTES)
    if len(shown) > 2 * half:
        left_out = len(shown) - 2 * half
        shown = f"{shown[:half]} [{left_out:,} characters] {shown[-half:]}"
    return f"{'…' if before else ''}{shown}{'…' if after < len(text) else ''}"


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "backslashreplace")


def clipped(lines: Sequence[str], limit: int) -> str:
    """Return lines as a text of about `limit` characters at most, without those in the middle."""
    if sum(map(len, lines)) + len(lines) <= limit:
        return "\n".join(lines)
    head = _fitting(lines, limit // 2)
    tail = _fitting(lines[head:][::-1], limit // 2)
    left_out = len(lines) - head - tail
    return "\n".join(
        [*lines[:head], f"  [{left_out:,} lines are left out]", *lines[len(lines) - tail :]]
    )


def _fitting(lines: Sequence[str], limit: int) -> int:
    """Return how many of the lines fit into so many characters."""
    total = 0
    for count, line in enumerate(lines):
        total += len(line) + 1
        if total > limit:
            return count
    return len(lines)
