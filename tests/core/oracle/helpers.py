"""Small oracles and ways to see whether processes are still there."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import psutil

from pollard.executors import Runner
from pollard.oracle import CommandOracle, Criteria, Run, Verdict

PYTHON = sys.executable


def shell(script: str, **settings) -> CommandOracle:
    """An oracle that is a shell script with the candidate as `$1`."""
    return CommandOracle(("/bin/sh", "-c", script, "sh", "{file}"), **settings)


def run_once(
    oracle: CommandOracle, text: bytes = b"text", filename: str = "case.c", **options
) -> Run:
    with Runner(oracle, filename) as runner:
        return runner.run(text, capture=True, **options)


def outcome(**values) -> Run:
    seen = {"exit_code": 0, "signal": None, "verdict": Verdict.UNINTERESTING, **values}
    return Run(**seen)


def wait_for(path: Path) -> str:
    """The content of a file that a process is about to write."""
    return _until(lambda: path.exists() and path.read_text().strip(), f"{path} was not written")


def gone(pid: int) -> bool:
    """Whether a process has died (within five seconds, as killing may take a moment)."""
    return _until(lambda: dead(pid), f"process {pid} still lives")


def dead(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _until(condition, message):
    deadline = time.monotonic() + 5
    while not (found := condition()):
        assert time.monotonic() < deadline, message
        time.sleep(0.005)
    return found


ANY = Criteria(exit_code=tuple(range(256)))
