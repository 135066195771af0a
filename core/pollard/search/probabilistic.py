"""Probabilistic delta debugging, with and without weights.

ProbDD: "Probabilistic Delta Debugging" (Wang, Shen, Chen, Xiong & Zhang, ESEC/FSE 2021). With
weights it is the W-ProbDD of "WDD: Weighted Delta Debugging" (Zhou, Xu, Zhang, Tian & Sun, ICSE 2025).

Minimisers that remove some items at a time and learn from every answer.

Such a minimiser is a *plan*: what to remove next, and the plan after either answer. Plans are values,
so the stream of trials that `pursue` reads is the chain of plans in which every answer was no.

Counter-based delta debugging.

"Toward a Better Understanding of Probabilistic Delta Debugging" (Zhang, Xu, Tian, Cheng & Sun, ICSE
2025), which shows that the probabilities of ProbDD rise from round to round by a factor that is
nearly the same for all items. So the number of items to remove at a time can be known beforehand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from pollard.search.first import First, cached, mapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


T = TypeVar("T")


class Plan(Protocol):
    """What to remove from a list next; items are known by their places in the original list."""

    @property
    def chosen(self) -> Sequence[int]:
        """The places of the items to be removed next; none when there is nothing left to try."""
        ...

    def failed(self) -> Plan:
        """Return the plan after the list without the chosen items was uninteresting."""
        ...

    def succeeded(self) -> Plan:
        """Return the plan after the chosen items were removed."""
        ...


@dataclass(frozen=True, slots=True)
class _Trial(Generic[T]):
    """A list that a plan may be about to make smaller."""

    items: Sequence[T]
    rest: tuple[int, ...]
    plan: Plan
    gone: int  # the places that are removed if this is interesting, as a bit each

    @property
    def places(self) -> tuple[int, ...]:
        chosen = set(self.plan.chosen)
        return tuple(place for place in self.rest if place not in chosen)

    def kept(self) -> tuple[T, ...]:
        return tuple(self.items[place] for place in self.places)


def pursue(items: Sequence[T], first: First[tuple[T, ...]], plan: Plan) -> tuple[T, ...]:
    """Follow *plan* to its end and return what it left of *items*, in their order.

    No list is tried that is already known to be uninteresting: for the plan it has failed again.
    """
    rest, gone = tuple(range(len(items))), 0
    ask: First[_Trial[T]] = cached(mapped(first, _Trial[T].kept), key=_gone)
    while (hit := ask(_trials(items, rest, gone, plan))) is not None:
        trial = hit.candidate
        rest, gone, plan = trial.places, trial.gone, trial.plan.succeeded()
    return tuple(items[place] for place in rest)


def _gone(trial: _Trial[T]) -> int:
    return trial.gone


def _trials(
    items: Sequence[T], rest: tuple[int, ...], gone: int, plan: Plan
) -> Iterator[_Trial[T]]:
    while chosen := plan.chosen:
        yield _Trial(items, rest, plan, gone | sum(1 << place for place in chosen))
        plan = plan.failed()


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


# Gains that differ by less than this, relatively, are equal but for rounding.
_EQUAL = 1e-9

# Rounding must not make an item certain to be needed that was never tried alone.
_NEARLY_CERTAIN = 1 - 1e-12


def probdd(
    items: Sequence[T],
    first: First[tuple[T, ...]],
    *,
    p0: float = 0.1,
    weight: Callable[[T], int] | None = None,
) -> tuple[T, ...]:
    """Return an interesting part of *items*, in their order, which must be interesting themselves.

    *p0* is how likely each item is thought to be needed at first, between 0 and 1; ValueError is
    raised for any other. Those items are removed together that promise the largest gain: their
    number times the probability that none is needed. When they could not go, each is needed with a
    probability that Bayes' rule raises; one that could not go alone is needed. With a *weight*
    (less than 1 counts as 1) the gain is the weight of the items instead of their number, and those
    that promise most by themselves come first. Ties go to the earlier items, and to more of them.

    Nothing is tried twice. If n items are all needed, some 2n candidates are tried. One pass
    promises a 1-minimal result only for tests for which an item that could not go never can go
    later, as monotone ones; for others repeat until nothing goes.
    """
    weigh = weight or (lambda _: 1)
    start = checked(p0)
    chances = [_chance(start, max(weigh(item), 1), place) for place, item in enumerate(items)]
    return pursue(items, first, _Beliefs.of(chances))


class _Chance(NamedTuple):
    """What is believed of an item; these are sorted in the order in which items are chosen."""

    loss: float  # the expected gain of removing this item alone, negative
    probability: float  # that the item is needed
    place: int
    weight: int


def _chance(probability: float, weight: int, place: int) -> _Chance:
    probability = min(probability, _NEARLY_CERTAIN)
    return _Chance((probability - 1) * weight, probability, place, weight)


@dataclass(frozen=True, slots=True)
class _Beliefs:
    """The items in doubt, the best first, of which the first *count* are to be removed next."""

    chances: tuple[_Chance, ...]
    count: int

    @classmethod
    def of(cls, chances: Sequence[_Chance]) -> _Beliefs:
        ordered = tuple(sorted(chances))
        return cls(ordered, _most_promising(ordered))

    @property
    def chosen(self) -> tuple[int, ...]:
        return tuple(chance.place for chance in self.chances[: self.count])

    def failed(self) -> _Beliefs:
        tried, others = self.chances[: self.count], self.chances[self.count :]
        if len(tried) == 1:
            return _Beliefs.of(others)
        some_needed = 1 - prod(1 - chance.probability for chance in tried)
        raised = (_chance(c.probability / some_needed, c.weight, c.place) for c in tried)
        return _Beliefs.of((*others, *raised))

    def succeeded(self) -> _Beliefs:
        return _Beliefs.of(self.chances[self.count :])


def _most_promising(chances: Sequence[_Chance]) -> int:
    """Return how many of the first chances are expected to gain most when removed together."""
    best, count = 0.0, 0
    left = sum(chance.weight for chance in chances)
    unneeded, gained = 1.0, 0
    for number, chance in enumerate(chances, 1):
        unneeded *= 1 - chance.probability
        gained += chance.weight
        if unneeded * gained >= best * (1 - _EQUAL):
            best, count = max(unneeded * gained, best), number
        if unneeded * left < best * (1 - _EQUAL):
            break
    return count
