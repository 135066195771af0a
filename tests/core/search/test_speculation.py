"""Reading ahead, with threads or to the end of the stream, does not change what a minimiser does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.search import (
    DdminOptions,
    First,
    cached,
    ddmin,
    remove_each,
    sequential,
    tmin,
)
from tests.core.search.support import (
    MINIMISERS,
    OPTIONS,
    Config,
    Problem,
    accepting,
    problems,
    reading_all,
    speculative,
)
from tests.core.search.test_minimality import MAPPINGS, Values, interesting_values, smaller_values
from tests.examples import examples

FEW_EXAMPLES = examples(15)
WORKERS = st.integers(2, 4)


@pytest.mark.parametrize("name", MINIMISERS)
@FEW_EXAMPLES
@given(problem=problems(max_size=16), workers=WORKERS)
def test_workers_accept_what_a_loop_accepts(name: str, problem: Problem, workers: int) -> None:
    def run(first: First[Config]) -> tuple[Config, list[Config]]:
        accepted: list[Config] = []
        return MINIMISERS[name](problem.items, accepting(first, accepted)), accepted

    expected = run(sequential(problem))
    with speculative(problem, workers) as first:
        assert run(first) == expected
    assert run(reading_all(problem)) == expected


@examples(40)
@given(problem=problems(max_size=16), workers=WORKERS, options=OPTIONS)
def test_workers_accept_what_a_loop_accepts_with_any_options(
    problem: Problem, workers: int, options: DdminOptions
) -> None:
    def run(first: First[Config]) -> tuple[Config, list[Config]]:
        accepted: list[Config] = []
        return ddmin(problem.items, accepting(first, accepted), options=options), accepted

    expected = run(sequential(problem))
    with speculative(problem, workers) as first:
        assert run(first) == expected
    assert run(reading_all(problem)) == expected


@FEW_EXAMPLES
@given(problem=problems(max_size=16), workers=WORKERS, backward=st.booleans())
def test_sweeps_without_repeat_do_not_depend_on_workers(
    problem: Problem, workers: int, backward: bool
) -> None:
    def run(first: First[Config]) -> tuple[Config, list[Config]]:
        accepted: list[Config] = []
        recording = accepting(first, accepted)
        return remove_each(problem.items, recording, backward=backward, repeat=False), accepted

    expected = run(sequential(problem))
    with speculative(problem, workers) as first:
        assert run(first) == expected
    assert run(reading_all(problem)) == expected


@pytest.mark.parametrize("mode", [{}, {"restart": True}, {"sweeps": 1}, {"sweeps": 2}])
@FEW_EXAMPLES
@given(**MAPPINGS, workers=WORKERS)
def test_tmin_does_not_depend_on_workers(
    mode: dict[str, int], items: Values, seed: int, rate: int, workers: int
) -> None:
    def run(first: First[Values]) -> tuple[Values, list[Values]]:
        accepted: list[Values] = []
        recording = accepting(first, accepted)
        return tmin(items, recording, smaller_values(seed), **mode), accepted  # type: ignore[arg-type]

    test = interesting_values(items, seed, rate)
    expected = run(sequential(test))
    with speculative(test, workers) as first:
        assert run(first) == expected
        assert run(cached(first)) == expected
    assert run(reading_all(test)) == expected
    assert run(cached(reading_all(test))) == expected
