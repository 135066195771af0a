"""Zeller's and Hildebrandt's minimising delta debugging: figure 1 of the 2021 paper on hoisting.

With Picire's options (Hodován & Kiss, "Practical Improvements to the Minimizing Delta Debugging
Algorithm", ICSOFT-EA 2016), except random order, since a reduction must be repeatable. With equal
options it tries the same configurations in the same order as Picire 21.8. One difference: Picire
starts each iteration by running the current configuration again, to assert that it is interesting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Generic, TypeVar

from pollard.search.first import First, cached, mapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


Order = Callable[[int], Iterable[int]]
"""Yields the numbers below n in the order in which to try them: each once, or none at all."""

Split = Callable[[int, int], tuple[int, ...]]
"""Cuts *length* items into *pieces* non-empty runs (0 < pieces <= length): returns the pieces + 1
boundaries, from 0 to length."""


def forward(n: int) -> Iterable[int]:
    """Try from first to last."""
    return range(n)


def backward(n: int) -> Iterable[int]:
    """Try from last to first: often better for code, where uses follow definitions."""
    return range(n - 1, -1, -1)


def skip(n: int) -> Iterable[int]:  # noqa: ARG001 - an Order that needs no number
    """Try nothing."""
    return ()


def zeller_split(length: int, pieces: int) -> tuple[int, ...]:
    """Cut off 1/pieces of the items, then 1/(pieces - 1) of the rest, and so on.

    Fractions are rounded down, so longer pieces come last.
    """
    cuts = [0]
    for pieces_left in range(pieces, 0, -1):
        cuts.append(cuts[-1] + (length - cuts[-1]) // pieces_left)
    return tuple(cuts)


def balanced_split(length: int, pieces: int) -> tuple[int, ...]:
    """Cut at the multiples of length/pieces, rounded down: longer pieces are spread evenly."""
    return tuple(length * i // pieces for i in range(pieces + 1))


@dataclass(frozen=True, slots=True)
class DdminOptions:
    """The options of `ddmin`; the defaults are those of the paper and of Picire.

    Raises ValueError for a factor below 2.
    """

    factor: int = 2
    """The initial number of pieces, and by how much it grows when no piece can be removed. A factor
    above the number of items makes each item a piece from the start."""

    split: Split = zeller_split
    """Where to cut: `zeller_split` or `balanced_split`."""

    subsets: Order = forward
    """The order in which to try each piece alone. With `skip` only complements are tried: where
    one piece is rarely enough, that takes fewer runs to a result of the same size."""

    complements: Order = forward
    """The order in which to try all but one piece. With `skip` the result is not 1-minimal."""

    subsets_first: bool = True
    """Whether to try pieces alone before the complements, as the paper does, or after them."""

    interleaved: bool = False
    """Whether pieces alone and complements alternate, instead of one kind following the other."""

    cached: bool = True
    """Whether to skip configurations that this call has already found uninteresting."""

    def __post_init__(self) -> None:
        if self.factor < 2:
            raise ValueError("ddmin needs a split factor of 2 or more")


T = TypeVar("T")
U = TypeVar("U")

_DEFAULT_OPTIONS = DdminOptions()


def ddmin(
    items: Sequence[T], first: First[tuple[T, ...]], *, options: DdminOptions = _DEFAULT_OPTIONS
) -> tuple[T, ...]:
    """Return a 1-minimal part of *items*, in order; *items* must be interesting.

    The empty configuration is never tried, so one item always remains. If *options* skip
    complements, the result is not 1-minimal. For n items and default options at most O(n^2)
    candidates are tried; O(log n) if one item is enough.
    """
    ask: First[_Subset[T]] = mapped(first, _kept)
    if options.cached:
        ask = cached(ask, key=_identity)
    state = _State(tuple(items), tuple(range(len(items))), (0, len(items)))
    while len(state.items) > 1:
        if state.pieces == 1:
            state = state.split(options)
        hit = ask(_subsets(state, options))
        if hit is not None:
            state = state.reduced(hit.candidate, options)
        elif state.pieces < len(state.items):
            state = state.refined(options)
        else:
            break
    return state.items


@dataclass(frozen=True, slots=True)
class _State(Generic[T]):
    """An interesting configuration, and how it is cut into pieces."""

    items: tuple[T, ...]
    indices: tuple[int, ...]  # of these items in the original list, rising
    cuts: tuple[int, ...]  # piece i is items[cuts[i]:cuts[i + 1]]
    offset: int = 0  # the piece whose complement comes first, modulo the number of pieces
    pieces_failed: bool = False  # each piece alone is known to be uninteresting

    @property
    def pieces(self) -> int:
        return len(self.cuts) - 1

    def split(self, options: DdminOptions) -> _State[T]:
        """Cut anew, into `factor` times as many pieces or into single items."""
        length = len(self.items)
        cuts = options.split(length, min(length, self.pieces * options.factor))
        return replace(self, cuts=cuts, pieces_failed=False)

    def refined(self, options: DdminOptions) -> _State[T]:
        """Cut anew, and continue the complements from the same place in the configuration.

        Rounding the offset down is safe: a fraction only arises when splitting into single items,
        after which the granularity does not grow before the next hit sets a new offset.
        """
        finer = self.split(options)
        return replace(finer, offset=self.offset * finer.pieces // self.pieces)

    def reduced(self, subset: _Subset[T], options: DdminOptions) -> _State[T]:
        """Continue with *subset*: a piece becomes one piece again; a complement keeps its cuts."""
        items, indices = subset.of(self.items), subset.of(self.indices)
        if not subset.is_complement:
            return _State(items, indices, (0, len(items)))
        width = subset.stop - subset.start
        before, after = self.cuts[: subset.piece + 1], self.cuts[subset.piece + 2 :]
        cuts = before + tuple(cut - width for cut in after)
        failed = options.cached and options.subsets_first and not options.interleaved
        return _State(items, indices, cuts, subset.piece, failed)


@dataclass(frozen=True, slots=True)
class _Subset(Generic[T]):
    """A part of a configuration to try: one of its pieces, or the complement of a piece."""

    state: _State[T]
    piece: int
    is_complement: bool

    @property
    def start(self) -> int:
        return self.state.cuts[self.piece]

    @property
    def stop(self) -> int:
        return self.state.cuts[self.piece + 1]

    def of(self, values: tuple[U, ...]) -> tuple[U, ...]:
        """Select this subset of *values*, which are aligned with the configuration's items."""
        if self.is_complement:
            return values[: self.start] + values[self.stop :]
        return values[self.start : self.stop]


