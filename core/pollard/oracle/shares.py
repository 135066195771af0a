"""Shares the machine between reductions: limits the parallel runs, and lets all take turns."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from pollard.errors import NotBegun
from pollard.oracle.executor import FLAG_PERIOD_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.oracle.executor import Cancellable


class Shares:
    """Lets at most `max_runs` oracles run at a time, with equally many turns for each share.

    The next turn goes to the share with the fewest runs in progress. Ties: the share whose last turn
    is longest ago. Within a share: first come, first served. Any thread may use it.
    """

    def __init__(self, max_runs: int) -> None:
        self._max_runs = max(max_runs, 1)
        self._changed = threading.Condition()
        self._members: list[Share] = []
        self._more = 0
        self._running = 0
        self._turns = 0
        self._alone: dict[object, Share] = {}  # who wants no other run beside its own, by ticket

    @property
    def max_runs(self) -> int:
        """The limit of parallel runs. A lower limit takes effect as current runs end."""
        return self._max_runs

    @max_runs.setter
    def max_runs(self, max_runs: int) -> None:
        with self._changed:
            self._max_runs = max(max_runs, 1)
            self._changed.notify_all()

    def share(self) -> Share:
        """Return a new share; close it when its reduction has ended."""
        with self._changed:
            member = Share(self)
            self._members.append(member)
            return member


class Share:
    """One reduction's part of the machine; closing it ends every wait for a turn."""

    def __init__(self, shares: Shares) -> None:
        self._shares = shares
        self._changed = shares._changed
        self._queue: deque[object] = deque()
        self._running = 0
        self._last_turn = 0
        self._paused = False
        self._closed = False

    @contextlib.contextmanager
    def turn(self, cancelled: Cancellable | None = None, *, alone: bool = False) -> Iterator[float]:
        """Wait for a turn and hold it during the context, which gets the seconds waited.

        With `alone`, no other run of any share takes place meanwhile.
        Raises NotBegun soon after `cancelled` was set or the share was closed.
        """
        began = time.perf_counter()
        ticket = object()
        self._wait(ticket, cancelled, alone=alone)
        try:
            yield time.perf_counter() - began
        finally:
            self._end(ticket)

    def pause(self) -> None:
        """Begin no further turn until `resume`; current turns continue."""
        self._set_paused(paused=True)

    def resume(self) -> None:
        """Undo `pause`."""
        self._set_paused(paused=False)

    @contextlib.contextmanager
    def one_more(self) -> Iterator[None]:
        """Allow one more run at a time during the context."""
        with self._changed:
            self._shares._more += 1
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._shares._more -= 1

    def close(self) -> None:
        """Give no further turns, and stop competing with the other shares."""
        with self._changed:
            self._closed = True
            with contextlib.suppress(ValueError):  # already closed
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

    def _wait(self, ticket: object, cancelled: Cancellable | None, *, alone: bool) -> None:
        with self._changed:
            self._queue.append(ticket)
            if alone:
                self._shares._alone[ticket] = self
            try:
                while self._closed or not self._is_next(ticket):
                    if self._closed or (cancelled is not None and cancelled.is_set()):
                        raise NotBegun("The run was not needed any more.")
                    self._changed.wait(None if cancelled is None else FLAG_PERIOD_SECONDS)
                self._begin()
            except BaseException:
                self._shares._alone.pop(ticket, None)
                raise
            finally:
                self._queue.remove(ticket)
                self._changed.notify_all()  # the next one may have its turn now

    def _is_next(self, ticket: object) -> bool:
        shares = self._shares
        if self._paused:
            return False
        alone = [each for each, share in shares._alone.items() if not share._paused]
        if alone:
            return alone[0] is ticket and shares._running == 0
        if shares._running >= shares._max_runs + shares._more or self._queue[0] is not ticket:
            return False
        waiting = (member for member in shares._members if member._queue and not member._paused)
        return min(waiting, key=lambda member: (member._running, member._last_turn)) is self

    def _begin(self) -> None:
        self._shares._turns += 1
        self._shares._running += 1
        self._last_turn = self._shares._turns
        self._running += 1

    def _end(self, ticket: object) -> None:
        with self._changed:
            self._shares._alone.pop(ticket, None)
            self._shares._running -= 1
            self._running -= 1
            self._changed.notify_all()


@contextlib.contextmanager
def turn_of(
    share: Share | None, cancelled: Cancellable | None, *, alone: bool = False
) -> Iterator[float]:
    """Wait for a turn of `share`, or not at all without one; the context gets the seconds waited.

    With `alone`, no other run takes place meanwhile. Raises `NotBegun` if `cancelled` is set.
    """
    turn = share.turn(cancelled, alone=alone) if share else contextlib.nullcontext(0.0)
    with turn as waited:
        if cancelled is not None and cancelled.is_set():
            raise NotBegun("The run was cancelled.")
        yield waited
