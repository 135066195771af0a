"""Delta debugging that learns from failures: ProbDD, W-ProbDD and CDD.

ProbDD ("Probabilistic Delta Debugging", Wang, Shen, Chen, Xiong & Zhang, ESEC/FSE 2021) estimates
for each item the probability that it is needed, and removes together the items that promise most.
W-ProbDD ("WDD: Weighted Delta Debugging", Zhou, Xu, Zhang, Tian & Sun, ICSE 2025) also considers
their weights.

CDD, counter-based delta debugging ("Toward a Better Understanding of Probabilistic Delta Debugging",
Zhang, Xu, Tian, Cheng & Sun, ICSE 2025), builds on the finding that ProbDD's probabilities rise from
round to round by nearly the same factor for all items. So the number of items to remove at a time is
known in advance.

All of them are a *removal plan*: the items to remove next, and the next plan after a success or a
failure. Plans are immutable, so the stream of candidates is the chain of plans after failures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from pollard.search.first import First, cached, mapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


T = TypeVar("T")


class RemovalPlan(Protocol):
    """The items to remove from a list next, identified by their index in the original list."""

    @property
    def chosen(self) -> Sequence[int]:
        """The indices of the items to remove next; empty when there is nothing left to try."""
        ...

    def failed(self) -> RemovalPlan:
        """Return the plan after the list without the chosen items was uninteresting."""
        ...

    def succeeded(self) -> RemovalPlan:
        """Return the plan after the chosen items were removed."""
        ...


@dataclass(frozen=True, slots=True)
class _Removal(Generic[T]):
    """A candidate: the remaining items without those that the plan has chosen."""

    items: Sequence[T]
    rest: tuple[int, ...]
    plan: RemovalPlan
    removed: int  # all indices removed if this succeeds, as a bit set

    @property
    def indices(self) -> tuple[int, ...]:
        chosen = set(self.plan.chosen)
        return tuple(index for index in self.rest if index not in chosen)

    def kept(self) -> tuple[T, ...]:
        return tuple(self.items[index] for index in self.indices)


def follow(plan: RemovalPlan, items: Sequence[T], first: First[tuple[T, ...]]) -> tuple[T, ...]:
    """Follow *plan* to its end and return the remaining *items*, in order.

    A list that is known to be uninteresting counts as failed without being tried again.
    """
    rest, removed = tuple(range(len(items))), 0
    ask: First[_Removal[T]] = cached(mapped(first, _Removal[T].kept), key=_removed_items)
    while (hit := ask(_removals(items, rest, removed, plan))) is not None:
        removal = hit.candidate
        rest, removed, plan = removal.indices, removal.removed, removal.plan.succeeded()
    return tuple(items[index] for index in rest)


def _removed_items(removal: _Removal[T]) -> int:
    return removal.removed


def _removals(
    items: Sequence[T], rest: tuple[int, ...], removed: int, plan: RemovalPlan
) -> Iterator[_Removal[T]]:
    while chosen := plan.chosen:
        yield _Removal(items, rest, plan, removed | sum(1 << index for index in chosen))
        plan = plan.failed()


def cdd(items: Sequence[T], first: First[tuple[T, ...]], *, p0: float = 0.1) -> tuple[T, ...]:
    """Return an interesting part of *items*, in order; *items* must be interesting.

    *p0* is the initial probability that an item is needed; ValueError unless 0 < p0 < 1.

    Each round removes fragments of the undecided items. `fragment_lengths` gives their length; the
    last may be shorter. An item that could not be removed alone is decided: it is needed. No list is
    tried twice. For n items O(n) candidates are tried, with the default *p0* at most 2.1n + 5.

    One call gives a 1-minimal result if the test is monotone (an item that cannot be removed never
    can be later); otherwise repeat it until nothing is removed.
    """
    lengths = tuple(fragment_lengths(p0))
    return follow(_Rounds(lengths, tuple(range(len(items)))), items, first)


def fragment_lengths(p0: float) -> Iterator[int]:
    """Yield how many items to remove at a time in each round, down to one.

    In round r (from 0) an item is needed with the probability p = p0 / (1 - 1/e)^r. The expected
    number of items removed together, s (1 - p)^s, grows with s as long as s <= 1/p.
    """
    probability = _checked_probability(p0)
    while True:
        length = max(math.floor(1 / probability), 1)
        yield length
        if length == 1:
            return
        probability /= 1 - math.exp(-1)


def _checked_probability(p0: float) -> float:
    if not 0 < p0 < 1:
        raise ValueError("a probability to begin with lies between 0 and 1")
    return p0


@dataclass(frozen=True, slots=True)
class _Rounds:
    """CDD's position in the current round; the paper's counters all equal the round's number."""

    lengths: tuple[int, ...]  # of this and the next rounds
    undecided: tuple[int, ...]
    start: int = 0  # the first undecided item that this round has not tried

    @property
    def chosen(self) -> tuple[int, ...]:
        return self.undecided[self.start : self._stop]

    @property
    def _stop(self) -> int:
        return self.start + self.lengths[0]

    def failed(self) -> _Rounds:
        if len(self.chosen) == 1:
            return self.succeeded()  # the item stays, but it is decided too
        return self._next(self.undecided, self._stop)

    def succeeded(self) -> _Rounds:
        return self._next(self.undecided[: self.start] + self.undecided[self._stop :], self.start)

    def _next(self, undecided: tuple[int, ...], start: int) -> _Rounds:
        if start < len(undecided) or len(self.lengths) == 1:
            return _Rounds(self.lengths, undecided, start)
        return _Rounds(self.lengths[1:], undecided)


