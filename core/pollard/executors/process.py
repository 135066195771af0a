"""Runs of an oracle: one candidate in, one verdict out, and nothing left behind."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.errors import Cancelled, OracleError
from pollard.executors.invocation import (
    RUN_VARIABLE,
    WATCH_SECONDS,
    Invocation,
    default_memory_limit,
    kill_run,
)
from pollard.executors.run_directories import RunDirectories, RunDirectory
from pollard.executors.sandbox import Sandboxes
from pollard.executors.timeouts import settled
from pollard.executors.watchdog import watched_mark
from pollard.oracle.command import prepare
from pollard.oracle.executor import MAX_TIMEOUT_SECONDS
from pollard.oracle.failures.selection import crash_of, read_signature
from pollard.oracle.shares import turn_of
from pollard.oracle.verdict import Outcome, Run, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from pollard.executors.sandbox.cell import Cell
    from pollard.oracle.command import CommandOracle
    from pollard.oracle.executor import Cancellable
    from pollard.oracle.shares import Share

    Cells = Callable[[RunDirectory], AbstractContextManager[Cell | None]]

if sys.platform == "linux":
    from pollard.executors.linux import execute
else:
    from pollard.executors.portable import execute

# A run that must exceed its memory is looked at this often, because it may do so for a moment only.
_CLOSE_WATCH_SECONDS = 0.02


class Runner:
    """Runs an oracle on candidates for a file called `filename`; any thread may call `run`.

    Each run has a directory of its own under one temporary root, which `close` removes.
    """

    def __init__(
        self,
        oracle: CommandOracle,
        filename: str,
        *,
        timeout: float | None = None,
        share: Share | None = None,
        owner: str = "oracle",
    ) -> None:
        """`timeout` in seconds overrides the oracle's; each run takes a turn of `share`.

        `owner` names the command in messages: "oracle" or "formatter".

        Raises `OracleError` if the command or one of the oracle's files does not exist.
        """
        self.oracle = oracle
        self.filename = filename
        self.timeout = timeout or oracle.timeout or MAX_TIMEOUT_SECONDS
        self._owner = owner
        # The usual command of a tool is complete: a project of TypeScript finds the file by itself.
        complete = oracle.stdin or oracle.surroundings is not None
        self._prepared = prepare(oracle.command, oracle.workspace, stdin=complete, owner=owner)
        self._share = share
        self._directories = self._open_directories()
        self._sandboxes = Sandboxes(oracle.sandbox, self._directories.root, self._prepared.paths())
        self._environment = self._sandboxes.environment()

    @property
    def root(self) -> Path:
        """The temporary directory that holds every run directory."""
        return self._directories.root

    @property
    def sandbox_warning(self) -> str:
        """A sentence about what runs may do although the oracle's policy forbids it; "" if nothing."""
        return self._sandboxes.warning

    def run(
        self, text: bytes, *, cancelled: Cancellable | None = None, capture: bool = False
    ) -> Run:
        """Run the oracle on `text`; `capture` keeps the output even if no criterion needs it.

        Raises `Cancelled` once `cancelled` is set and all processes of the run are dead (`NotBegun` if
        none was started), and `OracleError` if the run could not take place.
        """
        return self._run_filled(lambda directory: directory.fill(text), cancelled, capture=capture)

    def _open_directories(self) -> RunDirectories:
        if Path(self.filename).name != self.filename:
            raise OracleError(f"{self.filename!r} is not a plain file name.")
        return RunDirectories(self.oracle.inside / self.filename, self.oracle.companions)

    def _run_filled(
        self,
        fill: Callable[[RunDirectory], None],
        cancelled: Cancellable | None,
        *,
        capture: bool,
        cells: Cells | None = None,
    ) -> Run:
        """Run the oracle in a directory to which `fill` writes the candidate; see `run`.

        `cells` provides the launcher of a directory's run, if it is warm.
        """

        def run_once(*, alone: bool) -> Run:
            with (
                turn_of(self._share, cancelled, alone=alone) as waited,
                self._directories.run_directory(warm=cells is not None) as directory,
            ):
                fill(directory)
                with (cells or self._cell)(directory) as cell:
                    call = self._invocation(directory, cell, capture=capture)
                    outcome = _execute(call, cancelled)
            return judged(self.oracle, outcome, waited)

        return settled(run_once, self.timeout)

    def fingerprint(self) -> str:
        """Return the oracle's fingerprint."""
        return self.oracle.fingerprint()

    def close(self) -> None:
        """Remove the temporary root; no run may be in progress."""
        self._sandboxes.close()
        self._directories.close()

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _cell(self, directory: RunDirectory) -> AbstractContextManager[Cell | None]:
        return self._sandboxes.cell(directory.room)

    def _invocation(
        self, directory: RunDirectory, cell: Cell | None, *, capture: bool
    ) -> Invocation:
        must_exceed_memory = self.oracle.criteria.exceeds == "memory"
        arguments = self._prepared.arguments(directory.file, directory.folder)
        program = self._prepared.program_for(directory.file, directory.folder)
        if wrapper := self._sandboxes.wrapper_of_run(directory.room):
            arguments, program = [*wrapper, program, *arguments[1:]], wrapper[0]
        return Invocation(
            arguments=arguments,
            program=program,
            directory=directory.directory,
            environment=self._variables(directory, watched_mark()),
            stdin=directory.file if self.oracle.stdin else None,
            capture=capture or self.oracle.needs_output,
            timeout=self.timeout,
            memory=min(self.oracle.memory or default_memory_limit(), default_memory_limit()),
            data=None if must_exceed_memory else self.oracle.memory,
            watch_seconds=_CLOSE_WATCH_SECONDS if must_exceed_memory else WATCH_SECONDS,
            output_limit=self.oracle.output_limit,
            owner=self._owner,
            cell=cell,
        )

    def _variables(self, directory: RunDirectory, mark: str) -> dict[bytes, bytes]:
        """Return the environment of processes in a directory; the mark tells whose they are."""
        return {
            **self._environment,
            **self._sandboxes.caches(directory.cache),
            **directory.variables,
            RUN_VARIABLE.encode(): mark.encode(),
        }


def _execute(call: Invocation, cancelled: Cancellable | None) -> Outcome:
    try:
        return execute(call, cancelled)
    except (Cancelled, OracleError):
        raise
    except BaseException:  # an interrupt may come before `execute` knows the new process
        if call.cell is None:
            kill_run(call)
        raise


def judged(oracle: CommandOracle, outcome: Outcome, waited: float) -> Run:
    """Return an execution with its verdict and its failure; `waited` is in seconds."""
    verdict = _verdict(oracle, outcome)
    failure = (
        read_signature(outcome, oracle.criteria)
        if verdict is Verdict.INTERESTING
        else crash_of(outcome)
    )
    return Run(**asdict(outcome), verdict=verdict, failure=failure, waited=waited)


def _verdict(oracle: CommandOracle, outcome: Outcome) -> Verdict:
    if outcome.timed_out and oracle.criteria.exceeds != "timeout":
        return Verdict.TIMEOUT
    if outcome.memory_exceeded and oracle.criteria.exceeds != "memory":
        return Verdict.UNINTERESTING
    if oracle.invalid is not None and not oracle.invalid.empty and oracle.invalid.holds(outcome):
        return Verdict.INVALID
    return Verdict.INTERESTING if oracle.criteria.holds(outcome) else Verdict.UNINTERESTING