def _kept(subset: _Subset[T]) -> tuple[T, ...]:
    return subset.of(subset.state.items)


def _identity(subset: _Subset[T]) -> tuple[int, ...]:
    """Identify the items of *subset* by the first and last index, the length and the gap.

    The configurations of one call are nested, so subsets with equal ends, gap and length hold the
    same items; and subsets with the same items have the same identity.
    """
    indices, start, stop = subset.state.indices, subset.start, subset.stop
    length = len(indices)
    if subset.is_complement:
        if start > 0 and stop < length:
            gap = (indices[start - 1], indices[stop])
            return (indices[0], indices[-1], length - (stop - start), *gap)
        start, stop = (stop, length) if start == 0 else (0, start)
    return (indices[start], indices[stop - 1], stop - start)


def _subsets(state: _State[T], options: DdminOptions) -> Iterator[_Subset[T]]:
    """Yield what one iteration of ddmin tries, in order."""
    n = state.pieces
    order = () if state.pieces_failed else options.subsets(n)
    pieces = (_Subset(state, i, is_complement=False) for i in order)
    complements = (
        _Subset(state, (i + state.offset) % n, is_complement=True) for i in options.complements(n)
    )
    kinds = (pieces, complements) if options.subsets_first else (complements, pieces)
    return _alternating(*kinds) if options.interleaved else chain(*kinds)


def _alternating(left: Iterable[U], right: Iterable[U]) -> Iterator[U]:
    for pair in zip_longest(left, right):
        yield from (subset for subset in pair if subset is not None)
