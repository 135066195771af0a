"""Python programs that tests keep loaded, and executors of them."""

from __future__ import annotations

import contextlib
from pathlib import Path

import psutil

from pollard.executors.warm.warm_runner import WarmRunner
from pollard.oracle import CommandOracle, Criteria
from pollard.oracle.sandbox_policy import SandboxLevel, SandboxPolicy
from pollard.oracle.warm.warm_runs import WarmRuns
from tests.core.oracle.helpers import PYTHON

#: Executes the candidate, which is Python itself; needs a module so that there is something to load.
EXECUTES = """
import json, sys
with open(sys.argv[1]) as stream:
    text = stream.read()
exec(compile(text, "candidate", "exec"))
"""
OFF = SandboxPolicy(level=SandboxLevel.OFF)


def program(folder: Path, source: str = EXECUTES, *, name: str = "tool.py") -> tuple[str, ...]:
    """Write a script, and return the command that runs it."""
    path = folder / name
    if not (path.exists() and path.read_text() == source):  # a new one would be another oracle
        path.write_text(source)
    return (PYTHON, str(path))


def warm_oracle(command: tuple[str, ...], **settings) -> CommandOracle:
    """An oracle whose program stays loaded; without a sandbox, unless a test wants one."""
    given = {"sandbox": OFF, "criteria": Criteria(exit_code=(0,)), "warm": WarmRuns.ON, **settings}
    return CommandOracle(command, **given)


@contextlib.contextmanager
def warm_runner(command, original=b"", *, filename="case.py", ahead=True, **settings):
    """Provide an executor whose runs are warm; its zygotes go ahead if they may."""
    with WarmRunner(warm_oracle(command, **settings), filename) as runner:
        runner._zygotes.go_ahead &= ahead
        cold = [runner.run(original, capture=True)]
        trial = runner.trial(original, cold)
        assert trial is not None
        assert trial.is_warm, str(trial)
        yield runner


def tool_processes() -> list[list[str]]:
    """The command lines of processes that run a tool, or keep it loaded."""
    lines = []
    for each in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):  # it has ended
            lines.append(each.cmdline())
    return [line for line in lines if any("tool.py" in word or "zygote" in word for word in line)]


def seen(run) -> tuple[object, ...]:
    """What a run shows of itself, apart from its times."""
    return run.verdict, run.exit_code, run.signal, run.stdout, run.stderr, run.timed_out
