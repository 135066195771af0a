"""A reduction that is cancelled, paused, resumed, or shares the machine with others."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from pollard.errors import Cancelled
from pollard.events import Finished, Reduced, Started
from pollard.oracle import Shares
from pollard.reduction import Reduction
from tests.conftest import oracle_processes
from tests.core.reductions import (
    JSON,
    PATIENCE,
    TWO_NEEDLES,
    InThread,
    logged,
    plan,
    runs_in,
    watched,
)

pytestmark = pytest.mark.usefixtures("no_leftovers")


def _wait(condition) -> None:
    stop = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < stop, "what the test waits for did not happen"
        time.sleep(0.01)


def test_a_reduction_cancelled_before_it_starts_raises_cancelled():
    reduction = Reduction(plan())
    reduction.cancel()
    with pytest.raises(Cancelled):
        reduction.run()
    assert reduction.best == JSON


@pytest.mark.parametrize("jobs", [1, 2])
def test_cancelled_during_the_check_it_ends_without_a_result(jobs: int, tmp_path: Path):
    mark = tmp_path / "mark"
    running = InThread(plan(f"touch {mark}; sleep 60", jobs=jobs))
    _wait(mark.exists)
    running.reduction.cancel()
    assert running.ended_within(PATIENCE)
    assert isinstance(running.outcome, Cancelled)
    assert running.reduction.best == JSON
    assert running.events == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_cancelled_during_a_long_run_it_keeps_the_best(jobs: int, tmp_path: Path):
    """From the second reduction on each run takes a minute, and starts another process."""
    mark, hung = tmp_path / "mark", tmp_path / "hung"
    script = f"[ -e {mark} ] && {{ touch {hung}; sleep 60 & sleep 60; }}; {TWO_NEEDLES}"

    def hang_soon(event) -> None:
        if isinstance(event, Reduced) and event.number == 2:
            mark.touch()

    running = InThread(plan(script, jobs=jobs, limits={"timeout": 60.0}), on_event=hang_soon)
    _wait(hung.exists)
    running.reduction.cancel()
    assert running.ended_within(PATIENCE)
    result = running.outcome
    assert not isinstance(result, BaseException)
    assert result is not None
    assert result.cancelled
    assert result.text == running.reduction.best
    assert result.text == [e.text for e in running.events if isinstance(e, Reduced)][1]
    assert isinstance(running.events[-1], Finished)


def test_a_listener_may_cancel_in_the_thread_of_the_reduction():
    running = InThread(plan(), on_event=_on_first_reduction(lambda: running.reduction.cancel()))
    assert running.ended_within(PATIENCE)
    assert running.outcome.cancelled
    assert [running.outcome.text] == [e.text for e in running.events if isinstance(e, Reduced)]


def _on_first_reduction(act):
    """A listener that acts at the first reduction."""

    def hear(event) -> None:
        if isinstance(event, Reduced) and event.number == 1:
            act()

    return hear


@pytest.mark.parametrize("jobs", [1, 2])
def test_paused_it_starts_no_run_and_resumed_it_ends_the_same(jobs: int, tmp_path: Path):
    log = tmp_path / "log"
    expected = watched(plan()).result.text
    paused = threading.Event()

    def pause(event) -> None:
        if isinstance(event, Reduced) and not paused.is_set():
            running.reduction.pause()
            paused.set()

    running = InThread(plan(logged(log, TWO_NEEDLES), jobs=jobs), on_event=pause)
    _wait(paused.is_set)
    _wait(lambda: not oracle_processes(os.environ["POLLARD_STATE_DIR"]))  # what was under way
    runs = len(runs_in(log))
    time.sleep(0.2)
    assert len(runs_in(log)) == runs
    assert not running.ended_within(0)
    running.reduction.resume()
    assert running.ended_within(PATIENCE)
    assert running.outcome.text == expected


def test_a_pause_during_the_check_holds_when_the_search_begins(tmp_path: Path):
    log, go = tmp_path / "log", tmp_path / "go"
    script = logged(log, f"while [ ! -e {go} ]; do sleep 0.01; done; {TWO_NEEDLES}")
    running = InThread(plan(script))
    _wait(log.exists)
    running.reduction.pause()
    go.touch()
    _wait(lambda: any(isinstance(event, Started) for event in running.events))
    time.sleep(0.3)
    assert len(runs_in(log)) == 1
    running.reduction.resume()
    assert running.ended_within(PATIENCE)
    assert running.outcome.text.count(b"needle") == 2


def test_a_paused_reduction_can_be_cancelled():
    paused = threading.Event()

    def pause(event) -> None:
        if isinstance(event, Reduced) and not paused.is_set():
            running.reduction.pause()
            paused.set()

    running = InThread(plan(), on_event=pause)
    _wait(paused.is_set)
    running.reduction.cancel()
    assert running.ended_within(PATIENCE)
    assert running.outcome.cancelled


def test_paused_during_the_checks_it_starts_no_further_one(tmp_path: Path):
    log, go = tmp_path / "log", tmp_path / "go"
    script = logged(log, f"while [ ! -e {go} ]; do sleep 0.01; done; {TWO_NEEDLES}")
    running = InThread(plan(script, checks=3))
    _wait(log.exists)
    running.reduction.pause()
    go.touch()
    time.sleep(0.3)
    assert len(runs_in(log)) == 1
    assert running.events == []
    running.reduction.resume()
    assert running.ended_within(PATIENCE)
    assert running.outcome.counts.check_runs == 3 + 6


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_reduction_that_waits_for_its_turn_can_be_cancelled(jobs: int, tmp_path: Path):
    """Before the checks, and again in the middle of the search."""
    log = tmp_path / "log"
    shares = Shares(1)
    with shares.share().turn():
        waiting = InThread(plan(logged(log, TWO_NEEDLES), jobs=jobs, share=shares.share()))
        waiting.reduction.cancel()
        assert waiting.ended_within(PATIENCE)
        assert isinstance(waiting.outcome, Cancelled)
    other, held, done = shares.share(), threading.Event(), threading.Event()

    def hold() -> None:
        with other.turn():
            held.set()
            done.wait(PATIENCE)

    def stop(event) -> None:
        if isinstance(event, Reduced) and event.number == 1:
            threading.Thread(target=hold).start()
            held.wait(PATIENCE)

    assert runs_in(log) == []
    running = InThread(
        plan(logged(log, TWO_NEEDLES), jobs=jobs, share=shares.share()), on_event=stop
    )
    _wait(held.is_set)
    running.reduction.cancel()
    assert running.ended_within(PATIENCE)
    done.set()
    counts = running.outcome.counts
    assert running.outcome.cancelled
    # One that is wasted may be killed before it comes to write its log.
    least = counts.runs + counts.check_runs
    assert least <= len(runs_in(log)) <= least + counts.wasted_runs


def test_reductions_that_share_the_machine_end_as_they_would_alone(tmp_path: Path):
    """Meanwhile one oracle runs at a time."""
    lock, broken = tmp_path / "lock", tmp_path / "broken"
    # The lock is gone with the shell that holds it, even if a needless run is killed.
    alone_here = f"exec 9>{lock}; flock -n 9 || touch {broken}; sleep 0.002 9>&-; exec 9>&-"
    script = f"{alone_here}; {TWO_NEEDLES}"
    alone = watched(plan(cache=False))
    shares = Shares(1)
    running = [
        InThread(plan(script, jobs=jobs, share=shares.share(), cache=False)) for jobs in (1, 1, 2)
    ]
    for each in running:
        assert each.ended_within(PATIENCE)
        assert each.outcome.text == alone.result.text
        assert each.outcome.counts.runs == alone.result.counts.runs
        assert [e.text for e in each.events if isinstance(e, Reduced)] == alone.texts
    assert not broken.exists()


def test_cancelled_before_the_first_parse_it_does_not_parse(monkeypatch: pytest.MonkeyPatch):
    """The checks have passed, and a long text is about to be parsed."""
    reduction = Reduction(plan(text=JSON.replace(b"3,", b"3," * 20_000), checks=1))
    opened = reduction._open_document
    documents = []

    def cancel_first(search_plan):
        reduction.cancel()
        documents.append(opened(search_plan))
        return documents[0]

    monkeypatch.setattr(reduction, "_open_document", cancel_first)
    with pytest.raises(Cancelled):
        reduction.run()
    assert "tree" not in documents[0].__dict__
