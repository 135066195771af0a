"""Minimisers made of minimisers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

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

    def repeated(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        rest = tuple(items)
        while len(smaller := minimise(rest, first)) < len(rest):
            rest = smaller
        return rest

    return repeated


def or_nothing(minimise: Minimiser) -> Minimiser:
    """Try the empty list as well if *minimise* leaves one item, which ddmin itself never does.

    Picireny does so after every ddmin on the nodes of a level, all of which may be superfluous.
    """

    def emptied(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        rest = minimise(items, first)
        return () if len(rest) == 1 and first(iter([()])) is not None else rest

    return emptied
