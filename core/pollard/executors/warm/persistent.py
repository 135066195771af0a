"""Runs of an oracle that stays: it is told each candidate by a line, and answers by another."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.executors.warm.staying import StayingExecutor
from pollard.executors.warm.trials import compared
from pollard.executors.watchdog import watched_mark
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


class PersistentExecutor(StayingExecutor[_KeptProcess]):
    """Asks processes of a command that stay about candidates; any thread may call `run`.

    The runs whose output is wanted
    (`capture`) are those that check and prove: each has a new process, which cannot remember
    another text. So have all runs unless `is_warm`.
    """

    def __init__(self, oracle: CommandOracle, filename: str, *, share: Share | None = None) -> None:
        """Raises `OracleError` as `StayingExecutor` does, and if the oracle reads the candidate."""
        if oracle.stdin:
            message = (
                f"The oracle {oracle.name!r} stays and gets paths on standard input, so it cannot "
                "get the candidate there (stdin); leave one of them out."
            )
            raise OracleError(message)
        super().__init__(oracle, filename, share=share)
        self.is_warm = False

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
        self._close_free()

    def _run(self, text: bytes, cancelled: Cancellable | None, *, fresh: bool) -> Run:
        return self._judged(lambda: self._outcome(text, cancelled, fresh=fresh), cancelled)

    def _outcome(self, text: bytes, cancelled: Cancellable | None, *, fresh: bool) -> Outcome:
        kept = self._taken(fresh=fresh)
        try:
            kept.directory.fill(text)
            return kept.process.outcome(kept.directory.file, self._limits(cancelled))
        finally:
            if not fresh and kept.is_usable():
                self._keep(kept)
            else:
                kept.close()

    def _taken(self, *, fresh: bool) -> _KeptProcess:
        while not fresh and (kept := self._kept()) is not None:
            if kept.process.is_usable():
                return kept
            kept.close()
        return self._started()

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

    def _limits(self, cancelled: Cancellable | None) -> RunLimits:
        from pollard.executors.warm.persistent_process import RunLimits  # noqa: PLC0415

        return RunLimits(self.timeout, self._memory, self.oracle.output_limit, cancelled)


def _identity(directory: Path) -> tuple[int, int]:
    status = os.lstat(directory)
    return status.st_dev, status.st_ino
