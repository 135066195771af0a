"""Probabilistic delta debugging, with and without weights.

ProbDD: "Probabilistic Delta Debugging" (Wang, Shen, Chen, Xiong & Zhang, ESEC/FSE 2021). With
weights it is the W-ProbDD of "WDD: Weighted Delta Debugging" (Zhou, Xu, Zhang, Tian & Sun, ICSE 2025).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pollard.search.cdd import checked
from pollard.search.trials import pursue

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pollard.search.first import First

T = TypeVar("T")

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
