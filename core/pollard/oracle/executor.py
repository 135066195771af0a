"""The protocol of executors, which carry out runs, and a token that stops a run from any thread."""

from __future__ import annotations

import os
import sys
import threading
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pollard.oracle.predicate import AnyOracle
    from pollard.oracle.verdict import Run

#: The timeout before anything is known about the oracle, and the longest that Pollard chooses.
MAX_TIMEOUT_SECONDS = 300.0

#: How often a waiting thread checks a flag that cannot wake it. Even a lock would not help: a signal
#: handler may set the flag, and must not take a lock that waiting threads share.
FLAG_PERIOD_SECONDS = 0.02


class Cancellable(Protocol):
    """A flag that says whether the caller still needs a run; `CancelToken` is one."""

    def is_set(self) -> bool:
        """Return whether the work should stop."""


class Executor(Protocol):
    """Carries out runs of one oracle; any thread may call `run`. See `pollard.executors`.

    `timeout` is the limit of a run in seconds. The check of the original sets it.
    """

    timeout: float

    @property
    def oracle(self) -> AnyOracle:
        """The oracle that is run."""

    def run(
        self, text: bytes, *, cancelled: Cancellable | None = None, capture: bool = False
    ) -> Run:
        """Run the oracle on `text`; `capture` keeps the output even if no criterion needs it.

        Raises `Cancelled` once `cancelled` is set and all processes of the run are dead (`NotBegun` if
        none was started), and `OracleError` if the run could not take place.
        """

    def fingerprint(self) -> str | None:
        """Return a hash of all that decides a verdict except candidate and timeout.

        None if there is no such hash: verdicts must then not outlive the reduction.
        """

    def close(self) -> None:
        """Release what the runs shared; no run may be in progress."""

    def __enter__(self) -> Executor: ...

    def __exit__(self, *_: object) -> None: ...


class CancelToken:
    """A one-way flag that a waiting `select.poll` can watch; any thread may set it."""

    __slots__ = ("_descriptor", "_flag", "_lock")

    def __init__(self) -> None:
        self._flag = False
        self._descriptor: int | None = None
        # Re-entrant: a signal handler may set the token while its own thread holds the lock.
        self._lock = threading.RLock()

    def is_set(self) -> bool:
        """Return whether `set` was called."""
        return self._flag

    def set(self) -> None:
        """Stop all work that watches this token; calling it again changes nothing."""
        with self._lock:
            self._flag = True
            if self._descriptor is not None:
                _signal(self._descriptor)

    def open(self) -> int:
        """Return a descriptor that becomes readable once the token is set; `close` it after use."""
        with self._lock:
            if self._descriptor is None:
                self._descriptor = _eventfd()
                if self._flag:
                    _signal(self._descriptor)
            return self._descriptor

    def close(self) -> None:
        """Close the descriptor; the flag stays."""
        with self._lock:
            descriptor, self._descriptor = self._descriptor, None
            if descriptor is not None:
                os.close(descriptor)


if sys.platform == "linux":

    def _eventfd() -> int:
        return os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)

    def _signal(descriptor: int) -> None:
        os.eventfd_write(descriptor, 1)

else:

    def _eventfd() -> int:
        raise NotImplementedError  # pollard.executors.portable polls the flag instead

    def _signal(descriptor: int) -> None:
        raise NotImplementedError
