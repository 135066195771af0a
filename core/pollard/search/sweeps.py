"""Minimisers that sweep over a list and remove fragments.

`remove_each` is the simple ddmin of Rahul Gopinath's notebook on ddmin and Perses
(`remove_check_each_fragment` and its driver). Unlike the paper's ddmin it tries no subsets, and after
a removal it goes on with the next fragment instead of returning to earlier ones ("Avoiding the
Familiar to Speed Up Test Case Reduction", Gharachorlu & Sumner, QRS 2018).

`one_by_one` is the last phase of HDD+ ("HDD: Hierarchical Delta Debugging", Misherghi & Su, ICSE
2006, section 3).

`gallop` suits lists of which most items are needed, where halving would waste runs on the long
fragments. After a success the next fragment is twice as long, as in exponential search; Hypothesis'
shrinker does the same in its `find_integer`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.search.first import First


T = TypeVar("T")


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
    the notebook, a list of one item is only tried without it if *whole* is set.
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
