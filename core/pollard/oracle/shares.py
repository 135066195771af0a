"""Sharing the machine: how many oracles run at a time over all reductions, and whose turn it is."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from pollard.errors import NotBegun

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.oracle.executor import Cancellable

# Seconds between two looks at the flag of whoever waits. A flag cannot tell anybody that it was set:
# it may be set in a signal handler, which must not take the lock that the waiting threads share.
_FLAG_PERIOD = 0.02


class Shares:
    """Lets at most `most` oracles run at a time and gives all shares that want to as many turns.

    The next turn goes to the share with the fewest runs under way; of several, to the one whose last
    turn is longest ago. Within a share who came first goes first. Any thread may use it.
    """

    def __init__(self, most: int) -> None:
        self._most = max(most, 1)
        self._changed = threading.Condition()
        self._members: list[Share] = []
        self._running = 0
        self._turns = 0

    @property
    def most(self) -> int:
        """How many runs go on at a time; raised it holds at once, lowered as the running ones end."""
        return self._most

    @most.setter
    def most(self, most: int) -> None:
        with self._changed:
            self._most = max(most, 1)
            self._changed.notify_all()

    def share(self) -> Share:
        """Return a new share; close it when its reduction has ended."""
        with self._changed:
            member = Share(self)
            self._members.append(member)
            return member


class Share:
    """One reduction's part of the machine; closing it ends all waiting for a turn."""

    def __init__(self, shares: Shares) -> None:
        self._shares = shares
        self._changed = shares._changed
        self._queue: deque[object] = deque()
        self._running = 0
        self._last_turn = 0
        self._paused = False
        self._closed = False

    @contextlib.contextmanager
    def turn(self, cancelled: Cancellable | None = None) -> Iterator[float]:
        """Wait for a turn and have it as long as the context lasts; gives the seconds waited.

        Raises NotBegun soon after `cancelled` was set or the share was closed.
        """
        began = time.perf_counter()
        self._wait(cancelled)
        try:
            yield time.perf_counter() - began
        finally:
            self._end()

    def pause(self) -> None:
        """Begin no further turn until `resume`; those under way go on."""
        self._set_paused(paused=True)

    def resume(self) -> None:
        """Undo `pause`."""
        self._set_paused(paused=False)

    def close(self) -> None:
        """Leave the others alone: who waits for a turn of this share gets none any more."""
        with self._changed:
            self._closed = True
            with contextlib.suppress(ValueError):  # closed before
                self._shares._members.remove(self)
            self._changed.notify_all()

    def __enter__(self) -> Share:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _set_paused(self, *, paused: bool) -> None:
        with self._changed:
            self._paused = paused
            self._changed.notify_all()

    def _wait(self, cancelled: Cancellable | None) -> None:
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
            try:
                while self._closed or not self._is_next(ticket):
                    if self._closed or (cancelled is not None and cancelled.is_set()):
                        raise NotBegun("The run was not needed any more.")
                    self._changed.wait(None if cancelled is None else _FLAG_PERIOD)
                self._begin()
            finally:
                self._queue.remove(ticket)
                self._changed.notify_all()  # there may be room for one more, or less to wait for

    def _is_next(self, ticket: object) -> bool:
        shares = self._shares
        if self._paused or shares._running >= shares._most or self._queue[0] is not ticket:
            return False
        waiting = (member for member in shares._members if member._queue and not member._paused)
        return min(waiting, key=lambda member: (member._running, member._last_turn)) is self

    def _begin(self) -> None:
        self._shares._turns += 1
        self._shares._running += 1
        self._last_turn = self._shares._turns
        self._running += 1

    def _end(self) -> None:
        with self._changed:
            self._shares._running -= 1
            self._running -= 1
            self._changed.notify_all()


@contextlib.contextmanager
def turn_of(share: Share | None, cancelled: Cancellable | None) -> Iterator[float]:
    """Have a turn of `share`, or without one at once; gives the seconds waited.

    Raises `NotBegun` if `cancelled` is set.
    """
    turn = share.turn(cancelled) if share else contextlib.nullcontext(0.0)
    with turn as waited:
        if cancelled is not None and cancelled.is_set():
            raise NotBegun("The run was cancelled.")
        yield waited
