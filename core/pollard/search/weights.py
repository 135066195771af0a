"""Minimisers that can be told how large the items are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.search.combine import Minimiser
    from pollard.search.first import First

T = TypeVar("T")

Weight = Callable[[Any], int]
"""How large an item is, in any unit; less than 1 counts as 1. Asked once for each item of a call."""


@runtime_checkable
class Weighing(Protocol):
    """A minimiser that wants to know the weight of the items; all weigh 1 until it is told."""

    def weighing(self, weight: Weight, /) -> Minimiser:
        """Return this minimiser for items with that *weight*."""
        ...


def weighed(minimise: Minimiser, weight: Weight) -> Minimiser:
    """Tell *minimise* the *weight* of items if it wants to know it; if not, return it as it is."""
    return minimise.weighing(weight) if isinstance(minimise, Weighing) else minimise


class Search(Protocol):
    """A minimiser that takes the weight of items as an argument: `wdd` or `probdd`."""

    def __call__(
        self, items: Sequence[T], first: First[tuple[T, ...]], *, weight: Weight | None
    ) -> tuple[T, ...]:
        """Return what remains of *items*."""
        ...


def by_weight(search: Search) -> Minimiser:
    """Make of *search* a minimiser that wants to know the weight of items."""
    return _Weighable(search)


@dataclass(frozen=True, slots=True)
class _Weighable:
    search: Search
    weight: Weight | None = None

    def __call__(self, items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        return self.search(items, first, weight=self.weight)

    def weighing(self, weight: Weight, /) -> Minimiser:
        return _Weighable(self.search, weight)
