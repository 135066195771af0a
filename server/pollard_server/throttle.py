"""Reports that come faster than anybody can read: the latest wins, and is sent when it is time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Timer(Protocol):
    """A call that is yet to be made."""

    def cancel(self) -> None:
        """Do not make it."""


class Timers(Protocol):
    """What makes calls later."""

    def later(self, seconds: float, call: Callable[[], object]) -> Timer:
        """Make a call after some seconds."""


class Throttle(Generic[T]):
    """Passes values on to `send` at most every `interval` seconds; lives in the loop's thread."""

    def __init__(self, timers: Timers, interval: float, send: Callable[[T], object]) -> None:
        self._timers = timers
        self._interval = interval
        self._send = send
        self._sent = float("-inf")
        self._latest: T | None = None
        self._timer: Timer | None = None

    def put(self, value: T) -> None:
        """Send a value now if it is time, else then, unless a later one has come meanwhile."""
        self._latest = value
        if self._timer is not None:
            return
        wait = self._sent + self._interval - time.monotonic()
        if wait <= 0:
            self._flush()
        else:
            self._timer = self._timers.later(wait, self._flush)

    def drop(self) -> None:
        """Forget the value that waits, if there is one."""
        self._latest = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _flush(self) -> None:
        self._timer = None
        value, self._latest = self._latest, None
        if value is not None:
            self._sent = time.monotonic()
            self._send(value)
