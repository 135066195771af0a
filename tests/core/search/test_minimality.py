"""The guarantees of minimisers: 1-minimal lists, 1-maximal replacements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from zlib import crc32

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pollard.search import (
    DdminOptions,
    First,
    ddmin,
    minimiser,
    one_by_one,
    or_nothing,
    remove_each,
    sequential,
    star,
    tmin,
)
from pollard.search.ddmin import skip
from tests.core.search.support import MINIMISERS, OPTIONS, Config, Problem, Recorder, problems
from tests.examples import examples

Values = tuple[int, ...]


def parts_without_one(config: Config) -> list[Config]:
    return [config[:i] + config[i + 1 :] for i in range(len(config))]


def is_subsequence(part: Config, whole: Config) -> bool:
    left = iter(whole)
    return all(item in left for item in part)


def removable(problem: Problem, config: Config, *, nothing: bool) -> list[Config]:
    """Return the interesting parts that are one item shorter; the empty list only if *nothing*."""
    return [part for part in parts_without_one(config) if (part or nothing) and problem(part)]


@given(problem=problems(), options=OPTIONS)
def test_ddmin_is_1_minimal_unless_complements_are_skipped(
    problem: Problem, options: DdminOptions
) -> None:
    assume(options.complements is not skip)
    result = ddmin(problem.items, sequential(problem), options=options)
    assert removable(problem, result, nothing=False) == []


@given(problem=problems(), whole=st.booleans(), backward=st.booleans())
def test_remove_each_is_1_minimal_when_lengths_are_repeated(
    problem: Problem, whole: bool, backward: bool
) -> None:
    result = remove_each(problem.items, sequential(problem), whole=whole, backward=backward)
    assert removable(problem, result, nothing=whole or problem.size > 1) == []


@given(problem=problems())
def test_one_by_one_is_1_minimal(problem: Problem) -> None:
    result = one_by_one(problem.items, sequential(problem))
    assert removable(problem, result, nothing=True) == []


@pytest.mark.parametrize("name", MINIMISERS)
@examples(25)
@given(problem=problems(max_size=20))
def test_each_result_is_an_interesting_subsequence(name: str, problem: Problem) -> None:
    recorder = Recorder(problem)
    result = MINIMISERS[name](problem.items, sequential(recorder))
    assert result == (recorder.interesting or [problem.items])[-1]
    assert is_subsequence(result, problem.items)
    assert problem.items not in recorder.asked or problem.items == ()


@pytest.mark.parametrize("name", MINIMISERS)
@examples(25)
@given(problem=problems(max_size=20))
def test_star_ends_in_a_fixpoint(name: str, problem: Problem) -> None:
    result = star(MINIMISERS[name])(problem.items, sequential(problem))
    assert MINIMISERS[name](result, sequential(problem)) == result
    assert minimiser(f"{name}*")(problem.items, sequential(problem)) == result


@given(problem=problems(max_size=20))
def test_or_nothing_makes_ddmin_1_minimal_down_to_the_empty_list(problem: Problem) -> None:
    result = or_nothing(ddmin)(problem.items, sequential(problem))
    assert removable(problem, result, nothing=True) == []


@given(problem=problems(max_size=20))
def test_backward_is_forward_on_the_reversed_list(problem: Problem) -> None:
    mirrored: First[Config] = sequential(lambda config: problem(config[::-1]))
    expected = remove_each(problem.items[::-1], mirrored)[::-1]
    assert remove_each(problem.items, sequential(problem), backward=True) == expected


def notebook(items: Config, test: Callable[[Config], bool], asked: list[Config]) -> Config:
    """The notebook's algorithm as a plain loop, for lists."""
    length = len(items) // 2
    while length and items:
        kept: Config = ()
        for start in range(0, len(items), length):
            asked.append(kept + items[start + length :])
            if not test(asked[-1]):
                kept += items[start : start + length]
        if kept == items:
            length //= 2
        items = kept
    return items


@given(problem=problems())
def test_remove_each_runs_what_the_notebook_runs(problem: Problem) -> None:
    asked: list[Config] = []
    expected = notebook(problem.items, problem, asked)
    recorder = Recorder(problem)
    assert remove_each(problem.items, sequential(recorder)) == expected
    assert recorder.asked == asked


@given(problem=problems())
def test_remove_each_without_repeat_sweeps_each_length_once(problem: Problem) -> None:
    lengths: list[int] = []
    while (length := (lengths[-1] if lengths else problem.size) // 2) > 0:
        lengths.append(length)
    recorder = Recorder(problem)
    remove_each(problem.items, sequential(recorder), repeat=False)
    assert len(recorder.asked) <= sum(-(-problem.size // length) for length in lengths)


def smaller_values(seed: int) -> Callable[[int], Sequence[int]]:
    """Return a tau for numbers: some smaller numbers in a pseudo-random order."""

    def mixed(value: int, other: int) -> int:
        return crc32(bytes([seed, value, other]))

    def candidates(value: int) -> Sequence[int]:
        below = [other for other in range(value) if mixed(value, other) % 3]
        return sorted(below, key=lambda other: mixed(value, other))

    return candidates


def interesting_values(items: Values, seed: int, rate: int) -> Callable[[Values], bool]:
    return lambda values: values == items or crc32(repr((seed, values)).encode()) % rate == 0


MAPPINGS = {
    "items": st.lists(st.integers(0, 7), max_size=8).map(tuple),
    "seed": st.integers(0, 255),
    "rate": st.integers(1, 6),
}


@pytest.mark.parametrize("restart", [False, True])
@given(**MAPPINGS)
def test_tmin_is_1_maximal(restart: bool, items: Values, seed: int, rate: int) -> None:
    test, candidates = interesting_values(items, seed, rate), smaller_values(seed)
    recorder = Recorder(test)
    result = tmin(items, sequential(recorder), candidates, restart=restart)
    assert result == (recorder.interesting or [items])[-1]
    for i, value in enumerate(result):
        for other in candidates(value):
            assert not test((*result[:i], other, *result[i + 1 :]))


@given(**MAPPINGS, sweeps=st.integers(0, 3))
def test_tmin_visits_each_item_once_per_sweep(
    items: Values, seed: int, rate: int, sweeps: int
) -> None:
    """Several sweeps equal as many calls with one sweep."""
    test, candidates = interesting_values(items, seed, rate), smaller_values(seed)
    values = items
    for _ in range(sweeps):
        for i in range(len(values)):
            while True:
                tried = [(*values[:i], c, *values[i + 1 :]) for c in candidates(values[i])]
                if (better := next(filter(test, tried), None)) is None:
                    break
                values = better
    assert tmin(items, sequential(test), candidates, sweeps=sweeps) == values


@pytest.mark.parametrize("wrong", [{"restart": True, "sweeps": 1}, {"sweeps": -1}])
def test_tmin_raises_for_negative_sweeps_and_sweeps_with_restart(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="sweeps"):
        tmin((1, 2), sequential(lambda _: True), smaller_values(0), **wrong)  # type: ignore[arg-type]
