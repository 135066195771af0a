"""The load of the machine does not turn a slow run into a time-out."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from pollard.executors import Runner, linux, open_executor, portable
from pollard.executors import process as process_module
from pollard.executors.timeouts import settled
from pollard.oracle import Predicate, Shares, Verdict
from tests.core.oracle.helpers import outcome, shell

COUNT = "echo run >> {runs}; "


@pytest.fixture(params=["linux", "portable"])
def _either(request, monkeypatch):
    module = {"linux": linux, "portable": portable}[request.param]
    monkeypatch.setattr(process_module, "execute", module.execute)


def runs_of(script: str, runs: Path, timeout: float = 0.5) -> tuple[Verdict, int]:
    """The verdict of a script, and how often it ran for that."""
    oracle = shell(COUNT.format(runs=runs) + script, timeout=timeout)
    with Shares(2).share() as share, Runner(oracle, "a", share=share) as runner:
        verdict = runner.run(b"").verdict
    return verdict, len(runs.read_text().splitlines())


@pytest.mark.usefixtures("_either")
def test_who_waits_until_the_time_is_over_runs_once_more(tmp_path):
    assert runs_of("sleep 100", tmp_path / "runs") == (Verdict.TIMEOUT, 2)


@pytest.mark.usefixtures("_either")
def test_a_run_that_is_slow_only_the_first_time_is_no_timeout(tmp_path):
    runs = tmp_path / "runs"
    assert runs_of(f"[ $(wc -l < {runs}) -gt 1 ] || sleep 100", runs) == (Verdict.INTERESTING, 2)


def test_a_run_in_time_runs_once(tmp_path):
    assert runs_of("true", tmp_path / "runs", 60) == (Verdict.INTERESTING, 1)


@pytest.mark.usefixtures("_either")
def test_the_processor_time_of_a_run_that_was_stopped_is_known():
    oracle = shell("sh -c 'while :; do :; done' & wait", timeout=0.5)
    with Runner(oracle, "a") as runner:
        run = runner.run(b"")
    assert run.timed_out
    assert 0 < run.cpu_seconds <= run.seconds + 0.1


def test_a_run_that_had_a_core_for_all_its_time_is_believed():
    asked: list[bool] = []

    def run_once(*, alone: bool, used: float):
        asked.append(alone)
        return outcome(verdict=Verdict.TIMEOUT, timed_out=True, cpu_seconds=used)

    assert settled(partial(run_once, used=0.97), 1.0).timed_out
    assert asked == [False]
    assert settled(partial(run_once, used=0.5), 1.0).timed_out
    assert asked == [False, False, True]


def test_what_two_runs_waited_is_the_sum():
    run = settled(lambda *, alone: outcome(timed_out=not alone, waited=1.0 + alone), 1.0)
    assert run.waited == 3.0


def slow_at_first(runs: Path, text: bytes) -> bool:
    with runs.open("a") as stream:
        stream.write("run\n")
    if len(runs.read_text().splitlines()) == 1:
        while True:
            pass
    return bool(text)


def test_a_call_of_a_function_that_takes_too_long_is_repeated(tmp_path):
    runs = tmp_path / "runs"
    predicate = Predicate(partial(slow_at_first, runs), "processes", timeout=0.5)
    with open_executor(predicate, "a") as executor:
        assert executor.run(b"x").verdict is Verdict.INTERESTING
    assert runs.read_text() == "run\nrun\n"
