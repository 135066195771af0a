"""Which statements stand in the lines that the output of a failure names, told by their words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(rb"[^\W\d]\w*")


def words_of(line: bytes) -> frozenset[bytes]:
    """Return the names and other words of a line."""
    return frozenset(_WORD.findall(line))


def distance_from_end(statement: bytes, lines: Sequence[frozenset[bytes]]) -> int | None:
    """Return how far from an end of some lines, given as words, one is with all words in a statement's.

    None if no line of the statement has all its words in one of them. A reduction removes words, and
    puts in numbers. A single word after the first line is mostly an end.
    """
    words = [words_of(line) for line in statement.split(b"\n")]
    telling = [own for index, own in enumerate(words) if len(own) > (index > 0)]
    last = len(lines) - 1
    found = (
        min(index, last - index)
        for index, line in enumerate(lines)
        if any(own <= line for own in telling)
    )
    return min(found, default=None)
