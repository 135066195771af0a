"""The one question of all minimisers: the first interesting candidate of a stream.

A stream assumes that each candidate that it has yielded was uninteresting. So whoever answers may
read ahead and test several candidates in parallel, as long as the first interesting one in order
wins.
(Running the all-fail path ahead is the idea of halfempty, by Tavis Ormandy.)

A stream is read once, by one thread at a time, and possibly beyond the hit: its generator must have
no side effects. A minimiser derives its next state from the hit alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")

# `mapped` keeps the candidates that a hit may refer to. The window bounds that memory: 512 candidates
# of 5,000 items each take 20 MB, and parallel workers wait for each other once per window only.
_WINDOW_CANDIDATES = 512


@dataclass(frozen=True, slots=True)
class Hit(Generic[C]):
    """The first interesting candidate of a stream."""

    index: int
    """Its position in the stream, from 0; the number of uninteresting candidates before it."""

    candidate: C
    """The candidate itself."""


First = Callable[[Iterable[C]], Hit[C] | None]
"""Reads an ordered, lazy stream and returns its first interesting candidate, or None if there is
none. An exception (such as a cancellation) passes through the minimisers."""


def sequential(test: Callable[[C], bool]) -> First[C]:
    """Answer with a plain loop that calls *test* (True: interesting) and does not read ahead.

    This is the reference: any other implementation of `First` must give the same answers.
    """

    def first(stream: Iterable[C]) -> Hit[C] | None:
        for index, candidate in enumerate(stream):
            if test(candidate):
                return Hit(index, candidate)
        return None

    return first


def mapped(first: First[B], convert: Callable[[A], B]) -> First[A]:
    """Answer for candidates of another type, each converted by *convert* when it is read.

    A hit holds the unconverted candidate and its index. Long streams are passed to *first* in
    windows of bounded length.
    """

    def converted(stream: Iterable[A]) -> Hit[A] | None:
        source = iter(stream)
        start = 0
        while True:
            read: list[A] = []
            hit = first(_recording(islice(source, _WINDOW_CANDIDATES), read, convert))
            found = None if hit is None else Hit(start + hit.index, read[hit.index])
            exhausted = len(read) < _WINDOW_CANDIDATES
            _free(read)
            if found is not None or exhausted:
                return found
            start += _WINDOW_CANDIDATES

    return converted


def _free(candidates: list[A]) -> None:
    """Free candidates one by one: 512 of 12,000 items freed together stall other threads for 0.1 s."""
    while candidates:
        candidates.pop()


def _recording(stream: Iterable[A], read: list[A], convert: Callable[[A], B]) -> Iterator[B]:
    for candidate in stream:
        read.append(candidate)
        yield convert(candidate)


def cached(first: First[C], key: Callable[[C], Hashable] = lambda candidate: candidate) -> First[C]:
    """Answer without passing to *first* what it has already found uninteresting.

    Candidates with equal *key* have equal verdicts. The memory lives as long as the returned
    function: make one per call of a minimiser. Hits are not remembered, because every later
    candidate of a minimiser is smaller.
    """
    uninteresting: set[Hashable] = set()

    def remembering(stream: Iterable[C]) -> Hit[C] | None:
        asked: dict[Hashable, int] = {}  # the index in *stream* of each key passed to *first*
        hit = first(_unknown(stream, uninteresting, asked, key))
        failures = len(asked) if hit is None else hit.index
        uninteresting.update(islice(asked, failures))
        if hit is None:
            return None
        return Hit(next(islice(asked.values(), failures, None)), hit.candidate)

    return remembering


def _unknown(
    stream: Iterable[C],
    uninteresting: set[Hashable],
    asked: dict[Hashable, int],
    key: Callable[[C], Hashable],
) -> Iterator[C]:
    for index, candidate in enumerate(stream):
        identity = key(candidate)
        if identity not in uninteresting and identity not in asked:
            asked[identity] = index
            yield candidate
