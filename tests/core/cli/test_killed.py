"""`kill -9` at any moment: `--resume` ends as if nothing had happened, and nothing is left behind."""

from __future__ import annotations

import contextlib
import os
import random
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest

from pollard.executors.run_directories import remove_abandoned
from tests.core.cli.helpers import MANY, ended, lines_in, pollard, script, started, wait_for

KILLS_OF_ONE = 10

# Logs a checksum of each candidate. It takes as long as a small compiler, so that kills hit runs, too.
ORACLE = '#!/bin/sh\ncksum < "$1" >> {log}\n[ "$(grep -c needle "$1")" -ge 5 ]\n'


class Reduction:
    """A reduction in a folder of its own, which can be started, killed and resumed."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self.folder, self.log, self.temporary = folder, folder / "log", folder / "tmp"
        self.temporary.mkdir(parents=True)
        (folder / "bug.json").write_text(MANY)
        script(folder / "oracle", ORACLE.format(log=self.log))
        self.options = ("bug.json", f"-j{jobs}", "--", "./oracle")
        self.resume: list[str] = []

    def whole(self) -> None:
        """Reduce, or go on, to the end."""
        done = pollard("reduce", *self.resume, *self.options, cwd=self.folder)
        assert done.returncode == 0, done.stderr

    def kill(self, chance: random.Random) -> None:
        """Start or go on, and kill at a random moment, unless it is over before."""
        process = started("reduce", *self.resume, *self.options, cwd=self.folder)
        moment = self.moment(chance, process.pid)
        with contextlib.suppress(AssertionError):
            wait_for(process, moment)
        is_running = process.poll() is None
        process.kill()
        code, errors = ended(process)
        assert is_running or code == 0, errors
        if any((self.folder.parent / "state" / "reductions").glob("*/terms")):
            self.resume = ["--resume"]

    def moment(self, chance: random.Random, pid: int):
        """Return a condition: so many runs later, so many bytes of the journal, or so much time."""
        runs = lines_in(self.log) + chance.randint(1, 25)
        journal = self.journal_size() + chance.randint(1, 400)
        until = time.monotonic() + chance.uniform(0, 0.7)
        conditions = (
            lambda: lines_in(self.log) >= runs,
            lambda: self.journal_size() >= journal,
            lambda: time.monotonic() >= until,
        )
        return chance.choice(conditions)

    def journal_size(self) -> int:
        sizes = (self.folder.parent / "state" / "reductions").glob("*/reductions")
        with contextlib.suppress(OSError):
            return sum(path.stat().st_size for path in sizes)
        return 0

    def texts_run(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where the two reductions are; their journals and temporary files are there, too."""
    monkeypatch.setenv("POLLARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("POLLARD_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    return tmp_path


def assert_resumed_alike(folder: Path, seed: int, jobs: int, kills: int) -> None:
    chance = random.Random(seed)
    killed = Reduction(folder / "killed", jobs)
    for _ in range(kills):
        killed.kill(chance)
        assert (killed.folder / "bug.json").read_text() == MANY
    killed.whole()
    whole = Reduction(folder / "whole", 1)
    (folder / "cache").rename(folder / "cache of the killed one")
    whole.whole()
    results = [(each.folder / "bug.reduced.json").read_bytes() for each in (killed, whole)]
    assert results[0] == results[1]
    expected_runs = whole.texts_run()
    expected, actual = Counter(expected_runs), Counter(killed.texts_run())
    original, *_, result = expected_runs
    extra = actual - expected
    del extra[original]  # checked at each start
    del extra[result]  # confirmed by several runs, which a kill may end
    if jobs == 1:
        assert set(actual) == set(expected)
        assert sum(extra.values()) <= kills, "only a killed run may be repeated"
    assert_nothing_left(folder, killed.folder)


def assert_nothing_left(folder: Path, reduced: Path) -> None:
    """No process, no directory of runs, no temporary file."""
    files = {"bug.json", "bug.reduced.json", "oracle", "log", "tmp"}
    assert {path.name for path in reduced.iterdir()} == files
    for root in (folder / "tmp").iterdir():
        os.utime(root, (0, 0))  # one that was killed before it had its lock is removed later
    remove_abandoned(folder / "tmp")
    assert list((folder / "tmp").iterdir()) == []
    stop = time.monotonic() + 10
    while (alive := _processes(folder)) and time.monotonic() < stop:
        time.sleep(0.02)
    assert alive == []
    states = (folder / "state" / "reductions").glob("*/*")
    assert {path.name for path in states} <= {
        "original",
        "terms",
        "reductions",
        "others",
        "lock",
        "report.json",
    }


def _processes(folder: Path) -> list[str]:
    """The processes with anything of this test's folder in their environment."""
    found = []
    for process in psutil.process_iter(["pid", "name", "environ"]):
        variables = process.info["environ"] or {}
        if process.pid != os.getpid() and str(folder) in variables.get("TMPDIR", ""):
            found.append(f"{process.info['pid']} {process.info['name']}")
    return found


@pytest.mark.parametrize("jobs", [1, pytest.param(3, marks=pytest.mark.exhaustive)])
def test_a_reduction_that_is_killed_again_and_again_ends_alike(folder, jobs):
    assert_resumed_alike(folder, seed=0, jobs=jobs, kills=3)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(1, 200 // KILLS_OF_ONE + 1))
def test_two_hundred_kills_at_random_moments_change_nothing(folder, seed):
    assert_resumed_alike(folder, seed, jobs=1 if seed % 4 else 3, kills=KILLS_OF_ONE)


STUBBORN = """#!/bin/sh
trap '' HUP INT TERM
(setsid sleep {seconds} & echo $! >> {log}) &
env -i sleep {seconds} &
echo $! >> {log}
echo $$ >> {log}
sleep {seconds}
"""


@pytest.mark.parametrize("level", ["off", "default"])
def test_the_running_oracle_dies_with_pollard_at_once(tmp_path, level, no_leftovers):
    """Also what left its session or has another environment, and with the signals ignored."""
    (tmp_path / "bug.json").write_text(MANY)
    log = tmp_path / "log"
    log.touch()
    seconds = f"300.{os.getpid()}"  # which no other process sleeps
    script(tmp_path / "oracle", STUBBORN.format(log=log, seconds=seconds))
    options = ("--sandbox", level, "--allow-write", log, "--timeout", "200s")
    process = started("reduce", "bug.json", *options, "--", "./oracle", cwd=tmp_path)
    wait_for(process, lambda: lines_in(log) >= 3)
    process.kill()
    ended(process)
    stop = time.monotonic() + 10
    while (alive := _sleeping(seconds)) and time.monotonic() < stop:
        time.sleep(0.01)
    assert alive == []


def _sleeping(seconds: str) -> list[int]:
    processes = psutil.process_iter(["cmdline"])
    return [each.pid for each in processes if each.info["cmdline"] == ["sleep", seconds]]
