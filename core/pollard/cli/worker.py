"""Work in a thread of its own, so that the main thread can draw and hear signals meanwhile."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

#: Seconds between two ticks: what is drawn changes at most ten times a second. Python hears signals
#: only between two waits: on Windows always, elsewhere if one arrives just before the wait.
TICK = 0.1


class Worker(Generic[T]):
    """Calls `work` in a thread; `wait` returns what it returned or raises what it raised."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._results: list[T] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="reduction", daemon=True)

    def wait(self, stop: Callable[[], None], tick: Callable[[], None] = lambda: None) -> T:
        """Do the work, calling `tick` every `TICK` seconds; `stop` is called if that fails."""
        self._thread.start()
        try:
            while self._thread.is_alive():
                self._thread.join(TICK)
                tick()
        except BaseException:
            stop()
            self._thread.join()
            raise
        if self._error is not None:
            raise self._error
        return self._results[0]

    def _run(self) -> None:
        try:
            self._results.append(self._work())
        except BaseException as error:
            self._error = error  # raised again in the thread that waits
