"""The knobs of ddmin: how a configuration is split, and what is tried in which order.

They are those of Picire (Hodován & Kiss, "Practical Improvements to the Minimizing Delta Debugging
Algorithm", ICSOFT-EA 2016), except its random order: a reduction must be repeatable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

Order = Callable[[int], Iterable[int]]
"""Gives the numbers below n in the order to be tried: each of them once, or none at all."""

Split = Callable[[int, int], tuple[int, ...]]
"""Cuts *length* items into *pieces* non-empty runs (0 < pieces <= length): the pieces + 1 places of
the cuts, from 0 to length."""


def forward(n: int) -> Iterable[int]:
    """Try from the first to the last."""
    return range(n)


def backward(n: int) -> Iterable[int]:
    """Try from the last to the first: often better for code, where uses follow definitions."""
    return range(n - 1, -1, -1)


def skip(n: int) -> Iterable[int]:  # noqa: ARG001 - an Order that needs no number
    """Try nothing."""
    return ()


def zeller_split(length: int, pieces: int) -> tuple[int, ...]:
    """Cut off 1/pieces of the items, then 1/(pieces - 1) of the rest, and so on.

    Fractions are rounded down, so that the longer pieces come last.
    """
    cuts = [0]
    for left in range(pieces, 0, -1):
        cuts.append(cuts[-1] + (length - cuts[-1]) // left)
    return tuple(cuts)


def balanced_split(length: int, pieces: int) -> tuple[int, ...]:
    """Cut at the multiples of length/pieces, rounded down: longer pieces are spread evenly."""
    return tuple(length * i // pieces for i in range(pieces + 1))


@dataclass(frozen=True, slots=True)
class DdminOptions:
    """How `ddmin` goes about its work; the defaults are those of the paper and of Picire.

    Raises ValueError for a factor below 2.
    """

    factor: int = 2
    """Into how many pieces to cut at first, and by how much to multiply them when none will go.
    From the number of items on, every item is a piece of its own at once."""

    split: Split = zeller_split
    """Where to cut: `zeller_split` or `balanced_split`."""

    subsets: Order = forward
    """In which order to try each piece alone; `skip` makes a ddmin of complements only, which finds
    as small results in fewer runs wherever a single piece is rarely enough."""

    complements: Order = forward
    """In which order to try all but one piece. With `skip` the result is not 1-minimal."""

    subsets_first: bool = True
    """Whether the pieces alone are tried before the complements, as in the paper, or after them."""

    interleaved: bool = False
    """Whether pieces alone and complements take turns, instead of all of one kind coming first."""

    cached: bool = True
    """Whether a configuration that was uninteresting once is not tried again in the same call."""

    def __post_init__(self) -> None:
        if self.factor < 2:
            raise ValueError("ddmin needs a split factor of 2 or more")
