"""A job's thread, and the parts of the server that all jobs use."""

from __future__ import annotations

import itertools
import logging
import threading
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from pollard.errors import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pollard.oracle.shares import Shares
    from pollard_server.client.connection import Client
    from pollard_server.configuration import Configuration
    from pollard_server.trust import Trust

T = TypeVar("T")

logger = logging.getLogger(__name__)

_numbers = itertools.count(1)


class JobThread:
    """Calls `work` in a daemon thread. `stop` ends it soon, wherever it waits.

    `work` raises Cancelled if it was stopped. `done` is called in the thread at its very end.
    """

    def __init__(self, name: str, work: Callable[[], None], done: Callable[[], None]) -> None:
        self.id = f"{name}-{next(_numbers)}"
        self.stopping = threading.Event()
        self._work = work
        self._done = done
        self._lock = threading.Lock()
        self._awaited: Future[Any] | None = None
        self._thread = threading.Thread(target=self._run, name=self.id, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Ask `work` to end, from any thread, and cancel the future that it waits for."""
        with self._lock:
            self.stopping.set()
            awaited = self._awaited
        if awaited is not None:
            awaited.cancel()

    def join(self, seconds: float) -> bool:
        """Wait for the thread to end, from another one; return whether it did so in time."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def wait_for(self, future: Future[T]) -> T:
        """Wait for a future, in the job's thread; return its result or raise its error.

        Raises Cancelled as soon as the job is stopped or the future is cancelled.
        """
        with self._lock:
            self._awaited = future
            stopped = self.stopping.is_set()
        if stopped:
            future.cancel()
        try:
            return future.result()
        except CancelledError:
            raise Cancelled("It was stopped.") from None
        finally:
            with self._lock:
                self._awaited = None

    def _run(self) -> None:
        try:
            self._work()
        except Cancelled:
            logger.info("%s was stopped", self.id)
        finally:
            self._done()


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of the server that jobs share. `roots` returns the workspace's folders."""

    client: Client
    configuration: Configuration
    trust: Trust
    shares: Shares
    roots: Callable[[], list[Path]]

    def call_on_loop(self, call: Callable[[], T]) -> Future[T]:
        """Make a call in the loop's thread; the future gets its result or error."""
        future: Future[T] = Future()
        self.client.post(_complete, call, future)
        if self.client.closed:
            future.cancel()
        return future


def _complete(call: Callable[[], T], future: Future[T]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(call())
    except BaseException as error:
        future.set_exception(error)  # raised again in the waiting thread
