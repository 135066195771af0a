"""Counter-based delta debugging.

"Toward a Better Understanding of Probabilistic Delta Debugging" (Zhang, Xu, Tian, Cheng & Sun, ICSE
2025), which shows that the probabilities of ProbDD rise from round to round by a factor that is
nearly the same for all items. So the number of items to remove at a time can be known beforehand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pollard.search.trials import pursue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.search.first import First

T = TypeVar("T")


def cdd(items: Sequence[T], first: First[tuple[T, ...]], *, p0: float = 0.1) -> tuple[T, ...]:
    """Return an interesting part of *items*, in their order, which must be interesting themselves.

    *p0* is how likely an item is thought to be needed, between 0 and 1. Raises ValueError for any
    other.

    In each round the items that are still in doubt are tried without in fragments as long as
    `fragment_lengths` says; the last fragment may be shorter. An item that could not go alone is no
    longer in doubt. Nothing is tried twice. For n items O(n) candidates are tried: with the default
    p0 2.1n + 5 at most.

    One pass promises a 1-minimal result only for tests for which an item that could not go never
    can go later, as monotone ones; for others repeat until nothing goes.
    """
    lengths = tuple(fragment_lengths(p0))
    return pursue(items, first, _Rounds(lengths, tuple(range(len(items)))))


def fragment_lengths(p0: float) -> Iterator[int]:
    """Yield how many items to remove at a time in each round, down to one.

    In round r (from 0) an item is thought to be needed with the probability p = p0 / (1 - 1/e)^r.
    The expected number of items removed together, s (1 - p)^s, grows with s as long as s <= 1/p.
    """
    probability = checked(p0)
    while True:
        length = max(math.floor(1 / probability), 1)
        yield length
        if length == 1:
            return
        probability /= 1 - math.exp(-1)


def checked(p0: float) -> float:
    """Return *p0* if it is a probability with which one can begin, or raise ValueError."""
    if not 0 < p0 < 1:
        raise ValueError("a probability to begin with lies between 0 and 1")
    return p0


@dataclass(frozen=True, slots=True)
class _Rounds:
    """Where in which round the search is: all the paper's counters come to the same number."""

    lengths: tuple[int, ...]
    doubted: tuple[int, ...]  # to be tried in this round, or already tried, up to *start*
    start: int = 0

    @property
    def chosen(self) -> tuple[int, ...]:
        return self.doubted[self.start : self._stop]

    @property
    def _stop(self) -> int:
        return self.start + self.lengths[0]

    def failed(self) -> _Rounds:
        if len(self.chosen) == 1:
            return self.succeeded()  # it is not gone, but no longer in doubt
        return self._next(self.doubted, self._stop)

    def succeeded(self) -> _Rounds:
        return self._next(self.doubted[: self.start] + self.doubted[self._stop :], self.start)

    def _next(self, doubted: tuple[int, ...], start: int) -> _Rounds:
        if start < len(doubted) or len(self.lengths) == 1:
            return _Rounds(self.lengths, doubted, start)
        return _Rounds(self.lengths[1:], doubted)
