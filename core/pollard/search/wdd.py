"""Weighted delta debugging: ddmin that cuts the list by weight instead of by number of items.

"WDD: Weighted Delta Debugging" (Zhou, Xu, Zhang, Tian & Sun, ICSE 2025); its W-ddmin.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

from pollard.search.probabilistic import follow

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
    """Return a 1-minimal part of *items*, in order; *items* must be interesting.

    Each round cuts every piece into two of nearly equal *weight* (1 per item by default), then
    tries each piece alone and each complement, as ddmin does. After a complement succeeds, the
    search goes on with the next one. A piece of one item is tried once and then put off to the end,
    where single items are removed until none can go. The empty list is tried when one item is left.
    No list is tried twice. At most O(n^2) candidates for n items; few if a single, heavy item is
    needed.
    """
    weights = tuple(1 if weight is None else max(weight(item), 1) for item in items)
    everything = tuple(range(len(items)))
    return follow(_cut(weights, everything, (everything,)), items, first)


def halves(piece: Piece, weights: Sequence[int]) -> tuple[Piece, ...]:
    """Cut *piece* where its halves' weights differ least (ties: the first place); () for one item."""
    sums = list(accumulate(weights[index] for index in piece))
    cut = min(range(1, len(piece)), key=lambda i: abs(2 * sums[i - 1] - sums[-1]), default=0)
    return (piece[:cut], piece[cut:]) if cut else ()


def _cut(weights: tuple[int, ...], rest: Piece, pieces: Sequence[Piece]) -> _Pieces | _SingleItems:
    finer = tuple(half for piece in pieces for half in halves(piece, weights))
    return _Pieces(weights, rest, finer) if finer else _SingleItems(rest, len(rest))


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Steps 0 to n - 1 try the n pieces alone; n to 2n - 1 try complements, from *offset* on."""

    weights: tuple[int, ...]
    rest: Piece
    pieces: tuple[Piece, ...]
    step: int = 0
    offset: int = 0

    @property
    def _index(self) -> int:
        return (self.step + self.offset * self._is_complement) % len(self.pieces)

    @property
    def _is_complement(self) -> bool:
        return self.step >= len(self.pieces)

    @property
    def chosen(self) -> Piece:
        piece = self.pieces[self._index]
        return piece if self._is_complement else _without(self.rest, piece)

    def failed(self) -> _Pieces | _SingleItems:
        if self.step + 1 == 2 * len(self.pieces):
            return _cut(self.weights, self.rest, self.pieces)
        return _Pieces(self.weights, self.rest, self.pieces, self.step + 1, self.offset)

    def succeeded(self) -> _Pieces | _SingleItems:
        index, piece = self._index, self.pieces[self._index]
        if not self._is_complement:
            return _cut(self.weights, piece, (piece,))
        rest, pieces = _without(self.rest, piece), self.pieces[:index] + self.pieces[index + 1 :]
        if not pieces:
            return _SingleItems(rest, len(rest))
        return _Pieces(self.weights, rest, pieces, len(pieces), index)


@dataclass(frozen=True, slots=True)
class _SingleItems:
    """Remove the first item, or move it to the end; stop when all have failed in a row."""

    rest: Piece
    untried: int

    @property
    def chosen(self) -> Piece:
        return self.rest[: min(self.untried, 1)]

    def failed(self) -> _SingleItems:
        return _SingleItems(self.rest[1:] + self.rest[:1], self.untried - 1)

    def succeeded(self) -> _SingleItems:
        return _SingleItems(self.rest[1:], len(self.rest) - 1)


def _without(rest: Piece, piece: Piece) -> Piece:
    removed = set(piece)
    return tuple(index for index in rest if index not in removed)
