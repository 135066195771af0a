"""Runs of an oracle that stays: it is told each candidate by a line, and answers by another."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.executors.warm.staying import StayingExecutor
from pollard.executors.watchdog import watched_mark

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.executors.run_directories import RunDirectory
    from pollard.executors.warm.persistent_process import PersistentProcess, RunLimits
    from pollard.oracle.command import CommandOracle
    from pollard.oracle.executor import Cancellable
    from pollard.oracle.shares import Share
    from pollard.oracle.verdict import Outcome

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
    """Asks processes of a command that stay about candidates; any thread may call `run`."""

    def __init__(self, oracle: CommandOracle, filename: str, *, share: Share | None = None) -> None:
        """Raises `OracleError` as `StayingExecutor` does, and if the oracle reads the candidate."""
        if oracle.stdin:
            message = (
                f"The oracle {oracle.name!r} stays and gets paths on standard input, so it cannot "
                "get the candidate there (stdin); leave one of them out."
            )
            raise OracleError(message)
        super().__init__(oracle, filename, share=share)

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
