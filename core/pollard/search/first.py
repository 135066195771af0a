"""The one question that every minimiser asks: the first interesting candidate of a stream.

A stream describes the *pessimistic path*: what it yields next assumes that all it has yielded so
far was uninteresting. An answer may therefore be sought by reading ahead and trying several
candidates at once, as long as the first one in order wins. (The idea of running the all-fail path
ahead is that of halfempty, by Tavis Ormandy.)

The contract of a stream: it is read once, by one thread at a time, possibly further than the
hit; so it has no effect that outlives it. A minimiser derives its next state from the hit alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")

# `mapped` must remember what a hit may come back to. A window bounds that memory: 512 candidates of
# 5,000 items each are 20 MB, while the workers wait for each other once in 512 candidates only.
_WINDOW = 512


@dataclass(frozen=True, slots=True)
class Hit(Generic[C]):
    """The first interesting candidate of a stream."""

    index: int
    """Its position in the stream, from 0: so many candidates before it were uninteresting."""

    candidate: C
    """The candidate itself."""


First = Callable[[Iterable[C]], Hit[C] | None]
"""Reads an ordered, lazily produced stream; returns its first interesting candidate, or None if
none is interesting. Whatever it raises (a cancellation, say) passes through the minimisers."""


def sequential(test: Callable[[C], bool]) -> First[C]:
    """Answer with a loop that calls *test* (True: interesting) and reads nothing ahead.

    This is the reference: every other implementation of `First` must give the same answers.
    """

    def first(stream: Iterable[C]) -> Hit[C] | None:
        for index, candidate in enumerate(stream):
            if test(candidate):
                return Hit(index, candidate)
        return None

    return first


def mapped(first: First[B], convert: Callable[[A], B]) -> First[A]:
    """Answer for candidates of another kind: *convert* makes of each what *first* can try.

    Candidates are converted when they are read, and keep their index. Long streams reach *first*
    in windows of bounded length, one after the other.
    """

    def converted(stream: Iterable[A]) -> Hit[A] | None:
        source = iter(stream)
        start = 0
        while True:
            read: list[A] = []
            hit = first(_noting(islice(source, _WINDOW), read, convert))
            found = None if hit is None else Hit(start + hit.index, read[hit.index])
            last = len(read) < _WINDOW
            _forget(read)
            if found is not None or last:
                return found
            start += _WINDOW

    return converted


def _forget(candidates: list[A]) -> None:
    """Free candidates one by one: all at once, 512 with 12,000 items each stall other threads 0.1 s."""
    while candidates:
        candidates.pop()


def _noting(stream: Iterable[A], read: list[A], convert: Callable[[A], B]) -> Iterator[B]:
    for candidate in stream:
        read.append(candidate)
        yield convert(candidate)


def cached(first: First[C], key: Callable[[C], Hashable] = lambda candidate: candidate) -> First[C]:
    """Answer without asking *first* again for what it found uninteresting before.

    Two candidates with an equal *key* have the same verdict. The memory lasts as long as the
    function returned: make one per call of a minimiser. Interesting candidates are not remembered,
    because no minimiser returns to one: all that it tries afterwards is smaller.
    """
    uninteresting: set[Hashable] = set()

    def remembering(stream: Iterable[C]) -> Hit[C] | None:
        asked: dict[Hashable, int] = {}  # in the order of asking, each with its original index
        hit = first(_unknown(stream, uninteresting, asked, key))
        known = len(asked) if hit is None else hit.index
        uninteresting.update(islice(asked, known))
        if hit is None:
            return None
        return Hit(next(islice(asked.values(), known, None)), hit.candidate)

    return remembering


def _unknown(
    stream: Iterable[C],
    uninteresting: set[Hashable],
    asked: dict[Hashable, int],
    key: Callable[[C], Hashable],
) -> Iterator[C]:
    for index, candidate in enumerate(stream):
        name = key(candidate)
        if name not in uninteresting and name not in asked:
            asked[name] = index
            yield candidate
