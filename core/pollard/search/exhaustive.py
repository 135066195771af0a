"""Exhaustive search where it is cheap: combinations of a few neighbours, or of very few items.

In a 1-minimal list no single item can be removed, but two that need each other still can. Vulcan
(Xu, Tian, Zhang, Zhao, Jiang & Sun, "Pushing the Limit of 1-Minimality of Language-Agnostic Program
Reduction", OOPSLA 2023) slides a window over the list and tries every subset of its items.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.search.first import First

T = TypeVar("T")

WINDOW_ITEMS = 4
"""The number of neighbours in Vulcan's window."""

_MAX_RUN_ITEMS = 8


def exhaustive(
    items: Sequence[T], first: First[tuple[T, ...]], /, width: int = WINDOW_ITEMS
) -> tuple[T, ...]:
    """Remove two or more of *width* neighbours at once, larger combinations first, in one sweep.

    A window only tries combinations that contain its first item, so none is tried twice. At most
    (2^(width - 1) - 1) n candidates for n items.
    """
    rest, start = tuple(items), 0
    while True:
        removed = list(_windows(len(rest), start, width))
        hit = first(_without(rest, indices) for indices in removed)
        if hit is None:
            return rest
        rest, start = hit.candidate, removed[hit.index][0]


def _windows(length: int, start: int, width: int) -> Iterator[tuple[int, ...]]:
    """Yield the indices to remove for each window that begins at *start* or later."""
    for index in range(start, length - 1):
        others = range(index + 1, min(index + width, length))
        for number in range(len(others), 0, -1):
            for chosen in combinations(others, number):
                yield (index, *chosen)


def _without(items: tuple[T, ...], indices: tuple[int, ...]) -> tuple[T, ...]:
    return tuple(item for index, item in enumerate(items) if index not in indices)


def runs_and_combinations(
    items: Sequence[T], shortest_run: int, largest_combination: int
) -> Iterator[Sequence[T]]:
    """Yield groups of items to remove together.

    First runs of *shortest_run* to eight adjacent items, shorter runs first and each length from
    the end; then all combinations of two to *largest_combination* items.
    """
    for length in range(shortest_run, _MAX_RUN_ITEMS + 1):
        for end in range(len(items), length - 1, -1):
            yield items[end - length : end]
    for number in range(2, largest_combination + 1):
        yield from combinations(items, number)
