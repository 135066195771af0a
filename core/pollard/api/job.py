"""A reduction in a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from concurrent import futures
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Generator

    from pollard.events import Result
    from pollard.reduction import Reduction


class Job:
    """A reduction in a thread of its own, made by `start`; any thread may use it.

    Awaiting a job returns its result without blocking the event loop; cancelling the task that awaits
    it cancels the job. Leaving `with` cancels a job that still runs and waits for its end.
    """

    def __init__(self, reduction: Reduction) -> None:
        self._reduction = reduction
        self._future: futures.Future[Result] = futures.Future()
        self._future.set_running_or_notify_cancel()
        self._thread = threading.Thread(target=self._run, name="reduction", daemon=True)
        self._thread.start()

    @property
    def best(self) -> bytes:
        """The smallest interesting text so far; at first the original."""
        return self._reduction.best

    @property
    def done(self) -> bool:
        """Whether the job has ended, with a result or an error."""
        return self._future.done()

    def result(self, timeout: float | None = None) -> Result:
        """Wait for the end and return the result; after `cancel`, the best text so far.

        Raises `TimeoutError` if the job still runs after `timeout` seconds (it goes on), `Cancelled` if
        it was cancelled before the search began, and what `reduce` raises.
        """
        try:
            return self._future.result(timeout)
        except futures.TimeoutError as error:  # not the built-in one before Python 3.11
            if self.done:
                raise
            raise TimeoutError(f"The reduction has not ended within {timeout} s.") from error

    def cancel(self) -> None:
        """End within half a second with the best text so far; a call in a thread is not stopped."""
        self._reduction.cancel()
        self._reduction.resume()

    def pause(self) -> None:
        """Start no further run of the oracle until `resume`."""
        self._reduction.pause()

    def resume(self) -> None:
        """Go on after `pause`."""
        self._reduction.resume()

    def __enter__(self) -> Job:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()
        self._thread.join()

    def __await__(self) -> Generator[Any, None, Result]:
        return self._awaited().__await__()

    async def _awaited(self) -> Result:
        ended = asyncio.wrap_future(self._future)
        try:
            return await asyncio.shield(ended)
        except asyncio.CancelledError:
            self.cancel()
            await asyncio.wait([ended])
            with contextlib.suppress(Exception):
                ended.result()  # or asyncio complains that nobody has seen the error
            raise

    def _run(self) -> None:
        try:
            self._future.set_result(self._reduction.run())
        except BaseException as error:
            self._future.set_exception(error)  # raised where the result is waited for
