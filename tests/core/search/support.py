"""Problems for minimisers, and implementations of `First` that answer in different ways."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Generic, TypeVar
from zlib import crc32

from hypothesis import strategies as st

from pollard.search import DdminOptions, First, Hit, minimiser
from pollard.search.ddmin import backward, balanced_split, forward, skip, zeller_split

C = TypeVar("C")
Config = tuple[int, ...]

# A selection of minimisers that covers every algorithm and most options.
MINIMISERS = {
    name: minimiser(name)
    for name in (
        "ddmin",
        "ddmin-backward",
        "ddmin-complement",
        "ddmin-complement-backward",
        "remove-each",
        "remove-each-backward",
        "remove-each-whole",
        "remove-each-whole-backward",
        "remove-each-whole-once",
        "one-by-one",
        "gallop",
        "probdd",
        "probdd-0.25",
        "wprobdd",
        "cdd",
        "cdd-0.25",
        "cdd-backward",
        "wdd",
        "wdd-backward",
    )
}

OPTIONS = st.builds(
    DdminOptions,
    factor=st.sampled_from([2, 3, 5, 1000]),
    split=st.sampled_from([zeller_split, balanced_split]),
    subsets=st.sampled_from([forward, backward, skip]),
    complements=st.sampled_from([forward, backward, skip]),
    subsets_first=st.booleans(),
    interleaved=st.booleans(),
    cached=st.booleans(),
)


@dataclass(frozen=True)
class Problem:
    """The numbers below *size*, and a test for their subsets; the whole list is interesting."""

    size: int
    test: Callable[[Config], bool]

    @property
    def items(self) -> Config:
        return tuple(range(self.size))

    def __call__(self, config: Config) -> bool:
        return len(config) == self.size or self.test(config)


def contains(needed: frozenset[int], config: Config) -> bool:
    """Monotone: if a part is interesting, everything that contains it is."""
    return needed.issubset(config)


def contains_one_of(cores: tuple[frozenset[int], ...], config: Config) -> bool:
    """Monotone, with several minima."""
    return any(core.issubset(config) for core in cores)


def closed(needed: frozenset[int], uses: tuple[tuple[int, int], ...], config: Config) -> bool:
    """Not monotone: an item needs those that it uses, as a name needs its declaration."""
    return needed.issubset(config) and all(used in config for user, used in uses if user in config)


def balanced(needed: frozenset[int], modulus: int, size: int, config: Config) -> bool:
    """Not monotone: only some lengths are interesting, so no single item can be removed."""
    return needed.issubset(config) and len(config) % modulus == size % modulus


def scattered(seed: int, rate: int, config: Config) -> bool:
    """Adversarial: one configuration in *rate* is interesting, without any structure."""
    return crc32(repr((seed, config)).encode()) % rate == 0


@st.composite
def problems(draw: st.DrawFn, max_size: int = 40) -> Problem:
    size = draw(st.integers(0, max_size))
    item = st.integers(0, max(0, size - 1))
    some = st.frozensets(item, max_size=size if size < 4 else draw(st.sampled_from([3, size])))
    tests: list[st.SearchStrategy[Callable[[Config], bool]]] = [
        st.builds(partial, st.just(scattered), st.integers(0, 999), st.sampled_from([2, 4, 16])),
    ]
    if size:
        pairs = st.lists(st.tuples(item, item), max_size=size).map(tuple)
        tests += [
            st.builds(partial, st.just(contains), some),
            st.builds(partial, st.just(contains_one_of), st.lists(some, min_size=2).map(tuple)),
            st.builds(partial, st.just(closed), some, pairs),
            st.builds(partial, st.just(balanced), some, st.integers(2, 4), st.just(size)),
        ]
    return Problem(size, draw(st.one_of(tests)))


class Recorder(Generic[C]):
    """Records the candidates that a test function saw, in order, and the interesting ones."""

    def __init__(self, test: Callable[[C], bool]) -> None:
        self._test = test
        self.asked: list[C] = []
        self.interesting: list[C] = []

    def __call__(self, candidate: C) -> bool:
        self.asked.append(candidate)
        verdict = self._test(candidate)
        if verdict:
            self.interesting.append(candidate)
        return verdict


def accepting(first: First[C], accepted: list[C]) -> First[C]:
    """Record every hit of *first* in *accepted*."""

    def recording(stream: Iterable[C]) -> Hit[C] | None:
        hit = first(stream)
        if hit is not None:
            accepted.append(hit.candidate)
        return hit

    return recording


@contextmanager
def speculative(test: Callable[[C], bool], workers: int) -> Iterator[First[C]]:
    """Keep *workers* threads busy with the next candidates; the first hit in order wins."""

    def hesitant(candidate: C) -> bool:
        time.sleep(
            crc32(repr(candidate).encode()) % 3 * 1e-4
        )  # so that answers overtake each other
        return test(candidate)

    def first(stream: Iterable[C]) -> Hit[C] | None:
        source = iter(stream)
        running: deque[tuple[C, Future[bool]]] = deque()
        index = 0
        while True:
            for candidate in islice(source, workers - len(running)):
                running.append((candidate, pool.submit(hesitant, candidate)))
            if not running:
                return None
            candidate, verdict = running.popleft()
            if verdict.result():
                return Hit(index, candidate)
            index += 1

    with ThreadPoolExecutor(workers) as pool:
        yield first


def reading_all(test: Callable[[C], bool]) -> First[C]:
    """Read the whole stream, test it from the end, and only then answer."""

    def first(stream: Iterable[C]) -> Hit[C] | None:
        hits = [Hit(i, c) for i, c in reversed(list(enumerate(stream))) if test(c)]
        return hits[-1] if hits else None

    return first
