"""Weighted delta debugging: ddmin that cuts its pieces by weight instead of by number.

"WDD: Weighted Delta Debugging" (Zhou, Xu, Zhang, Tian & Sun, ICSE 2025), there called W-ddmin.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

from pollard.search.probabilistic import pursue

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pollard.search.first import First

    Piece = tuple[int, ...]

T = TypeVar("T")


def wdd(
    items: Sequence[T],
    first: First[tuple[T, ...]],
    *,
    weight: Callable[[T], int] | None = None,
) -> tuple[T, ...]:
    """Return a 1-minimal part of *items*, in their order, which must be interesting themselves.

    All pieces are cut in two where that halves the *weight* of each most nearly (an item weighs 1 at
    least, and without *weight* just that); then each piece is tried alone, then each complement, as
    in ddmin. A piece of one item is tried once and then left to the end, when single items are
    removed until none goes. Nothing at all is tried too, if only one item is left. As in ddmin here,
    complements go on with the next piece after one that could go, and nothing is tried twice. At
    worst O(n^2) candidates are tried for n items; one heavy item is found in a few.
    """
    weights = tuple(1 if weight is None else max(weight(item), 1) for item in items)
    everything = tuple(range(len(items)))
    return pursue(items, first, _cut(weights, everything, (everything,)))


def halves(piece: Piece, weights: Sequence[int]) -> tuple[Piece, ...]:
    """Cut *piece* in two of nearly the same weight, the first of two such places; one item: none."""
    sums = list(accumulate(weights[place] for place in piece))
    cut = min(range(1, len(piece)), key=lambda i: abs(2 * sums[i - 1] - sums[-1]), default=0)
    return (piece[:cut], piece[cut:]) if cut else ()


def _cut(weights: tuple[int, ...], rest: Piece, pieces: Sequence[Piece]) -> _Pieces | _Singly:
    finer = tuple(half for piece in pieces for half in halves(piece, weights))
    return _Pieces(weights, rest, finer) if finer else _Singly(rest, len(rest))


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Trials number 0 to n - 1 are the n pieces alone, n to 2n - 1 the complements from *offset* on."""

    weights: tuple[int, ...]
    rest: Piece
    pieces: tuple[Piece, ...]
    number: int = 0
    offset: int = 0

    @property
    def _piece(self) -> int:
        return (self.number + self.offset * self._complement) % len(self.pieces)

    @property
    def _complement(self) -> bool:
        return self.number >= len(self.pieces)

    @property
    def chosen(self) -> Piece:
        piece = self.pieces[self._piece]
        return piece if self._complement else _without(self.rest, piece)

    def failed(self) -> _Pieces | _Singly:
        if self.number + 1 == 2 * len(self.pieces):
            return _cut(self.weights, self.rest, self.pieces)
        return _Pieces(self.weights, self.rest, self.pieces, self.number + 1, self.offset)

    def succeeded(self) -> _Pieces | _Singly:
        at, piece = self._piece, self.pieces[self._piece]
        if not self._complement:
            return _cut(self.weights, piece, (piece,))
        rest, pieces = _without(self.rest, piece), self.pieces[:at] + self.pieces[at + 1 :]
        if not pieces:
            return _Singly(rest, len(rest))
        return _Pieces(self.weights, rest, pieces, len(pieces), at)


@dataclass(frozen=True, slots=True)
class _Singly:
    """Remove the first item, or put it behind the others, until as many failed as there are."""

    rest: Piece
    untried: int

    @property
    def chosen(self) -> Piece:
        return self.rest[: min(self.untried, 1)]

    def failed(self) -> _Singly:
        return _Singly(self.rest[1:] + self.rest[:1], self.untried - 1)

    def succeeded(self) -> _Singly:
        return _Singly(self.rest[1:], len(self.rest) - 1)


def _without(rest: Piece, piece: Piece) -> Piece:
    gone = set(piece)
    return tuple(place for place in rest if place not in gone)
