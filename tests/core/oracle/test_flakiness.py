"""The choice of k of n runs for a flaky failure, and the advice that is given."""

from __future__ import annotations

import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from pollard.oracle import CommandOracle, Frequency, Predicate
from pollard.oracle.checking.flakiness import (
    MAX_ERROR,
    RARER,
    Attempt,
    Flakiness,
    chance_of_hits,
    compared_frequencies,
    requirement_for,
)
from pollard.oracle.checking.remedies import Remedy
from tests.examples import examples

RATES = st.floats(0.01, 0.99)
SEED = Remedy("PYTHONHASHSEED=0", ("env", "PYTHONHASHSEED=0"))


def _wrong(required: int, total: int, rate: float) -> tuple[float, float]:
    """The chances of both wrong verdicts, by adding up every sequence of runs one run at a time."""
    return (
        1 - _at_least(required, total, rate),
        _at_least(required, total, rate * RARER),
    )


def _at_least(required: int, total: int, rate: float) -> float:
    if required <= 0:
        return 1.0
    if total < required:
        return 0.0
    hit, miss = _at_least(required - 1, total - 1, rate), _at_least(required, total - 1, rate)
    return rate * hit + (1 - rate) * miss


@examples(40)
@given(st.integers(1, 8), st.integers(0, 4), RATES)
def test_the_chance_of_hits_is_that_of_independent_runs(required, more, rate):
    total = required + more
    assert abs(chance_of_hits(required, total, rate) - _at_least(required, total, rate)) < 1e-9


@examples(60)
@given(RATES)
def test_what_is_offered_has_the_chances_that_it_states_and_misses_little(rate):
    found = requirement_for(rate)
    if found is None:
        assert (1 - rate) ** 40 > MAX_ERROR, "not even 1 of 40 runs would do"
        return
    assert 1 <= found.required <= found.total <= 40
    assert found.missed == 1 - chance_of_hits(found.required, found.total, rate) <= MAX_ERROR
    assert found.mistaken == chance_of_hits(found.required, found.total, rate * RARER)
    assert found.mistaken <= MAX_ERROR or found.required == 1


@examples(20)
@given(st.floats(0.5, 0.99))
def test_no_smaller_number_of_runs_would_do(rate):
    found = requirement_for(rate)
    assert found is not None
    for total in range(1, min(found.total, 9)):
        for required in range(1, total + 1):
            assert max(_wrong(required, total, rate)) > MAX_ERROR


def test_usual_rates_get_few_runs():
    """Figures that a reader can check by hand: 2 of 3 at 90% misses 2.8%."""
    assert {rate: str(requirement_for(rate)) for rate in (0.9, 2 / 3, 0.5, 0.1)} == {
        0.9: "2 of 3",
        2 / 3: "2 of 5",
        0.5: "3 of 11",
        0.1: "1 of 29",
    }
    assert requirement_for(0.05) is None


def test_the_advice_names_the_very_options_and_lines():
    oracle = CommandOracle(("python3", "a b.py", "{file}"))
    flakiness = Flakiness(Frequency(6, 10), (Attempt(SEED.title, Frequency(10, 10)),), SEED)
    advice = "\n".join(flakiness.advice(oracle))
    assert "as it is: 6 of 10 runs" in advice
    assert "with PYTHONHASHSEED=0: 10 of 10 runs" in advice
    assert "-- env PYTHONHASHSEED=0 python3 'a b.py' '{file}'" in advice
    assert f'--runs-required "{flakiness.requirement}"' in advice
    lines = [line.split(": ", 1)[1] for line in advice.splitlines() if "pollard.toml: " in line]
    assert tomlkit.parse("\n".join(lines)) == {
        "command": ["env", "PYTHONHASHSEED=0", "python3", "a b.py", "{file}"],
        "runs_required": str(flakiness.requirement),
    }


def test_without_a_remedy_only_runs_are_offered_and_a_rare_failure_gets_none():
    oracle = CommandOracle(("x",))
    assert "env" not in "\n".join(Flakiness(Frequency(5, 10)).advice(oracle))
    rare = "\n".join(Flakiness(Frequency(1, 40)).advice(oracle))
    assert "too rare" in rare
    assert "runs_required" not in rare


def test_a_function_gets_no_command():
    predicate = Predicate(lambda _: True)
    advice = "\n".join(Flakiness(Frequency(5, 10), (), SEED).advice(predicate))
    assert "command = " not in advice
    assert "runs_required" in advice


def test_frequencies_are_compared_only_where_they_are_known():
    result, original = Frequency(17, 20), Frequency(3, 5)
    line = "the result fails in 17 of 20 runs, the original in 3 of 5 runs"
    assert compared_frequencies(original, result) == [line]
    assert compared_frequencies(original, None) == []
    assert str(Frequency(1, 1)) == "1 of 1 run"
