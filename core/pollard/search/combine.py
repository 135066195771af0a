"""Minimisers made of minimisers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from pollard.search.first import mapped
from pollard.search.weights import weighed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pollard.search.first import First
    from pollard.search.weights import Weight

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
