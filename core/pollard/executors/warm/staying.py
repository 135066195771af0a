"""What executors have in common whose processes stay, and are asked about many candidates."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pollard.executors.invocation import RUN_VARIABLE, default_memory_limit
from pollard.executors.process import judged
from pollard.executors.run_directories import RunDirectories
from pollard.executors.sandbox import Sandboxes
from pollard.executors.timeouts import settled
from pollard.oracle.command import prepare
from pollard.oracle.executor import MAX_TIMEOUT_SECONDS
from pollard.oracle.shares import turn_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.executors.run_directories import RunDirectory
    from pollard.oracle.command import CommandOracle
    from pollard.oracle.executor import Cancellable
    from pollard.oracle.shares import Share
    from pollard.oracle.verdict import Outcome, Run


class Closable(Protocol):
    """A process that stays, with its directory."""

    def close(self) -> None:
        """End it and give its directory back."""


P = TypeVar("P", bound=Closable)
S = TypeVar("S", bound="StayingExecutor[Any]")


class StayingExecutor(Generic[P]):
    """Keeps the processes of an oracle that are free; a subclass starts them and asks them.

    Any thread may use it. Each thread that runs at the same time has a process of its own.
    """

    def __init__(self, oracle: CommandOracle, filename: str, *, share: Share | None = None) -> None:
        """Raises `OracleError` if the command or one of the oracle's files does not exist."""
        self.oracle = oracle
        self.timeout = oracle.timeout or MAX_TIMEOUT_SECONDS
        self._share = share
        self._prepared = prepare(oracle.command, oracle.workspace, stdin=True)
        self._directories = RunDirectories(oracle.inside / filename, oracle.companions)
        self._sandboxes = Sandboxes(oracle.sandbox, self._directories.root)
        self._environment = self._sandboxes.environment()
        self._lock = threading.Lock()
        self._free: list[P] = []

    @property
    def sandbox_warning(self) -> str:
        """A sentence about what runs may do although the oracle's policy forbids it; "" if nothing."""
        return self._sandboxes.warning

    def fingerprint(self) -> str:
        """Return the oracle's fingerprint."""
        return self.oracle.fingerprint()

    def close(self) -> None:
        """End all processes and remove their directories; no run may be in progress."""
        self._close_free()
        self._sandboxes.close()
        self._directories.close()

    def __enter__(self: S) -> S:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _memory(self) -> int:
        """The most bytes that a process may have."""
        return min(self.oracle.memory or default_memory_limit(), default_memory_limit())

    def _judged(self, ask: Callable[[], Outcome], cancelled: Cancellable | None) -> Run:
        """Ask when it is this oracle's turn, and judge the outcome."""

        def run_once(*, alone: bool) -> Run:
            with turn_of(self._share, cancelled, alone=alone) as waited:
                outcome = ask()
            return judged(self.oracle, outcome, waited)

        return settled(run_once, self.timeout)

    def _kept(self) -> P | None:
        """Take a process that is free, if there is one."""
        with self._lock:
            return self._free.pop() if self._free else None

    def _keep(self, process: P) -> None:
        with self._lock:
            self._free.append(process)

    def _close_free(self) -> None:
        with self._lock:
            kept, self._free = self._free, []
        for each in kept:
            each.close()

    def _command(self, directory: RunDirectory) -> list[str]:
        """Return what starts a process in a directory, in its sandbox."""
        _, *arguments = self._prepared.arguments(directory.file, directory.folder)
        program = self._prepared.program_for(directory.file, directory.folder)
        wrapper = self._sandboxes.wrapper_of_server(directory.room, directory.directory)
        return [*wrapper, program, *arguments]

    def _variables(self, directory: RunDirectory, mark: str) -> dict[bytes, bytes]:
        """Return the environment of a process; `mark` is its POLLARD_RUN."""
        return {
            **self._environment,
            **self._sandboxes.caches(directory.cache),
            **directory.variables,
            RUN_VARIABLE.encode(): mark.encode(),
        }
