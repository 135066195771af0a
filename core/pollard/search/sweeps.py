"""Remove one item after the other, and more at a time as long as that goes well.

For lists of which most items are needed: halving fragments (`remove_each`) would ask in vain for the
long ones. What is learnt from a hit is that its neighbours may go too, so the next fragment is twice
as long, as in exponential search (Hypothesis' shrinker does the same in its `find_integer`).

The simple ddmin: remove one fragment after the other, in ever shorter fragments.

After Rahul Gopinath's notebook on ddmin and Perses (`remove_check_each_fragment` and its driver).
Unlike the paper's ddmin it tries no subsets, and once a fragment is gone it goes on with the next
instead of returning to earlier ones ("Avoiding the Familiar to Speed Up Test Case Reduction",
Gharachorlu & Sumner, QRS 2018).

The last phase of HDD+: single items are removed until no single item can be removed.

"HDD: Hierarchical Delta Debugging" (Misherghi & Su, ICSE 2006), section 3.
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
    """Return an interesting part of *items*, in their order, which must be interesting themselves.

    The first fragments are half as long as the list (rounded down), or with *whole* as long as the
    list; the last ones are single items. With *backward* fragments are counted and removed from
    the end. With *repeat*, as in the notebook, a length is halved only when nothing of that length
    could be removed; then the result is 1-minimal (no single item can go). Without, each length is
    swept once. Nothing at all is tried too when a single fragment is left; but, as in the
    notebook, a list of one item is only tried without it if *whole* is set.
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
    """Try once to remove each fragment of *length* items, and return what remains.

    The last fragment may be shorter. After a removal the next fragment is tried.
    """
    start = 0
    while (hit := first(_without_each(items, length, start, backward=backward))) is not None:
        items = hit.candidate
        start += hit.index * length
    return items


def _without_each(
    items: tuple[T, ...], length: int, start: int, *, backward: bool
) -> Iterator[tuple[T, ...]]:
    """The items without each fragment from *start* on; *start* is counted in reading direction."""
    total = len(items)
    for near in range(start, total, length):
        far = min(near + length, total)
        low, high = (total - far, total - near) if backward else (near, far)
        yield items[:low] + items[high:]


def one_by_one(items: Sequence[T], first: First[tuple[T, ...]]) -> tuple[T, ...]:
    """Return a 1-minimal part of *items*, which must be interesting themselves.

    Each item is tried once in order, and all of it again as long as anything went. The last item
    is tried too, so the result may be empty. At worst O(n^2) candidates for n items.
    """
    rest = tuple(items)
    while len(swept := sweep(rest, first, 1)) < len(rest):
        rest = swept
    return rest


def gallop(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
    """Return an interesting part of *items*, which must be interesting themselves, in one sweep.

    A single item, a list of one too, is tried without. Nothing is promised about the result, but
    when nothing at all could be removed every single item was tried.
    """
    rest, start, length = tuple(items), 0, 1
    while True:
        far = start + length if length > 1 and start < len(rest) else start
        hit = first(_without(rest, start, far))
        if hit is None:
            return rest
        if far > start and hit.index == 0:
            length *= 2
        else:
            start += hit.index - (far > start)
            length = 2
        rest = hit.candidate


def _without(items: tuple[T, ...], start: int, far: int) -> Iterator[tuple[T, ...]]:
    """The items without those from *start* to *far*, if any; then, pessimistically, without each."""
    if far > start:
        yield items[:start] + items[far:]
    for place in range(start, len(items)):
        yield items[:place] + items[place + 1 :]
