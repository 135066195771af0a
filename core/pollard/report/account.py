"""`report.json`: what a report says of a reduction besides its texts, beside the journal."""

from __future__ import annotations

import json
import platform
import re
import shlex
import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path  # noqa: TC003 (cattrs resolves the annotations of this module)
from typing import TYPE_CHECKING, Literal

from pollard.engine.statistics import PassStatistics  # noqa: TC001 (the same)
from pollard.events import Counts, Size  # noqa: TC001 (the same)
from pollard.journal import JournalError, StepCost
from pollard.oracle import CommandOracle, Run
from pollard.syntax.encodings.encoding import UTF_8, Encoding
from pollard.system import write_atomically

if TYPE_CHECKING:
    from pollard.events import Result, Started
    from pollard.plan import Plan

_FILE = "report.json"
# Of long outputs a report needs the beginning and the end.
_MAX_OUTPUT_CHARACTERS = 20_000
# The directory of a run, which means nothing to others; see `executors/run_directories.py`.
_RUN_DIRECTORY = re.compile(r"[^\s'\"(]*[/\\]pollard-\w+[/\\]room\d+[/\\]run[/\\]")

Ending = Literal["running", "finished", "stopped", "limit"]
"""How far a reduction got. `running`: it has not written its end, as if it were killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The content of `report.json`.

    - `name`, `place`: the file's base name, and where it is; "" if it is nowhere
    - `command`: the oracle's command for the shell, with the file's name; "" for a Python function
    - `versions`: of the system, Python and Pollard
    - `began`: ISO 8601 in UTC
    - `codec`, `mark`, `private`: the encoding of the texts, `mark` in hexadecimal
    - `earlier`: the cost of the sessions before the current one
    - `counts`, `passes`: those of the last session; None and empty until it has ended
    - `failure`: the result's, in a few words; the original's until the reduction has ended
    - `output`: what the command printed for the result; "" if it was not run again
    """

    name: str
    place: str = ""
    command: str = ""
    language: str | None = None
    strategy: str = ""
    jobs: int = 1
    began: str = ""
    versions: tuple[str, ...] = ()
    codec: str = "utf-8"
    mark: str = ""
    private: int | None = None
    ending: Ending = "running"
    original: Size | None = None
    reduced: Size | None = None
    earlier: StepCost = field(default_factory=StepCost)
    counts: Counts | None = None
    passes: tuple[PassStatistics, ...] = ()
    failure: str = ""
    output: str = ""
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, plan: Plan, encoding: Encoding, started: Started, earlier: StepCost) -> Account:
        """Return the account of a reduction that begins now, or goes on after `earlier` costs."""
        return cls(
            name=plan.filename,
            place=str(plan.place or ""),
            command=command_line(plan),
            language=started.language,
            strategy=started.strategy,
            jobs=started.jobs,
            began=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            versions=versions(),
            codec=encoding.codec,
            mark=encoding.bom.hex(),
            private=encoding.private,
            original=started.original,
            earlier=earlier,
            failure=str(started.failure or ""),
            notes=started.notes,
        )

    def ended(self, result: Result, run: Run | None) -> Account:
        """Return the account with the end; `run` is that of the result, if it was run again."""
        return replace(
            self,
            ending="stopped" if result.cancelled else "limit" if result.ended_by else "finished",
            reduced=result.reduced,
            counts=result.counts,
            passes=result.passes,
            failure=str(result.failure or result.original_failure or ""),
            output=printed_by(run) if run else "",
            notes=result.notes,
        )

    @property
    def encoding(self) -> Encoding:
        """The encoding of the texts."""
        known = Encoding(self.codec, bytes.fromhex(self.mark), self.private)
        return UTF_8 if known == UTF_8 else known

    @property
    def cost(self) -> StepCost:
        """The cost of all sessions, as far as it is known."""
        if self.counts is None:
            return self.earlier
        return StepCost(self.counts.runs, self.counts.seconds).after(self.earlier)

    def write(self, directory: Path) -> None:
        """Write it beside the journal in `directory`. Raises JournalError if that is impossible."""
        try:
            write_atomically(directory / _FILE, json.dumps(asdict(self), indent=1).encode())
        except OSError as error:
            message = f"{directory / _FILE} cannot be written: {error.strerror}; make room there."
            raise JournalError(message) from error

    @classmethod
    def read(cls, directory: Path) -> Account | None:
        """Return the account in `directory`; None if there is none, or a damaged one."""
        from cattrs import BaseValidationError, Converter  # noqa: PLC0415 (not for a reduction)

        try:
            read = json.loads((directory / _FILE).read_bytes())
            return Converter().structure(read, cls)
        except (OSError, ValueError, TypeError, KeyError, RecursionError, BaseValidationError):
            return None


def versions() -> tuple[str, ...]:
    """Return the versions of the system, Python and Pollard."""
    from pollard import __version__  # noqa: PLC0415 (pollard imports this module)

    python = f"Python {platform.python_version()}"
    return (platform.platform(), python, f"Pollard {__version__}")


def command_line(plan: Plan) -> str:
    """Return the oracle's command as a line for the shell, with the file's name in it."""
    oracle = plan.oracle
    return _line(oracle, plan.filename) if isinstance(oracle, CommandOracle) else ""


def _line(oracle: CommandOracle, filename: str) -> str:
    command = oracle.command
    line = command if isinstance(command, str) else shlex.join(command)
    name, quoted = shlex.quote(filename), shlex.quote("{file}")
    if "{file}" not in line:
        return f"{line} < {name}" if oracle.stdin else f"{line} {name}"
    return line.replace(quoted, name).replace("{file}", name)


def printed_by(run: Run) -> str:
    """Return what a run printed: standard output, then standard error.

    The middle of long output is left out, and so is the run's directory in the names of files.
    """
    both = [stream.decode("utf-8", "backslashreplace") for stream in (run.stdout, run.stderr)]
    printed = "\n".join(each.rstrip() for each in both if each.strip())
    text = _RUN_DIRECTORY.sub("", printed)
    if len(text) <= _MAX_OUTPUT_CHARACTERS:
        return text
    half = _MAX_OUTPUT_CHARACTERS // 2
    return f"{text[:half]}\n[{len(text) - 2 * half:,} characters are left out]\n{text[-half:]}"
