"""A search that runs ahead gives what one job gives: texts, counted runs and the figures of passes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.oracle import Verdict
from pollard.passes.strategy import Strategy
from pollard.speculation import Speculation
from pollard.speculation.modes import Copying
from tests.core.speculation.support import (
    TEXT,
    figures,
    nothing_left,
    plan,
    random_verdicts,
    reduced,
    speculating,
)
from tests.examples import examples, rarely

JOBS = (2, 3, 8, 16)


@pytest.fixture(autouse=True, params=[Copying.FORKED, *rarely(Copying.REPLAYED)])
def _speculating(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    speculating(monkeypatch, request.param)


@pytest.mark.parametrize("jobs", [3, *rarely(2, 8, 16)])
@pytest.mark.parametrize("speculation", [Speculation.EAGER, Speculation.FRUGAL])
def test_any_number_of_jobs_accepts_and_counts_the_same(
    jobs: int, speculation: Speculation
) -> None:
    def needles(text: bytes) -> bool:
        return text.count(b"needle") == 2

    alone = plan(needles, 1)
    with nothing_left():
        assert figures(plan(needles, jobs, speculation=speculation)) == figures(alone)


@examples(24)
@given(
    seed=st.integers(0, 10_000),
    rate=st.sampled_from([0.02, 0.1, 0.3, 0.6]),
    delay=st.sampled_from([0.0, 0.001]),
    jobs=st.sampled_from(JOBS),
    learn_invalid=st.booleans(),
    strategy=st.sampled_from(["default", "hddh*", "smallest", "coarse-hdd+hddr:cdd*", "ddmin"]),
)
def test_random_verdicts_give_the_same(seed, rate, delay, jobs, learn_invalid, strategy) -> None:
    options = {"learn_invalid": learn_invalid, "strategy": Strategy.parse(strategy)}
    alone = plan(random_verdicts(seed, rate), 1, **options)
    assert figures(plan(random_verdicts(seed, rate, delay), jobs, **options)) == figures(alone)


@pytest.mark.exhaustive
@pytest.mark.parametrize("jobs", JOBS)
@pytest.mark.parametrize("seed", range(12))
def test_many_random_verdicts_give_the_same(seed: int, jobs: int) -> None:
    rate = (seed % 8 + 1) / 16
    options = {"learn_invalid": seed % 3 == 0}
    alone = plan(random_verdicts(seed, rate), 1, **options)
    assert figures(plan(random_verdicts(seed, rate, 0.002), jobs, **options)) == figures(alone)


def test_an_error_in_a_run_that_only_a_shadow_needed_does_not_end_the_reduction() -> None:
    needed: set[bytes] = set()
    verdicts = random_verdicts(7, 0.2, 0.002)

    def noted(text: bytes) -> Verdict:
        needed.add(text)
        return verdicts(text)

    alone = figures(plan(noted, 1))

    def strict(text: bytes) -> Verdict:
        if text not in needed:
            raise ValueError(text)
        return verdicts(text)

    assert figures(plan(strict, 8)) == alone


def test_verdicts_that_shadows_fetched_are_not_fetched_again() -> None:
    asked: list[bytes] = []
    verdicts = random_verdicts(3, 0.2)

    def noted(text: bytes) -> Verdict:
        asked.append(text)
        return verdicts(text)

    result, _ = reduced(plan(noted, 8))
    # The check before, and the confirmation after the search.
    assert len(asked) == result.counts.runs + result.counts.wasted_runs + result.counts.check_runs
    assert len(asked) - len(set(asked)) <= 2


def test_one_job_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        pytest.fail("a process was started")

    monkeypatch.setattr("pollard.speculation.coordinator.open_carrier", fail)
    reduced(plan(lambda text: b"needle" in text, 1))
    reduced(replace(plan(lambda text: b"needle" in text, 4), speculation=Speculation.OFF))


def test_other_failures_of_shadows_are_not_reported() -> None:
    def two(text: bytes) -> bool:
        return b"needle" in text

    assert reduced(plan(two, 8))[0].others == reduced(plan(two, 1))[0].others
    assert reduced(plan(two, 8))[0].text != TEXT
