"""Minimisers made of minimisers.

Minimisers that can be told how large the items are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from pollard.search.first import mapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.search.first import First


T = TypeVar("T")


class Minimiser(Protocol):
    """Removes items from a list as long as the rest stays interesting.

    It is given the items, which are interesting, and returns an interesting part of them in their
    order. It never asks whether the whole list is interesting.
    """

    def __call__(self, items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        """Return what remains of *items*."""
        ...


def star(minimise: Minimiser) -> Minimiser:
    """Repeat *minimise* until it removes nothing more (the papers' DD* and the like)."""
    return _Made(_repeated, minimise)


def or_nothing(minimise: Minimiser) -> Minimiser:
    """Try the empty list as well if *minimise* leaves one item, which ddmin itself never does.

    Picireny does so after every ddmin on the nodes of a level, all of which may be superfluous.
    """
    return _Made(_emptied, minimise)


def mirrored(minimise: Minimiser) -> Minimiser:
    """Go from the last item to the first: often better for code, where uses follow definitions."""
    return _Made(_from_the_end, minimise)


@dataclass(frozen=True, slots=True)
class _Made:
    """A minimiser of which *make* makes another one; what it is told of weights, it passes on."""

    make: Callable[[Minimiser], Minimiser]
    inner: Minimiser

    def __call__(self, items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        return self.make(self.inner)(items, first)

    def weighing(self, weight: Weight, /) -> Minimiser:
        return _Made(self.make, weighed(self.inner, weight))


def _repeated(minimise: Minimiser) -> Minimiser:
    def repeated(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        rest = tuple(items)
        while len(smaller := minimise(rest, first)) < len(rest):
            rest = smaller
        return rest

    return repeated


def _emptied(minimise: Minimiser) -> Minimiser:
    def emptied(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        rest = minimise(items, first)
        return () if len(rest) == 1 and first(iter([()])) is not None else rest

    return emptied


def _from_the_end(minimise: Minimiser) -> Minimiser:
    def backward(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        return minimise(items[::-1], mapped(first, lambda kept: kept[::-1]))[::-1]

    return backward


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
