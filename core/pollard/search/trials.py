"""Minimisers that remove some items at a time and learn from every answer.

Such a minimiser is a *plan*: what to remove next, and the plan after either answer. Plans are values,
so the stream of trials that `pursue` reads is the chain of plans in which every answer was no.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from pollard.search.first import First, cached, mapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
