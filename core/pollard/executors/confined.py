"""The processes of a run that takes place in a sandbox."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.executors import daemons
from pollard.executors.invocation import kill_marked, kill_run, limits_of, start_failure
from pollard.executors.sandbox.cell import CellError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pollard.executors.invocation import Invocation
    from pollard.executors.sandbox.cell import Cell

_MAX_PROCESSES = 4096  # a virtual machine with many threads needs some hundred


class ConfinedProcess:
    """A run that the launcher in a sandbox started. Its processes are those of the sandbox."""

    def __init__(self, call: Invocation, cell: Cell) -> None:
        """Raises `OracleError` if the sandbox is gone; `end` tells whether the program was executed."""
        daemons.adopt_descendants()
        self._call, self._cell = call, cell
        self._stop = os.eventfd(0)
        self.exit_descriptor = cell.descriptor
        pipes = [os.pipe() for _ in range(2 if call.capture else 0)]
        self.outputs = tuple(read for read, _ in pipes)
        try:
            with (
                _opened(call.stdin or os.devnull, os.O_RDONLY) as stdin,
                _opened(os.devnull, os.O_WRONLY) as nothing,
            ):
                written = [write for _, write in pipes] or [nothing, nothing]
                cell.start(
                    list(map(os.fsencode, call.arguments)),
                    os.fsencode(call.program),
                    os.fsencode(call.directory),
                    call.environment,
                    {**limits_of(call), resource.RLIMIT_NPROC: _MAX_PROCESSES},
                    [stdin, *written, self._stop],
                )
        except BaseException:
            self.close()
            raise
        finally:
            for _, write in pipes:
                os.close(write)

    def processes(self) -> list[int]:
        """Return the leader and what the run's dead processes left behind."""
        return self._cell.runs()

    def end(self) -> tuple[int, float]:
        """Kill all processes; return the leader's wait status and the seconds of processor time.

        A run that killed its own launcher, as only Landlock lets it do, counts as killed. Raises
        `OracleError` if the program was not executed, and `CellError` if a launcher of which the run
        is a copy is gone.
        """
        os.eventfd_write(self._stop, 1)
        try:
            ended = self._cell.end()
        except CellError:
            kill_run(self._call)
            if self._cell.mark:
                kill_marked(self._cell.mark)
                raise
            return int(signal.SIGKILL), 0.0
        except OSError as error:
            raise OracleError(start_failure(self._call, error)) from error
        return ended.status, ended.cpu_seconds

    def close(self) -> None:
        """Close all descriptors."""
        for descriptor in (self._stop, *self.outputs):
            os.close(descriptor)


@contextlib.contextmanager
def _opened(path: str | Path, flags: int) -> Iterator[int]:
    """Provide a descriptor of an open file."""
    descriptor = os.open(path, flags)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
