"""Exhaustive search, where it is cheap: all combinations of a few neighbours, or all of very few items.

Where no single item can go, two that need each other still can. Vulcan (Xu, Tian, Zhang, Zhao, Jiang,
Sun, "Pushing the Limit of 1-Minimality of Language-Agnostic Program Reduction", OOPSLA 2023) slides
a window over a list and tries every subset of what is in it.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.search.first import First

T = TypeVar("T")

#: So many neighbours are in Vulcan's window.
WIDTH = 4
# So many in a row may need each other where there is no tree to say what belongs together.
_ROW = 8


def exhaustive(
    items: Sequence[T], first: First[tuple[T, ...]], /, width: int = WIDTH
) -> tuple[T, ...]:
    """Remove two or more of `width` neighbours at a time, the most first, in one sweep.

    No combination is tried twice: a window tries those that have its first item. At most
    (2^(width - 1) - 1) n runs for n items.
    """
    rest, start = tuple(items), 0
    while True:
        removed = list(_windows(len(rest), start, width))
        hit = first(_without(rest, places) for places in removed)
        if hit is None:
            return rest
        rest, start = hit.candidate, removed[hit.index][0]


def _windows(length: int, start: int, width: int) -> Iterator[tuple[int, ...]]:
    """Yield the places to be removed, pessimistically, by windows that begin at `start` or later."""
    for place in range(start, length - 1):
        others = range(place + 1, min(place + width, length))
        for number in range(len(others), 0, -1):
            for some in combinations(others, number):
                yield (place, *some)


def _without(items: tuple[T, ...], places: tuple[int, ...]) -> tuple[T, ...]:
    return tuple(item for place, item in enumerate(items) if place not in places)


def at_once(items: Sequence[T], fewest: int, most: int) -> Iterator[Sequence[T]]:
    """Yield what may go at once: `fewest` to eight in a row, from the end, then any two to `most`."""
    for length in range(fewest, _ROW + 1):
        for end in range(len(items), length - 1, -1):
            yield items[end - length : end]
    for number in range(2, most + 1):
        yield from combinations(items, number)
