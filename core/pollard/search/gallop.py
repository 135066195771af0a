"""Remove one item after the other, and more at a time as long as that goes well.

For lists of which most items are needed: halving fragments (`remove_each`) would ask in vain for the
long ones. What is learnt from a hit is that its neighbours may go too, so the next fragment is twice
as long, as in exponential search (Hypothesis' shrinker does the same in its `find_integer`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.search.first import First

T = TypeVar("T")


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
