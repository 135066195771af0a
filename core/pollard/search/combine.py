"""Minimisers made from other minimisers, and minimisers that can use the weight of items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from pollard.search.first import mapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.search.first import First


T = TypeVar("T")

Weight = Callable[[Any], int]
"""The size of an item in any unit; less than 1 counts as 1. Called once per item of a list."""


class Minimiser(Protocol):
    """Removes items from a list while the rest stays interesting.

    The given items are interesting and are not tested again. The result keeps their order.
    """

    def __call__(self, items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        """Return the remaining items."""
        ...


@runtime_checkable
class WeightAware(Protocol):
    """A minimiser that can use the weight of items; by default each item weighs 1."""

    def with_weight(self, weight: Weight, /) -> Minimiser:
        """Return this minimiser, using *weight*."""
        ...


class WeightedSearch(Protocol):
    """A minimiser that takes the weight of items as an argument: `wdd` or `probdd`."""

    def __call__(
        self, items: Sequence[T], first: First[tuple[T, ...]], *, weight: Weight | None
    ) -> tuple[T, ...]:
        """Return the remaining items."""
        ...


def weighed(minimise: Minimiser, weight: Weight) -> Minimiser:
    """Make *minimise* use *weight* if it is aware of weights; otherwise return it unchanged."""
    return minimise.with_weight(weight) if isinstance(minimise, WeightAware) else minimise


def by_weight(search: WeightedSearch) -> Minimiser:
    """Turn *search* into a minimiser that is aware of weights."""
    return _ByWeight(search)


def star(minimise: Minimiser) -> Minimiser:
    """Repeat *minimise* until it removes nothing more (the papers write DD*)."""
    return _Wrapped(_repeated, minimise)


def or_nothing(minimise: Minimiser) -> Minimiser:
    """Also try the empty list if *minimise* leaves one item, which ddmin never does.

    Picireny does this after each ddmin over the nodes of a level, where all may be superfluous.
    """
    return _Wrapped(_or_empty, minimise)


def mirrored(minimise: Minimiser) -> Minimiser:
    """Go from the last item to the first: often better for code, where uses follow definitions."""
    return _Wrapped(_reversed, minimise)


@dataclass(frozen=True, slots=True)
class _Wrapped:
    """*wrap* applied to a minimiser; passes a weight on to the inner minimiser."""

    wrap: Callable[[Minimiser], Minimiser]
    inner: Minimiser

    def __call__(self, items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        return self.wrap(self.inner)(items, first)

    def with_weight(self, weight: Weight, /) -> Minimiser:
        return _Wrapped(self.wrap, weighed(self.inner, weight))


@dataclass(frozen=True, slots=True)
class _ByWeight:
    search: WeightedSearch
    weight: Weight | None = None

    def __call__(self, items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        return self.search(items, first, weight=self.weight)

    def with_weight(self, weight: Weight, /) -> Minimiser:
        return _ByWeight(self.search, weight)


def _repeated(minimise: Minimiser) -> Minimiser:
    def repeated(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        rest = tuple(items)
        while len(smaller := minimise(rest, first)) < len(rest):
            rest = smaller
        return rest

    return repeated


def _or_empty(minimise: Minimiser) -> Minimiser:
    def or_empty(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        rest = minimise(items, first)
        return () if len(rest) == 1 and first(iter([()])) is not None else rest

    return or_empty


def _reversed(minimise: Minimiser) -> Minimiser:
    def backward(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        return minimise(items[::-1], mapped(first, lambda kept: kept[::-1]))[::-1]

    return backward
