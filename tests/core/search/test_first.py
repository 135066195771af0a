"""The contract of `First` and of its wrappers `mapped` and `cached`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.search import Hit, cached, mapped, sequential
from pollard.search.first import _WINDOW_CANDIDATES as WINDOW
from tests.core.search.support import Recorder, reading_all, speculative


def test_sequential_reads_nothing_after_the_hit() -> None:
    read: list[int] = []

    def stream() -> Iterator[int]:
        for number in range(10):
            read.append(number)
            yield number

    assert sequential(lambda number: number == 3)(stream()) == Hit(3, 3)
    assert read == [0, 1, 2, 3]


def test_sequential_returns_none_for_an_uninteresting_stream() -> None:
    assert sequential(set[int]().__contains__)(range(10)) is None
    assert sequential(lambda _: True)(()) is None


@pytest.mark.parametrize("wanted", [0, 1, WINDOW - 1, WINDOW, 3 * WINDOW + 5])
def test_mapped_keeps_the_index_across_windows(wanted: int) -> None:
    for first in (sequential(lambda s: s == str(wanted)), reading_all(lambda s: s == str(wanted))):
        assert mapped(first, str)(range(4 * WINDOW)) == Hit(wanted, wanted)


@pytest.mark.parametrize(
    "length",
    [
        0,
        1,
        WINDOW - 1,
        WINDOW,
        WINDOW + 1,
        2 * WINDOW,
    ],
)
def test_mapped_tries_every_candidate_once(length: int) -> None:
    recorder = Recorder[str](lambda _: False)
    assert mapped(sequential(recorder), str)(range(length)) is None
    assert recorder.asked == [str(number) for number in range(length)]


def test_mapped_converts_candidates_only_when_they_are_read() -> None:
    converted: list[int] = []

    def convert(number: int) -> int:
        converted.append(number)
        return -number

    assert mapped(sequential(lambda number: number == -2), convert)(range(9)) == Hit(2, 2)
    assert converted == [0, 1, 2]


@given(st.lists(st.lists(st.integers(0, 9), max_size=12), max_size=6), st.sets(st.integers(0, 9)))
def test_cached_gives_the_index_in_the_original_stream(
    streams: list[list[int]], interesting: set[int]
) -> None:
    """Uninteresting candidates are not tested again, and the answers are the same."""
    recorder = Recorder[int](interesting.__contains__)
    remembering = cached(sequential(recorder))
    for stream in streams:
        assert remembering(stream) == sequential(interesting.__contains__)(stream)
    uninteresting = [number for number in recorder.asked if number not in interesting]
    assert len(set(uninteresting)) == len(uninteresting)


def test_cached_does_not_remember_candidates_after_the_hit() -> None:
    """A candidate that was only read ahead has no verdict yet, so it must be tested next time."""
    recorder = Recorder[int](lambda number: number in {1, 3})
    remembering = cached(reading_all(recorder))
    assert remembering([0, 1, 2, 3]) == Hit(1, 1)
    assert remembering([0, 2, 3]) == Hit(2, 3)
    assert recorder.asked.count(2) == 2
    assert recorder.asked.count(0) == 1


def test_cached_compares_keys() -> None:
    recorder = Recorder[str](lambda word: word == "ABC")
    remembering = cached(sequential(recorder), key=str.lower)
    assert remembering(["a", "A", "b"]) is None
    assert remembering(["B", "ABC"]) == Hit(1, "ABC")
    assert recorder.asked == ["a", "b", "ABC"]


def test_exceptions_pass_through_the_wrappers() -> None:
    def stopped(stream: Iterable[str]) -> Hit[str] | None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cached(mapped(stopped, str))(range(3))


@given(st.lists(st.booleans(), max_size=20), st.integers(2, 4))
def test_parallel_implementations_answer_like_a_loop(verdicts: list[bool], workers: int) -> None:
    expected = sequential(verdicts.__getitem__)(range(len(verdicts)))
    with speculative(verdicts.__getitem__, workers) as first:
        assert first(range(len(verdicts))) == expected
    assert reading_all(verdicts.__getitem__)(range(len(verdicts))) == expected
