"""Runs of an oracle that stays: it is told each candidate by a line, and answers by another."""

from __future__ import annotations

import contextlib
import os
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.executors.invocation import RUN_VARIABLE, default_memory_limit
from pollard.executors.process import judged
from pollard.executors.run_directories import RunDirectories
from pollard.executors.sandbox import Sandboxes
from pollard.executors.timeouts import settled
from pollard.executors.warm.trials import compared
from pollard.executors.watchdog import watched_mark
from pollard.oracle.command import prepare
from pollard.oracle.executor import MAX_TIMEOUT_SECONDS
from pollard.oracle.shares import turn_of
from pollard.oracle.warm.warm_runs import WarmTrial, disagreement

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pollard.executors.run_directories import RunDirectory
    from pollard.executors.warm.persistent_process import PersistentProcess, RunLimits
    from pollard.oracle.command import CommandOracle
    from pollard.oracle.executor import Cancellable
    from pollard.oracle.shares import Share
    from pollard.oracle.verdict import Outcome, Run

#: After so many candidates a process is replaced, so that what it forgets to free does not add up.
MAX_CANDIDATES = 500


@dataclass(slots=True)
class _KeptProcess:
    """A process with the directory that it was started in; `release` gives the directory back."""

    process: PersistentProcess
    directory: RunDirectory
    identity: tuple[int, int]
    release: contextlib.ExitStack

    def is_usable(self) -> bool:
        """Empty the directory; return whether the process may get another candidate there."""
        if self.process.count >= MAX_CANDIDATES or not self.process.is_usable():
            return False
        if not self.directory.clear():
            return False
        return _identity(self.directory.directory) == self.identity

    def close(self) -> None:
        self.process.close()
        self.release.close()


class PersistentExecutor:
    """Asks processes of a command that stay about candidates; any thread may call `run`.

    Each thread that runs at the same time has a process of its own. The runs whose output is wanted
    (`capture`) are those that check and prove: each has a new process, which cannot remember
    another text. So have all runs unless `is_warm`.
    """

    def __init__(self, oracle: CommandOracle, filename: str, *, share: Share | None = None) -> None:
        """Raises `OracleError` if the command or one of the oracle's files does not exist."""
        if oracle.stdin:
            message = (
                f"The oracle {oracle.name!r} stays and gets paths on standard input, so it cannot "
                "get the candidate there (stdin); leave one of them out."
            )
            raise OracleError(message)
        self.oracle = oracle
        self.timeout = oracle.timeout or MAX_TIMEOUT_SECONDS
        self.is_warm = False
        self._share = share
        self._prepared = prepare(oracle.command, oracle.workspace, stdin=True)
        self._directories = RunDirectories(oracle.inside / filename, oracle.companions)
        self._sandboxes = Sandboxes(oracle.sandbox, self._directories.root)
        self._environment = self._sandboxes.environment()
        self._lock = threading.Lock()
        self._free: list[_KeptProcess] = []

    @property
    def sandbox_warning(self) -> str:
        """A sentence about what runs may do although the oracle's policy forbids it; "" if nothing."""
        return self._sandboxes.warning

    def run(
        self, text: bytes, *, cancelled: Cancellable | None = None, capture: bool = False
    ) -> Run:
        """Ask about a text; see `Executor.run`."""
        return self._run(text, cancelled, fresh=capture or not self.is_warm)

    def trial(
        self, text: bytes, cold: Sequence[Run], *, cancelled: Cancellable | None = None
    ) -> WarmTrial:
        """Compare the answers of a process that stays with those of new ones; see `WarmExecutor`."""
        try:
            trial = compared(
                text,
                cold,
                lambda candidate: self._run(candidate, cancelled, fresh=True),
                lambda candidate: self._run(candidate, cancelled, fresh=False),
            )
        except OracleError as error:
            trial = WarmTrial(refusal=str(error).removesuffix("."))
        self.is_warm = trial.is_warm
        return trial

    def difference(self, text: bytes, *, cancelled: Cancellable | None = None) -> str:
        """Ask a new and an old process about a text; see `WarmExecutor`."""
        cold = self._run(text, cancelled, fresh=True)
        warm = self._run(text, cancelled, fresh=False)
        return disagreement(cold, warm, output=False) or "they agree when both are repeated"

    def cool(self) -> None:
        """Start a new process for each further run."""
        self.is_warm = False
        with self._lock:
            kept, self._free = self._free, []
        for each in kept:
            each.close()

    def fingerprint(self) -> str:
        """Return the oracle's fingerprint."""
        return self.oracle.fingerprint()

    def close(self) -> None:
        """End all processes and remove their directories; no run may be in progress."""
        self.cool()
        self._sandboxes.close()
        self._directories.close()

    def __enter__(self) -> PersistentExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, text: bytes, cancelled: Cancellable | None, *, fresh: bool) -> Run:
        def run_once(*, alone: bool) -> Run:
            with turn_of(self._share, cancelled, alone=alone) as waited:
                outcome = self._outcome(text, cancelled, fresh=fresh)
            return judged(self.oracle, outcome, waited)

        return settled(run_once, self.timeout)

    def _outcome(self, text: bytes, cancelled: Cancellable | None, *, fresh: bool) -> Outcome:
        kept = self._taken(fresh=fresh)
        try:
            kept.directory.fill(text)
            return kept.process.outcome(kept.directory.file, self._limits(cancelled))
        finally:
            if not fresh and kept.is_usable():
                with self._lock:
                    self._free.append(kept)
            else:
                kept.close()

    def _taken(self, *, fresh: bool) -> _KeptProcess:
        while not fresh and (kept := self._kept()) is not None:
            if kept.process.is_usable():
                return kept
            kept.close()
        return self._started()

    def _kept(self) -> _KeptProcess | None:
        with self._lock:
            return self._free.pop() if self._free else None

    def _started(self) -> _KeptProcess:
        from pollard.executors.warm.persistent_process import (  # noqa: PLC0415 (not on Windows)
            PersistentProcess,
        )

        with contextlib.ExitStack() as stack:
            directory = stack.enter_context(self._directories.run_directory())
            mark = watched_mark()
            process = PersistentProcess(
                self._command(directory),
                directory.directory,
                self._variables(directory, mark),
                mark,
                lambda start: self._sandboxes.confined(start, directory.room),
            )
            return _KeptProcess(process, directory, _identity(directory.directory), stack.pop_all())

    def _command(self, directory: RunDirectory) -> list[str]:
        _, *arguments = self._prepared.arguments(directory.file, directory.folder)
        program = self._prepared.program_for(directory.file, directory.folder)
        wrapper = self._sandboxes.wrapper_of_server(directory.room, directory.directory)
        return [*wrapper, program, *arguments]

    def _variables(self, directory: RunDirectory, mark: str) -> dict[bytes, bytes]:
        return {
            **self._environment,
            **self._sandboxes.caches(directory.cache),
            **directory.variables,
            RUN_VARIABLE.encode(): mark.encode(),
        }

    def _limits(self, cancelled: Cancellable | None) -> RunLimits:
        from pollard.executors.warm.persistent_process import RunLimits  # noqa: PLC0415

        memory = min(self.oracle.memory or default_memory_limit(), default_memory_limit())
        return RunLimits(self.timeout, memory, self.oracle.output_limit, cancelled)


def _identity(directory: Path) -> tuple[int, int]:
    status = os.lstat(directory)
    return status.st_dev, status.st_ino
