"""Reports a reduction's progress to the editor: `$/progress`, and figures in `pollard/progress`.

Both are sent at most ten times a second, and always at the end. An editor without work-done
progress is shown a message at the start and one at the end.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar
from uuid import uuid4

from lsprotocol import types as lsp

from pollard_server.protocol.conversion import to_json
from pollard_server.protocol.notifications import PROGRESS

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from typing import Any

    from pollard_server.client.connection import Client
    from pollard_server.protocol.notifications import ProgressParams
    from pollard_server.streaming import Timer

Token = int | str

# A little longer than a tenth of a second, because new states are reported without delay.
INTERVAL_SECONDS = 0.125


class Reporter:
    """The progress reports of one reduction; used in the loop's thread."""

    def __init__(self, client: Client, title: str, token: Token | None = None) -> None:
        """Prepare the reports; `token` is the request's, None if it has none."""
        self._client = client
        self._title = title
        self.token = token
        self._begun = False
        self._ended: str | None = None
        self._state = ""
        self._reports: Throttle[ProgressParams] = Throttle(client, INTERVAL_SECONDS, self._report)

    def begin(self) -> None:
        """Announce the reduction; a token that the server creates needs the editor's consent."""
        if self.token is not None:
            self._begin()
        elif self._client.can_show_progress:
            self.token = uuid4().hex
            created = self._client.request(
                lsp.WINDOW_WORK_DONE_PROGRESS_CREATE,
                lsp.WorkDoneProgressCreateParams(token=self.token),
            )
            created.add_done_callback(self._created)
        else:
            self._client.show(lsp.MessageType.Info, self._title)

    def update(self, params: ProgressParams) -> None:
        """Report the figures soon, or immediately if the state is new."""
        if self._ended is not None:
            return
        if params.state != self._state:
            self._state = params.state
            self._reports.drop()
            self._report(params)
        else:
            self._reports.put(params)

    def end(self, params: ProgressParams) -> None:
        """Report the end; the message of `params` is the summary."""
        if self._ended is not None:
            return
        self._reports.drop()
        self._ended = params.message
        self._client.notify(PROGRESS, to_json(params))
        if self._begun:
            self._send(lsp.WorkDoneProgressEnd(message=params.message))
        elif self.token is None and params.state != "failed":  # failures are shown as errors
            self._client.show(lsp.MessageType.Info, params.message)

    def _created(self, answer: Future[Any]) -> None:
        if answer.cancelled() or answer.exception():
            self.token = None
        else:
            self._begin()

    def _begin(self) -> None:
        self._begun = True
        self._send(lsp.WorkDoneProgressBegin(title=self._title, cancellable=True))
        if self._ended is not None:
            self._send(lsp.WorkDoneProgressEnd(message=self._ended))

    def _report(self, params: ProgressParams) -> None:
        self._client.notify(PROGRESS, to_json(params))
        if self._begun:
            self._send(lsp.WorkDoneProgressReport(message=params.message, cancellable=True))

    def _send(
        self,
        value: lsp.WorkDoneProgressBegin | lsp.WorkDoneProgressReport | lsp.WorkDoneProgressEnd,
    ) -> None:
        assert self.token is not None
        self._client.notify(lsp.PROGRESS, lsp.ProgressParams(token=self.token, value=value))


T = TypeVar("T")


class Timers(Protocol):
    """Makes calls later, in the loop's thread."""

    def later(self, seconds: float, call: Callable[[], object]) -> Timer:
        """Make a call after some seconds."""


class Throttle(Generic[T]):
    """Passes values on to `send`, at most one in `interval` seconds; used in the loop's thread.

    If values come faster, the latest one wins.
    """

    def __init__(self, timers: Timers, interval: float, send: Callable[[T], object]) -> None:
        self._timers = timers
        self._interval = interval
        self._send = send
        self._sent = float("-inf")
        self._latest: T | None = None
        self._timer: Timer | None = None

    def put(self, value: T) -> None:
        """Send a value now if the interval has passed, else at its end unless a newer one comes."""
        self._latest = value
        if self._timer is not None:
            return
        wait = self._sent + self._interval - time.monotonic()
        if wait <= 0:
            self._flush()
        else:
            self._timer = self._timers.later(wait, self._flush)

    def drop(self) -> None:
        """Forget the waiting value, if there is one."""
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
