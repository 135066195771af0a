"""Local exhaustive search: all combinations of neighbours, once each, the most first."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.search.combine import star
from pollard.search.exhaustive import WIDTH, at_once, exhaustive
from pollard.search.first import sequential
from tests.core.search.support import Config, Problem, scattered, speculative


def _asked(size: int, test=lambda _: False) -> tuple[Config, list[Config]]:
    asked: list[Config] = []

    def noting(config: Config) -> bool:
        asked.append(config)
        return test(config)

    return exhaustive(tuple(range(size)), sequential(noting)), asked


def _near(size: int) -> list[set[int]]:
    """The definition: two items or more, none of them further apart than a window is wide."""
    return [
        set(some)
        for number in range(2, WIDTH + 1)
        for some in combinations(range(size), number)
        if some[-1] - some[0] < WIDTH
    ]


@pytest.mark.parametrize("size", range(8))
def test_every_combination_of_neighbours_is_tried_once_and_no_other(size: int):
    rest, asked = _asked(size)
    gone = [tuple(sorted(set(range(size)) - set(config))) for config in asked]
    assert rest == tuple(range(size))
    assert sorted(gone) == sorted(tuple(sorted(some)) for some in _near(size))


def test_of_a_window_the_most_go_first():
    _, asked = _asked(4)
    assert [len(config) for config in asked[:4]] == [0, 1, 1, 1]


def test_two_that_need_each_other_go_though_others_stand_between_them():
    rest, _ = _asked(6, lambda config: (1 in config) == (4 in config) and {0, 2, 3, 5} <= {*config})
    assert rest == (0, 2, 3, 5)


def test_nothing_is_asked_of_a_single_item():
    assert _asked(1)[1] == []
    assert _asked(0)[1] == []


PROBLEMS = st.builds(
    Problem,
    st.integers(0, 9),
    st.builds(partial, st.just(scattered), st.integers(0, 999), st.sampled_from([2, 5, 30])),
)


@given(PROBLEMS)
def test_repeated_until_nothing_goes_no_combination_of_neighbours_can_go(problem: Problem):
    rest = star(exhaustive)(problem.items, sequential(problem))
    assert problem(rest)
    for places in _near(len(rest)):
        assert not problem(tuple(item for i, item in enumerate(rest) if i not in places))


@given(PROBLEMS, st.integers(1, 4))
def test_reading_ahead_gives_the_same_result(problem: Problem, workers: int):
    with speculative(problem, workers) as first:
        assert exhaustive(problem.items, first) == exhaustive(problem.items, sequential(problem))


def test_what_may_go_at_once_is_rows_from_the_end_then_any_few() -> None:
    rows = ["d", "c", "b", "a", "cd", "bc", "ab", "bcd", "abc", "abcd"]
    two = ["ab", "ac", "ad", "bc", "bd", "cd"]
    three = ["abc", "abd", "acd", "bcd"]
    assert ["".join(some) for some in at_once("abcd", 1, 3)] == rows + two + three
    assert ["".join(some) for some in at_once("abcd", 2, 2)] == rows[4:] + two


def test_rows_have_up_to_eight_items() -> None:
    lengths = [len(some) for some in at_once(range(12), 1, 1)]
    assert max(lengths) == 8
    assert len(lengths) == sum(12 - length + 1 for length in range(1, 9))
