"""Zeller's and Hildebrandt's minimising delta debugging: figure 1 of the 2021 paper on hoisting.

With the options of Picire 21.8 it tries the same configurations in the same order as Picire, but
for one thing: at the start of every iteration Picire runs its current configuration once more, to
assert that it is interesting. That is not done here: a caller who distrusts the oracle checks it.

The knobs of ddmin: how a configuration is split, and what is tried in which order.

They are those of Picire (Hodován & Kiss, "Practical Improvements to the Minimizing Delta Debugging
Algorithm", ICSOFT-EA 2016), except its random order: a reduction must be repeatable.
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


T = TypeVar("T")
U = TypeVar("U")

_DEFAULT = DdminOptions()


def ddmin(
    items: Sequence[T], first: First[tuple[T, ...]], *, options: DdminOptions = _DEFAULT
) -> tuple[T, ...]:
    """Return an interesting part of *items*, in their order, which must be interesting themselves.

    It is 1-minimal (no single item can go) unless complements are skipped, and provided that
    nothing at all is uninteresting: the empty configuration is never tried. For n items and
    default options, O(n^2) configurations are tried at worst, O(log n) if one item is enough.
    """
    ask: First[_Trial[T]] = mapped(first, _kept)
    if options.cached:
        ask = cached(ask, key=_name)
    state = _State(tuple(items), tuple(range(len(items))), (0, len(items)))
    while len(state.items) > 1:
        if state.pieces == 1:
            state = state.split(options)
        hit = ask(_trials(state, options))
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
    places: tuple[int, ...]  # of these items in the original list, rising
    cuts: tuple[int, ...]  # piece i is items[cuts[i]:cuts[i + 1]]
    offset: int = 0  # the piece whose complement comes first, modulo the number of pieces
    tried: bool = False  # whether each piece alone is known to be uninteresting

    @property
    def pieces(self) -> int:
        return len(self.cuts) - 1

    def split(self, options: DdminOptions) -> _State[T]:
        """Cut anew, into `factor` times as many pieces or into single items."""
        length = len(self.items)
        cuts = options.split(length, min(length, self.pieces * options.factor))
        return replace(self, cuts=cuts, tried=False)

    def refined(self, options: DdminOptions) -> _State[T]:
        """Cut anew, and let the complements go on from the same place in the configuration.

        Rounding down is exact enough: a fraction only comes from the split into single items,
        after which the granularity does not grow again before a hit sets a new offset.
        """
        finer = self.split(options)
        return replace(finer, offset=self.offset * finer.pieces // self.pieces)

    def reduced(self, trial: _Trial[T], options: DdminOptions) -> _State[T]:
        """Go on with what *trial* kept: in one piece, or in the pieces left, from the next one."""
        items, places = trial.of(self.items), trial.of(self.places)
        if not trial.complement:
            return _State(items, places, (0, len(items)))
        width = trial.stop - trial.start
        cuts = self.cuts[: trial.piece + 1] + tuple(c - width for c in self.cuts[trial.piece + 2 :])
        tried = options.cached and options.subsets_first and not options.interleaved
        return _State(items, places, cuts, trial.piece, tried)


@dataclass(frozen=True, slots=True)
class _Trial(Generic[T]):
    """A piece of a configuration, to be tried alone, or its complement: the rest without it."""

    state: _State[T]
    piece: int
    complement: bool

    @property
    def start(self) -> int:
        return self.state.cuts[self.piece]

    @property
    def stop(self) -> int:
        return self.state.cuts[self.piece + 1]

    def of(self, values: tuple[U, ...]) -> tuple[U, ...]:
        """Select from *values*, one for each item of the configuration, those that are kept."""
        if self.complement:
            return values[: self.start] + values[self.stop :]
        return values[self.start : self.stop]


def _kept(trial: _Trial[T]) -> tuple[T, ...]:
    return trial.of(trial.state.items)


def _name(trial: _Trial[T]) -> tuple[int, ...]:
    """Name what *trial* keeps by its first and last place, its length, and its gap.

    The configurations of one call lie within each other, so two trials with the same ends, gap and
    length keep the same items; and those that keep the same items have the same name.
    """
    places, start, stop = trial.state.places, trial.start, trial.stop
    length = len(places)
    if trial.complement:
        if start > 0 and stop < length:
            gap = (places[start - 1], places[stop])
            return (places[0], places[-1], length - (stop - start), *gap)
        start, stop = (stop, length) if start == 0 else (0, start)
    return (places[start], places[stop - 1], stop - start)


def _trials(state: _State[T], options: DdminOptions) -> Iterator[_Trial[T]]:
    """All that one iteration of ddmin tries, in order."""
    n = state.pieces
    alone = () if state.tried else options.subsets(n)
    subsets = (_Trial(state, i, complement=False) for i in alone)
    complements = (
        _Trial(state, (i + state.offset) % n, complement=True) for i in options.complements(n)
    )
    kinds = (subsets, complements) if options.subsets_first else (complements, subsets)
    return _taking_turns(*kinds) if options.interleaved else chain(*kinds)


def _taking_turns(one: Iterable[U], other: Iterable[U]) -> Iterator[U]:
    for pair in zip_longest(one, other):
        yield from (trial for trial in pair if trial is not None)
