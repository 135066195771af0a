"""Whatever ends a reduction, no process of its search is left, and errors reach the caller."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from pollard.errors import Cancelled, OracleError
from pollard.oracle import Verdict
from pollard.reduction import Reduction
from pollard.speculation.modes import Copying
from tests.core.reductions import shell
from tests.core.speculation.support import (
    PATIENCE,
    TEXT,
    figures,
    nothing_left,
    plan,
    random_verdicts,
    reduced,
    search_processes,
    speculating,
)
from tests.examples import rarely

_SCRIPT = """
import time
import pollard
from pollard.speculation import modes
modes._MIN_RUN_SECONDS = modes._MIN_RUN_SECONDS_TO_REPLAY = 0.0

def slow(text):
    time.sleep(0 if text == {text!r} else 60)
    return b"needle" in text

pollard.reduce({text!r}, slow, jobs=4, language="json")
"""


def _has_needle(text: bytes) -> bool:
    return b"needle" in text


@pytest.fixture(autouse=True, params=[Copying.FORKED, *rarely(Copying.REPLAYED)])
def _speculating(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    speculating(monkeypatch, request.param)


def _cancel_after(seconds: float, seed: int) -> None:
    reduction = Reduction(plan(random_verdicts(seed, 0.2, 0.002), 6))
    timer = threading.Timer(seconds, reduction.cancel)
    timer.start()
    try:
        with nothing_left():
            result = reduction.run()
        assert result.cancelled or result.counts.runs > 0
    except Cancelled:
        pass  # before the search began
    finally:
        timer.cancel()


@pytest.mark.parametrize("seed", range(6))
def test_a_cancelled_search_leaves_no_process(seed: int) -> None:
    _cancel_after(random.Random(seed).uniform(0.0, 1.0), seed)


@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(4))
def test_two_hundred_cancelled_searches_leave_no_process_and_no_descriptor(part: int) -> None:
    chance = random.Random(part)
    _cancel_after(0.5, 0)
    descriptors = _open_descriptors()
    for seed in range(50):
        _cancel_after(chance.uniform(0.0, 0.8), seed)
    assert _open_descriptors() <= descriptors


def _open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_cancelled_search_kills_the_commands_of_shadows(tmp_path: Path) -> None:
    script = f'grep -q first "$1" && exit 0; echo $$ >> {tmp_path}/pids; sleep 100'
    reduction = Reduction(replace(plan(bool, 4), oracle=shell(script, timeout=60)))

    def cancel_once_all_are_busy() -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and len(_pids(tmp_path)) < 3:
            time.sleep(0.01)
        reduction.cancel()

    thread = threading.Thread(target=cancel_once_all_are_busy)
    thread.start()
    with nothing_left():
        result = reduction.run()
    thread.join()
    assert result.cancelled
    assert not any(_lives(pid) for pid in _pids(tmp_path))


def _pids(folder: Path) -> list[int]:
    file = folder / "pids"
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_killed_reduction_leaves_no_process() -> None:
    with nothing_left():
        process = subprocess.Popen([sys.executable, "-c", _SCRIPT.format(text=TEXT)])
        deadline = time.monotonic() + PATIENCE
        while len(search_processes()) < 3:  # the guardian, the search, and a shadow
            assert time.monotonic() < deadline, "no shadow was forked"
            assert process.poll() is None, "the reduction was over too early"
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()


def test_an_error_of_the_oracle_ends_the_reduction_where_one_job_would() -> None:
    verdicts = random_verdicts(5, 0.2, 0.001)

    def fails_on_short_texts(text: bytes) -> Verdict:
        if len(text) < 40:
            raise ValueError(len(text))
        return verdicts(text)

    messages = []
    for jobs in (1, 8):
        with nothing_left(), pytest.raises(OracleError) as caught:
            reduced(plan(fails_on_short_texts, jobs))
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_a_reduction_goes_on_in_its_own_process_if_none_can_be_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert figures(plan(_has_needle, 4)) == figures(plan(_has_needle, 1))


def test_a_reduction_goes_on_in_its_own_process_if_those_of_the_search_end_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert figures(plan(_has_needle, 4)) == figures(plan(_has_needle, 1))
