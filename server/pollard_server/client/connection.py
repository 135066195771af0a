"""The connection to the editor: its capabilities, and how to send to it from any thread.

Everything is sent from the event loop's thread, because pygls can write to TCP only from there.
Other threads post their calls to it.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types as lsp

from pollard_server.protocol.requests import DIAGNOSE_CAPABILITY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pygls.lsp.server import LanguageServer

T = TypeVar("T")

logger = logging.getLogger(__name__)

_numbers = itertools.count(1)


class Client:
    """Sends to the editor. After `close` it sends nothing, and pending requests are cancelled."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._loop: asyncio.AbstractEventLoop | None = None
        self._loop_thread: int | None = None
        self._closed = False
        self._pending: set[Future[Any]] = set()
        #: Held while the editor is asked about a candidate.
        self.diagnosing = threading.Lock()

    def connect(
        self, capabilities: lsp.ClientCapabilities, info: lsp.ClientInfo | None = None
    ) -> None:
        """Store the editor's capabilities; called in the loop's thread at `initialize`."""
        self._loop, self._loop_thread = asyncio.get_running_loop(), threading.get_ident()
        workspace, document = capabilities.workspace, capabilities.text_document
        window = capabilities.window
        watched = workspace and workspace.did_change_watched_files
        configuration = workspace and workspace.did_change_configuration
        action = document and document.code_action
        self.encoding = lsp.PositionEncodingKind(self._server.workspace.position_encoding)
        self.never_refuses_version_0 = info is not None and info.name == "Neovim"
        # Eglot sends the name of its editor since Emacs 29.
        self.compares_replaced_text = info is None or info.name == "Emacs"
        self.can_apply_edits = bool(workspace and workspace.apply_edit)
        self.can_show_progress = bool(window and window.work_done_progress)
        self.can_show_documents = bool(
            window and window.show_document and window.show_document.support
        )
        self.can_be_asked_for_settings = bool(workspace and workspace.configuration)
        self.can_watch_files = bool(watched and watched.dynamic_registration)
        self.can_register_for_settings = bool(configuration and configuration.dynamic_registration)
        self.shows_disabled_actions = bool(action and action.disabled_support)
        self.knows_action_literals = bool(action and action.code_action_literal_support)
        self.name = info.name if info is not None and info.name else "The editor"
        self.can_diagnose = _has(capabilities.experimental, DIAGNOSE_CAPABILITY)

    @property
    def closed(self) -> bool:
        """Whether nothing is sent any more."""
        return self._closed

    def notify(self, method: str, params: object) -> None:
        """Send a notification, from any thread."""
        self.post(self._notify, method, params)

    def request(self, method: str, params: object, *, withdrawable: bool = False) -> Future[Any]:
        """Send a request, from any thread; the future is completed in the loop's thread.

        The future holds an exception if the editor answers with an error, and is cancelled by
        `close`. If the caller cancels a `withdrawable` one, the editor is told (`$/cancelRequest`).
        """
        future: Future[Any] = Future()
        self.post(self._request, method, params, future, withdrawable)
        if self._closed:
            future.cancel()
        return future

    def ask(self, kind: lsp.MessageType, message: str, titles: Sequence[str]) -> Future[str | None]:
        """Ask the user; the future holds the chosen one of `titles`, or None for anything else.

        The future holds an exception if the editor answers that it cannot ask.
        """
        chosen: Future[str | None] = Future()
        actions = [lsp.MessageActionItem(title=title) for title in titles]
        answer = self.request(
            lsp.WINDOW_SHOW_MESSAGE_REQUEST,
            lsp.ShowMessageRequestParams(type=kind, message=message, actions=actions),
        )

        def read(item: Any) -> str | None:  # a title that was not offered counts as no answer
            title = getattr(item, "title", None)
            return title if title in titles else None

        answer.add_done_callback(lambda done: _pass_on(done, chosen, read))
        return chosen

    def show(self, kind: lsp.MessageType, message: str) -> None:
        """Show the user a message, from any thread."""
        params = lsp.ShowMessageParams(type=kind, message=message)
        self.notify(lsp.WINDOW_SHOW_MESSAGE, params)

    def log(self, kind: lsp.MessageType, message: str) -> None:
        """Write a line to the editor's log of this server, from any thread."""
        self.notify(lsp.WINDOW_LOG_MESSAGE, lsp.LogMessageParams(type=kind, message=message))

    def post(self, call: Callable[..., object], *args: object) -> None:
        """Make a call in the loop's thread: immediately if the caller is in it, otherwise soon."""
        if self._closed or self._loop is None:
            return
        if threading.get_ident() == self._loop_thread:
            call(*args)
            return
        try:
            self._loop.call_soon_threadsafe(call, *args)
        except RuntimeError:  # the loop ended: the editor is gone
            self.close()

    def later(self, seconds: float, call: Callable[[], object]) -> asyncio.TimerHandle:
        """Make a call after some seconds, in the loop's thread; must be called there, too."""
        assert self._loop is not None
        return self._loop.call_later(seconds, call)

    def close(self) -> None:
        """Stop sending, from any thread, and cancel pending requests."""
        self._closed = True
        for future in list(self._pending):
            future.cancel()

    def _notify(self, method: str, params: object) -> None:
        if self._closed:
            return
        try:
            self._server.protocol.notify(method, params)
        except OSError:
            self._lost()

    def _request(
        self, method: str, params: object, future: Future[Any], withdrawable: bool
    ) -> None:
        if self._closed:
            future.cancel()
            return
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        id_ = f"pollard-{next(_numbers)}"
        try:
            sent = self._server.protocol.send_request(method, params, msg_id=id_)
        except OSError:
            self._lost()
            return
        if withdrawable:
            future.add_done_callback(lambda done: self._withdraw(id_) if done.cancelled() else None)
        sent.add_done_callback(lambda done: _pass_on(done, future, lambda result: result))

    def _withdraw(self, id_: str) -> None:
        self.notify(lsp.CANCEL_REQUEST, lsp.CancelParams(id=id_))

    def _lost(self) -> None:
        logger.warning("The connection to the editor is lost")
        self.close()


def chosen_title(answer: Future[str | None]) -> str | None:
    """Return the user's choice; None also if the editor could not ask or is gone."""
    return None if answer.cancelled() or answer.exception() else answer.result()


def _has(experimental: object, name: str) -> bool:
    """Return whether the experimental capabilities, which have any form, contain one."""
    if isinstance(experimental, Mapping):
        return experimental.get(name) is True
    return getattr(experimental, name, None) is True


def _pass_on(source: Future[Any], target: Future[T], read: Callable[[Any], T]) -> None:
    """Complete `target` as `source` was, with its result converted by `read`; skip it if cancelled."""
    if source.cancelled():
        target.cancel()
    elif target.set_running_or_notify_cancel():
        error = source.exception()
        if error is not None:
            target.set_exception(error)
        else:
            target.set_result(read(source.result()))
