"""One fetch of settings: asks the editor, has the disk read, and waits a limited time for both."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Protocol

from lsprotocol import types as lsp

from pollard.settings import Problem, Settings, SettingsError
from pollard_server.configuration.diagnostics import MessageClient
from pollard_server.configuration.layers import SECTION
from pollard_server.configuration.reading import FileSettings

if TYPE_CHECKING:
    from asyncio import TimerHandle
    from collections.abc import Callable


class ConfigurationClient(MessageClient, Protocol):
    """The part of the client that fetching settings needs."""

    can_be_asked_for_settings: bool

    def request(self, method: str, params: object) -> Future[Any]:
        """Send a request."""

    def log(self, kind: lsp.MessageType, message: str) -> None:
        """Write to the editor's log."""

    def post(self, call: Callable[..., object], *args: object) -> None:
        """Make a call in the loop's thread, soon."""

    def later(self, seconds: float, call: Callable[[], object]) -> TimerHandle:
        """Make a call in the loop's thread after some seconds."""


class SettingsFetch:
    """Calls `finished` once, with the settings file's content and the editor's answer.

    The answer is None if the editor cannot be asked, does not answer in time or answers with an
    error. A disk that does not answer in time is a `SettingsError`. Used in the loop's thread.
    """

    def __init__(
        self,
        client: ConfigurationClient,
        uri: str,
        reading: Future[FileSettings],
        timeout: float,
        finished: Callable[[Future[FileSettings], object], None],
    ) -> None:
        """Begin; `timeout` is in seconds."""
        self._client = client
        self._uri = uri
        self._reading = reading
        self._timeout = timeout
        self._finished = finished
        self._is_over = False
        self._answer = self._ask()
        self._timer = client.later(timeout, self._finish)
        for future in (self._reading, self._answer):
            future.add_done_callback(lambda _: client.post(self._finish_if_ready))

    def _ask(self) -> Future[Any]:
        if self._client.can_be_asked_for_settings:
            item = lsp.ConfigurationItem(scope_uri=self._uri, section=SECTION)
            params = lsp.ConfigurationParams(items=[item])
            return self._client.request(lsp.WORKSPACE_CONFIGURATION, params)
        no_answer: Future[Any] = Future()
        no_answer.set_result([None])
        return no_answer

    def _finish_if_ready(self) -> None:
        if self._reading.done() and self._answer.done():
            self._finish()

    def _finish(self) -> None:
        if self._is_over:
            return
        self._is_over = True
        self._timer.cancel()
        self._finished(
            self._reading if self._reading.done() else self._timed_out(), self._usable_answer()
        )

    def _timed_out(self) -> Future[FileSettings]:
        reason = (
            f"its settings file could not be read within {self._timeout:g} s; "
            "see whether its disk answers"
        )
        error = SettingsError([Problem(self._uri, None, reason)])
        unread: Future[FileSettings] = Future()
        unread.set_result(FileSettings(None, Settings(), error))
        return unread

    def _usable_answer(self) -> object:
        """Return the editor's section, None if there is none."""
        fault = self._fault()
        if fault is None:
            return self._answer.result()[0]
        message = (
            f"The editor was asked for the settings of {self._uri} and {fault}; the settings that "
            "it sent before stay in force."
        )
        self._client.log(lsp.MessageType.Warning, message)
        return None

    def _fault(self) -> str | None:
        if not self._answer.done():
            return f"gave no answer within {self._timeout:g} s"
        if self._answer.cancelled():
            return "went away"
        error = self._answer.exception()
        if error is not None:
            return f"answered with an error ({error})"
        items = self._answer.result()
        if not isinstance(items, (list, tuple)) or len(items) != 1:
            return "did not answer with exactly one section"
        return None
