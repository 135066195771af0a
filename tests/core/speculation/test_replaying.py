"""A search that is copied by replay: where its processes are, and what happens when they die."""

from __future__ import annotations

import random

import pytest

from pollard.speculation import Speculation, replaying
from pollard.speculation.coordinator import SearchDied
from pollard.speculation.modes import COPYING_VARIABLE, Copying, is_worthwhile, way_of_copying
from pollard.speculation.replayer import Replayer
from tests.core.speculation.support import (
    figures,
    nothing_left,
    plan,
    random_verdicts,
    reduced,
    speculating,
)
from tests.examples import rarely


@pytest.fixture(autouse=True)
def _replaying(monkeypatch: pytest.MonkeyPatch) -> None:
    speculating(monkeypatch, Copying.REPLAYED)


def _killing(monkeypatch: pytest.MonkeyPatch, kills: int, seed: int) -> None:
    """Let some processes die, each just after it got a message."""
    chance = random.Random(seed)
    send, left = Replayer.send, [kills]

    def send_and_die(self: Replayer, message: object) -> None:
        send(self, message)  # type: ignore[arg-type]
        if left[0] and chance.random() < 0.1:
            left[0] -= 1
            self.kill()

    monkeypatch.setattr(Replayer, "send", send_and_die)


@pytest.mark.parametrize("jobs", [3, *rarely(2, 8)])
def test_a_replayed_search_gives_what_one_job_gives(jobs: int) -> None:
    verdicts = random_verdicts(4, 0.2, 0.002)
    with nothing_left():
        assert figures(plan(verdicts, jobs)) == figures(plan(verdicts, 1))


@pytest.mark.parametrize("seed", [0, *rarely(*range(1, 12))])
def test_processes_that_die_cost_nothing_but_time(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    verdicts = random_verdicts(seed, 0.3, 0.002)
    alone = figures(plan(verdicts, 1))
    _killing(monkeypatch, 6, seed)
    with nothing_left():
        assert figures(plan(verdicts, 4)) == alone


def test_a_search_whose_processes_all_die_is_reported_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _killing(monkeypatch, 1000, 1)  # the first ones send something before
    with nothing_left(), pytest.raises(SearchDied, match="go on with --resume"):
        reduced(plan(random_verdicts(1, 0.3), 4))


def test_there_are_no_more_processes_than_cores_and_memory_allow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replaying.os, "cpu_count", lambda: 64)
    assert replaying._max_processes(2, 1000) <= 4
    assert replaying._max_processes(64, 1000) <= 6
    assert replaying._max_processes(64, 10**12) == 2


def test_replaying_needs_slower_oracles_than_forking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the least times of a run as they are
    for way, seconds in ((Copying.FORKED, 0.1), (Copying.REPLAYED, 4.0)):
        monkeypatch.setenv(COPYING_VARIABLE, way.value)
        assert way_of_copying() is way
        assert is_worthwhile(Speculation.EAGER, 4, seconds)
        assert not is_worthwhile(Speculation.EAGER, 4, seconds / 10)
        assert not is_worthwhile(Speculation.OFF, 4, seconds)
