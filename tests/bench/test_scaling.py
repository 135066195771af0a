"""The replay of recorded verdicts, and runs that are delayed."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from pollard.errors import Cancelled
from pollard.oracle import CancelToken
from pollard.speculation import Speculation
from pollard.speculation.changes import Change
from tests.bench.assumptions import Answered, recorded, rounds, surprise
from tests.bench.cases import bundled
from tests.bench.foretelling import fit
from tests.bench.memory import Memory
from tests.bench.rounds import counted
from tests.bench.scaling import _wait_until, speedup, timed, wasted_share
from tests.bench.scaling_dask import cases, compared

pytestmark = pytest.mark.bench

_FIGURE_3 = bundled()[0]


def _answers(rate: float, count: int = 200) -> list[Answered]:
    chance = random.Random(1)
    return [Answered(Change(identity=number), chance.random() < rate) for number in range(count)]


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5])
def test_one_worker_needs_a_round_for_each_run(rate: float) -> None:
    assert rounds(_answers(rate), 1) == 200


def test_more_workers_never_need_more_rounds() -> None:
    taken = [rounds(_answers(0.2), workers) for workers in (1, 2, 4, 16, 64, 256)]
    assert taken == sorted(taken, reverse=True)
    assert taken[-1] < taken[0] / 8


def test_answers_that_can_be_foretold_need_fewer_rounds() -> None:
    assert rounds(_answers(0.0), 16) < rounds(_answers(0.1), 16) < rounds(_answers(0.5), 16)
    assert surprise([_answers(0.0)]) < surprise([_answers(0.1)]) < surprise([_answers(0.5)])
    assert surprise([_answers(0.5)]) == pytest.approx(1.0, abs=0.1)


def test_what_is_recorded_are_the_counted_runs(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "verdicts.sqlite3")
    answers = recorded(_FIGURE_3, memory)
    timing = timed(_FIGURE_3, memory, 4, Speculation.EAGER, 0.05)
    memory.close()
    assert len(answers) == timing.runs
    assert 0 < sum(answer.interesting for answer in answers) < timing.runs
    assert speedup([timing], [timing]) == 1
    assert wasted_share([timing]) > 0


def test_what_is_learned_from_reductions_foretells_them_better() -> None:
    draw = random.Random(2)
    small = [draw.random() < 0.5 for _ in range(300)]
    # Here, unlike in programs, small changes are interesting and large ones are not.
    answers = [Answered(Change((), 2 if each else 2000), each) for each in small]
    assert surprise([answers], fit([answers])) < 0.5 * surprise([answers])


def test_rounds_are_of_the_real_search(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "verdicts.sqlite3")
    four, sixteen = (counted(_FIGURE_3, memory, jobs) for jobs in (4, 16))
    alone = timed(_FIGURE_3, memory, 1, Speculation.OFF, 0.0)
    memory.close()
    assert [(one.runs, one.text) for one in (four, sixteen)] == [(alone.runs, alone.text)] * 2
    assert alone.runs / 4 <= four.rounds < alone.runs / 2
    assert sixteen.rounds < four.rounds
    assert four.runs + four.wasted <= 4 * four.rounds


def test_a_delayed_run_ends_at_once_when_it_is_cancelled() -> None:
    token = CancelToken()
    token.set()
    with pytest.raises(Cancelled):
        _wait_until(time.monotonic() + 600, token)


def test_a_cluster_gives_what_this_machine_gives(tmp_path: Path) -> None:
    (case, *_) = [case for case in cases(tmp_path) if case.name == "orders.py"]
    local, remote = compared(case, tmp_path / "verdicts.sqlite3", 2, 0.01, rounds=1)
    assert [(one.text, one.runs) for one in remote] == [(one.text, one.runs) for one in local]
