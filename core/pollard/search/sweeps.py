"""Minimisers that sweep over a list and remove fragments, and combinations of a few items.

`remove_each` is the simple ddmin of Rahul Gopinath's notebook on ddmin and Perses
(`remove_check_each_fragment` and its driver). Unlike the paper's ddmin it tries no subsets, and after
a removal it goes on with the next fragment instead of returning to earlier ones ("Avoiding the
Familiar to Speed Up Test Case Reduction", Gharachorlu & Sumner, QRS 2018).

`one_by_one` is the last phase of HDD+ ("HDD: Hierarchical Delta Debugging", Misherghi & Su, ICSE
2006, section 3).

`gallop` suits lists in which most items are needed: there, halving wastes runs on the long
fragments. After a success the next fragment is twice as long, as in exponential search; Hypothesis'
shrinker does the same in its `find_integer`.

`exhaustive` is for lists that are 1-minimal: no single item can be removed, but two that need each
other still can. Vulcan (Xu, Tian, Zhang, Zhao, Jiang & Sun, "Pushing the Limit of 1-Minimality of
Language-Agnostic Program Reduction", OOPSLA 2023) slides a window over the list and tries every subset
of its items.
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


def remove_each(
    items: Sequence[T],
    first: First[tuple[T, ...]],
    *,
    whole: bool = False,
    backward: bool = False,
    repeat: bool = True,
) -> tuple[T, ...]:
    """Return an interesting part of *items*, in order, by removing ever shorter fragments.

    The first fragments are half as long as the list (rounded down), or with *whole* as long as the
    list; the last are single items. With *backward* the sweep goes from the end. With *repeat*, as
    in the notebook, a length is swept again until nothing of that length can be removed; then the
    result is 1-minimal. Otherwise each length is swept once. The result may be empty; but, as in
    the notebook, a list of one item stays unchanged unless *whole* is set.
    """
    rest = tuple(items)
    length = len(rest) if whole else len(rest) // 2
    while length and rest:
        swept = sweep(rest, first, length, backward=backward)
        if not repeat or len(swept) == len(rest):
            length //= 2
        rest = swept
    return rest


def sweep(
    items: tuple[T, ...], first: First[tuple[T, ...]], length: int, *, backward: bool = False
) -> tuple[T, ...]:
    """Try once to remove each fragment of *length* items (the last may be shorter).

    Returns the remaining items.
    """
    start = 0
    while (hit := first(_without_fragments(items, length, start, backward=backward))) is not None:
        items = hit.candidate
        start += hit.index * length
    return items


def _without_fragments(
    items: tuple[T, ...], length: int, start: int, *, backward: bool
) -> Iterator[tuple[T, ...]]:
    """Yield the items without each fragment; *start* is counted in the direction of the sweep."""
    total = len(items)
    for begin in range(start, total, length):
        end = min(begin + length, total)
        low, high = (total - end, total - begin) if backward else (begin, end)
        yield items[:low] + items[high:]


def one_by_one(items: Sequence[T], first: First[tuple[T, ...]]) -> tuple[T, ...]:
    """Return a 1-minimal part of *items*, in order, by removing single items until none can go.

    The result may be empty. At most O(n^2) candidates for n items.
    """
    rest = tuple(items)
    while len(swept := sweep(rest, first, 1)) < len(rest):
        rest = swept
    return rest


def gallop(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
    """Return an interesting part of *items*, in order, in one sweep of adaptive fragments.

    The result may be empty and need not be 1-minimal. But if nothing could be removed, each single
    item was tried.
    """
    rest, start, length = tuple(items), 0, 1
    while True:
        end = start + length if length > 1 and start < len(rest) else start
        hit = first(_without_fragment_or_items(rest, start, end))
        if hit is None:
            return rest
        if end > start and hit.index == 0:
            length *= 2
        else:
            start += hit.index - (end > start)
            length = 2
        rest = hit.candidate


def _without_fragment_or_items(
    items: tuple[T, ...], start: int, end: int
) -> Iterator[tuple[T, ...]]:
    """Yield the items without the fragment (unless it is empty), then without each single item."""
    if end > start:
        yield items[:start] + items[end:]
    for index in range(start, len(items)):
        yield items[:index] + items[index + 1 :]


def exhaustive(
    items: Sequence[T], first: First[tuple[T, ...]], /, width: int = WINDOW_ITEMS
) -> tuple[T, ...]:
    """Remove two or more of *width* neighbours together, larger combinations first, in one sweep.

    A window only tries combinations that contain its first item, so none is tried twice. At most
    (2^(width - 1) - 1) n candidates for n items.
    """
    rest, start = tuple(items), 0
    while True:
        removed = list(_windows(len(rest), start, width))
        hit = first(_without_indices(rest, indices) for indices in removed)
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


def _without_indices(items: tuple[T, ...], indices: tuple[int, ...]) -> tuple[T, ...]:
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
