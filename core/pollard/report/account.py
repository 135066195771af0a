"""`report.json`: what a report says of a reduction besides its texts, beside the journal."""

from __future__ import annotations

import json
import platform
import re
import shlex
import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path  # noqa: TC003 (cattrs resolves the annotations of this module)
from typing import TYPE_CHECKING, Literal, Protocol

from pollard.engine.statistics import PassStatistics  # noqa: TC001 (the same)
from pollard.events import Counts  # noqa: TC001 (the same)
from pollard.journal import JournalError, StepCost
from pollard.oracle import CommandOracle, Run
from pollard.oracle.command import names_file
from pollard.syntax.encodings.encoding import UTF_8, Encoding
from pollard.system import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pollard.events import Started
    from pollard.limits import EndedBy
    from pollard.oracle import AnyOracle, Signature
    from pollard.plan import Plan

_FILE = "report.json"
# Of long outputs a report needs the beginning and the end.
_MAX_OUTPUT_CHARACTERS = 20_000
# The directory of a run, which means nothing to others; see `executors/run_directories.py`.
# It begins where a word begins, so that a long word is read only once.
_RUN_DIRECTORY = re.compile(
    r"(?<![^\s'\"(])[^\s'\"(]*[/\\]pollard-\w+[/\\]room\d+[/\\](?:run|tmp)[/\\]"
)

Ending = Literal["running", "finished", "stopped", "limit"]
"""How far a reduction got. `running`: it has not written its end, as if it were killed."""


class _Measured(Protocol):
    @property
    def bytes(self) -> int: ...


class _Beginning(Protocol):
    """What `Started` and `ProjectStarted` have in common."""

    @property
    def original(self) -> _Measured: ...
    @property
    def strategy(self) -> str: ...
    @property
    def jobs(self) -> int: ...
    @property
    def failure(self) -> Signature | None: ...
    @property
    def notes(self) -> tuple[str, ...]: ...


class _End(Protocol):
    """What `Result` and `ProjectResult` have in common."""

    @property
    def reduced(self) -> _Measured: ...
    @property
    def counts(self) -> Counts: ...
    @property
    def passes(self) -> tuple[PassStatistics, ...]: ...
    @property
    def cancelled(self) -> bool: ...
    @property
    def ended_by(self) -> EndedBy | None: ...
    @property
    def original_failure(self) -> Signature | None: ...
    @property
    def failure(self) -> Signature | None: ...
    @property
    def notes(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The content of `report.json`.

    - `name`, `place`: the file's base name, and where it is; "" if it is nowhere
    - `command`: the oracle's command for the shell, with the file's name; "" for a Python function
    - `versions`: of the system, Python and Pollard, and of the oracle's program if it was asked
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
    original_bytes: int | None = None
    reduced_bytes: int | None = None
    earlier: StepCost = field(default_factory=StepCost)
    counts: Counts | None = None
    passes: tuple[PassStatistics, ...] = ()
    failure: str = ""
    output: str = ""
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, plan: Plan, encoding: Encoding, started: Started, earlier: StepCost) -> Account:
        """Return the account of a reduction that begins now, or goes on after `earlier` costs."""
        account = cls.begun(
            started, earlier, plan.filename, plan.place, command_line(plan.oracle, plan.filename)
        )
        return replace(
            account,
            language=started.language,
            codec=encoding.codec,
            mark=encoding.bom.hex(),
            private=encoding.private,
        )

    @classmethod
    def begun(
        cls,
        started: _Beginning,
        earlier: StepCost,
        name: str,
        place: Path | None,
        command: str,
    ) -> Account:
        """Return the account of a reduction of one or several files, without what is about one."""
        return cls(
            name=name,
            place=str(place or ""),
            command=command,
            strategy=started.strategy,
            jobs=started.jobs,
            began=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            versions=versions(),
            original_bytes=started.original.bytes,
            earlier=earlier,
            failure=str(started.failure or ""),
            notes=started.notes,
        )

    def ended(self, result: _End, run: Run | None) -> Account:
        """Return the account with the end; `run` is that of the result, if it was run again."""
        return replace(
            self,
            ending="stopped" if result.cancelled else "limit" if result.ended_by else "finished",
            reduced_bytes=result.reduced.bytes,
            counts=result.counts,
            passes=result.passes,
            failure=str(result.failure or result.original_failure or ""),
            output=printed_by(run) if run else "",
            notes=result.notes,
        )

    def with_version(self, version: str) -> Account:
        """Return the account with the version of one more program, unless it is "" or known."""
        if not version or version in self.versions:
            return self
        return replace(self, versions=(*self.versions, version))

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


def command_line(oracle: AnyOracle, filename: str | None) -> str:
    """Return the oracle's command as a line for the shell, to be called where the files are.

    `filename` is the file that it gets. "" without a command.
    """
    if not isinstance(oracle, CommandOracle) or not oracle.command:
        return ""
    values = {"{file}": filename or "", "{dir}": "."}
    command = oracle.command
    if isinstance(command, str):
        line = _filled(command, {name: shlex.quote(value) for name, value in values.items()})
    else:
        line = shlex.join(_filled(word, values) for word in command)
    if filename is None or names_file(command):
        return line
    return f"{line}{' <' if oracle.stdin else ''} {shlex.quote(filename)}"


def _filled(text: str, values: Mapping[str, str]) -> str:
    for placeholder, value in values.items():
        text = text.replace(shlex.quote(placeholder), value).replace(placeholder, value)
    return text


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
