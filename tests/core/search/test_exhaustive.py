"""Exhaustive search: all combinations of neighbours, once each, larger combinations first."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.search.combine import star
from pollard.search.first import sequential
from pollard.search.sweeps import WINDOW_ITEMS, exhaustive, runs_and_combinations
from tests.core.search.support import Config, Problem, scattered, speculative


def _asked(size: int, test=lambda _: False) -> tuple[Config, list[Config]]:
    asked: list[Config] = []

    def recording(config: Config) -> bool:
        asked.append(config)
        return test(config)

    return exhaustive(tuple(range(size)), sequential(recording)), asked


def _neighbours(size: int) -> list[set[int]]:
    """The definition: two or more items that fit into a window."""
    return [
        set(chosen)
        for number in range(2, WINDOW_ITEMS + 1)
        for chosen in combinations(range(size), number)
        if chosen[-1] - chosen[0] < WINDOW_ITEMS
    ]


@pytest.mark.parametrize("size", range(8))
def test_each_combination_of_neighbours_is_tried_exactly_once(size: int):
    rest, asked = _asked(size)
    removed = [tuple(sorted(set(range(size)) - set(config))) for config in asked]
    assert rest == tuple(range(size))
    assert sorted(removed) == sorted(tuple(sorted(chosen)) for chosen in _neighbours(size))


def test_larger_combinations_of_a_window_come_first():
    _, asked = _asked(4)
    assert [len(config) for config in asked[:4]] == [0, 1, 1, 1]


def test_two_items_that_need_each_other_go_even_if_not_adjacent():
    rest, _ = _asked(6, lambda config: (1 in config) == (4 in config) and {0, 2, 3, 5} <= {*config})
    assert rest == (0, 2, 3, 5)


def test_a_single_item_is_not_tried():
    assert _asked(1)[1] == []
    assert _asked(0)[1] == []


PROBLEMS = st.builds(
    Problem,
    st.integers(0, 9),
    st.builds(partial, st.just(scattered), st.integers(0, 999), st.sampled_from([2, 5, 30])),
)


@given(PROBLEMS)
def test_at_the_fixpoint_no_combination_of_neighbours_can_be_removed(problem: Problem):
    rest = star(exhaustive)(problem.items, sequential(problem))
    assert problem(rest)
    for places in _neighbours(len(rest)):
        assert not problem(tuple(item for i, item in enumerate(rest) if i not in places))


@given(PROBLEMS, st.integers(1, 4))
def test_reading_ahead_gives_the_same_result(problem: Problem, workers: int):
    with speculative(problem, workers) as first:
        assert exhaustive(problem.items, first) == exhaustive(problem.items, sequential(problem))


def test_groups_are_runs_from_the_end_followed_by_combinations() -> None:
    runs = ["d", "c", "b", "a", "cd", "bc", "ab", "bcd", "abc", "abcd"]
    two = ["ab", "ac", "ad", "bc", "bd", "cd"]
    three = ["abc", "abd", "acd", "bcd"]
    assert ["".join(group) for group in runs_and_combinations("abcd", 1, 3)] == runs + two + three
    assert ["".join(group) for group in runs_and_combinations("abcd", 2, 2)] == runs[4:] + two


def test_runs_have_up_to_eight_items() -> None:
    lengths = [len(group) for group in runs_and_combinations(range(12), 1, 1)]
    assert max(lengths) == 8
    assert len(lengths) == sum(12 - length + 1 for length in range(1, 9))
