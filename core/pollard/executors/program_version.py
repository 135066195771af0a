"""The version of the program that an oracle calls, as the program itself tells it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.executors.process import Runner
from pollard.oracle.command import words
from pollard.oracle.criteria import Criteria

if TYPE_CHECKING:
    from pollard.oracle.command import CommandOracle

_TIMEOUT_SECONDS = 5.0
_MAX_CHARACTERS = 120


def program_version(oracle: CommandOracle) -> str:
    """Return the first line that the oracle's program prints for `--version`.

    Asks only a program on PATH, since a script of the user may take the option for a file. It runs as a
    candidate does, in the same sandbox. "" if it tells none.
    """
    program = next(iter(words(oracle.command, oracle.workspace)), "")
    if Path(program).name != program or shutil.which(program) is None:
        return ""
    try:
        with Runner(_asking(oracle, program), "version") as runner:
            run = runner.run(b"", capture=True)
    except OracleError:
        return ""
    lines = (run.stdout or run.stderr).decode("utf-8", "replace").split("\n")
    line = "".join(filter(str.isprintable, lines[0]))[:_MAX_CHARACTERS].strip()
    told = run.exit_code == 0 and any(map(str.isdigit, line))
    return f"{program}: {line}" if told else ""


def _asking(oracle: CommandOracle, program: str) -> CommandOracle:
    return replace(
        oracle,
        command=(program, "--version"),
        criteria=Criteria(),
        invalid=None,
        timeout=_TIMEOUT_SECONDS,
        stdin=True,
        runs_required=(1, 1),
        files=(),
        surroundings=None,
        is_server=False,
    )
