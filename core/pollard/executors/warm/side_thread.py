"""A thread for runs beside others: the warm runs of a trial, and the cold ones of proofs."""

from __future__ import annotations

import contextlib
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Generic, TypeVar

from pollard.errors import Cancelled
from pollard.oracle.executor import FLAG_PERIOD_SECONDS, CancelToken

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.oracle.executor import Cancellable
    from pollard.oracle.shares import Share

T = TypeVar("T")


class SideWork(Generic[T]):
    """A function that a `SideThread` calls."""

    def __init__(self, future: Future[T], stop: CancelToken) -> None:
        self._future = future
        self._stop = stop

    def is_over(self) -> bool:
        """Return whether `result` need not wait."""
        return self._future.done()

    def result(self, cancelled: Cancellable | None = None) -> T:
        """Wait; return what the function returned, or raise what it raised.

        It is stopped once `cancelled` is set, and then raises `Cancelled`.
        """
        while not self._future.done():
            wait([self._future], FLAG_PERIOD_SECONDS)
            if cancelled is not None and cancelled.is_set():
                self._stop.set()
        if self._future.cancelled():
            raise Cancelled("The run was not needed any more.")
        return self._future.result()


class SideThread:
    """Calls one function after the other in a thread of its own.

    Each may carry out one run at a time, beside as many as the jobs of `share` allow. The thread stays
    until `close`, since processes that stay may end with the thread that started them.
    """

    def __init__(self, share: Share | None) -> None:
        self._share = share
        self._pool = ThreadPoolExecutor(1)  # which begins with the first function
        self._stop = CancelToken()

    def begin(self, function: Callable[[Cancellable], T]) -> SideWork[T]:
        """Have a function called with the flag that tells it to stop."""
        stop = self._stop

        def call() -> T:
            with self._share.one_more() if self._share else contextlib.nullcontext():
                return function(stop)

        return SideWork(self._pool.submit(call), stop)

    def stop(self) -> None:
        """Stop the functions that were begun, and wait for their end."""
        stopped, self._stop = self._stop, CancelToken()
        stopped.set()
        self._pool.submit(lambda: None).result()

    def close(self) -> None:
        """Stop the functions that were begun, and end the thread."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)