# Gains whose ratio differs from 1 by less than this are equal except for rounding.
_GAIN_TOLERANCE = 1e-9

# Rounding must not make an item certainly needed before it was tried alone.
_MAX_PROBABILITY = 1 - 1e-12


def probdd(
    items: Sequence[T],
    first: First[tuple[T, ...]],
    *,
    p0: float = 0.1,
    weight: Callable[[T], int] | None = None,
) -> tuple[T, ...]:
    """Return an interesting part of *items*, in order; *items* must be interesting.

    *p0* is the initial probability that an item is needed; ValueError unless 0 < p0 < 1. Each step
    removes the items with the largest expected gain: their number times the probability that none
    is needed. After a failure Bayes' rule raises their probabilities; an item that could not be
    removed alone is needed. With a *weight* (less than 1 counts as 1) the gain is the items' weight
    instead of their number, and the items that promise most by themselves come first. Ties: earlier
    items, and more of them.

    No list is tried twice. If all n items are needed, about 2n candidates are tried. One call gives
    a 1-minimal result if the test is monotone (an item that cannot be removed never can be later);
    otherwise repeat it until nothing is removed.
    """
    weigh = weight or (lambda _: 1)
    start = _checked_probability(p0)
    beliefs = [_belief(start, max(weigh(item), 1), place) for place, item in enumerate(items)]
    return follow(_Beliefs.of(beliefs), items, first)


class _Belief(NamedTuple):
    """The estimate for one item. Sorted estimates are in the order in which items are chosen."""

    negative_gain: float  # minus the expected gain of removing this item alone
    probability: float  # that the item is needed
    place: int  # in the original list
    weight: int


def _belief(probability: float, weight: int, place: int) -> _Belief:
    probability = min(probability, _MAX_PROBABILITY)
    return _Belief((probability - 1) * weight, probability, place, weight)


@dataclass(frozen=True, slots=True)
class _Beliefs:
    """The undecided items, best first; the first *count* of them are removed next."""

    beliefs: tuple[_Belief, ...]
    count: int

    @classmethod
    def of(cls, beliefs: Sequence[_Belief]) -> _Beliefs:
        ordered = tuple(sorted(beliefs))
        return cls(ordered, _most_promising(ordered))

    @property
    def chosen(self) -> tuple[int, ...]:
        return tuple(belief.place for belief in self.beliefs[: self.count])

    def failed(self) -> _Beliefs:
        tried, others = self.beliefs[: self.count], self.beliefs[self.count :]
        if len(tried) == 1:
            return _Beliefs.of(others)
        some_needed = 1 - math.prod(1 - belief.probability for belief in tried)
        raised = (_belief(b.probability / some_needed, b.weight, b.place) for b in tried)
        return _Beliefs.of((*others, *raised))

    def succeeded(self) -> _Beliefs:
        return _Beliefs.of(self.beliefs[self.count :])


def _most_promising(beliefs: Sequence[_Belief]) -> int:
    """Return how many of the first items have the largest expected gain when removed together."""
    best, count = 0.0, 0
    total_weight = sum(belief.weight for belief in beliefs)
    none_needed, weight = 1.0, 0
    for number, belief in enumerate(beliefs, 1):
        none_needed *= 1 - belief.probability
        weight += belief.weight
        if none_needed * weight >= best * (1 - _GAIN_TOLERANCE):
            best, count = max(none_needed * weight, best), number
        if none_needed * total_weight < best * (1 - _GAIN_TOLERANCE):
            break
    return count
