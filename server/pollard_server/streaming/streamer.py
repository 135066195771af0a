"""Sends the edits of one document to the editor: one at a time, with an interval in between.

`Stream` decides what has become of an edit. This module has the requests, the timers, and the
callers who wait. Everything happens in the event loop's thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from lsprotocol import types as lsp

from pollard_server.streaming.stream import ForeignChange, Proposal, Stream
from pollard_server.text.text_edits import text_edits

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from pollard_server.streaming.stream import Snapshot

# Neovim publishes up to 150 ms after an edit, Emacs up to 500 ms while keys are being pressed.
GRACE_SECONDS = 5.0

# Neovim drops an edit only if its version is above 0 and below the buffer's. A buffer that was
# opened with version 0 and then changed has `b:changedtick` as its version, which is at least 3.
_VERSION_INSTEAD_OF_0 = 1


class Timer(Protocol):
    """A call that will be made later."""

    def cancel(self) -> object:
        """Cancel it."""


class StreamClient(Protocol):
    """The part of the client that streaming needs; see `pollard_server.client.connection.Client`."""

    @property
    def encoding(self) -> lsp.PositionEncodingKind:
        """The encoding of positions."""

    @property
    def can_apply_edits(self) -> bool:
        """Whether `workspace/applyEdit` may be sent."""

    @property
    def never_refuses_version_0(self) -> bool:
        """Whether an edit against version 0 is applied to any text, as Neovim does."""

    @property
    def compares_replaced_text(self) -> bool:
        """Whether long edits that change little are slow, as in Emacs."""

    def request(self, method: str, params: object) -> Future[Any]:
        """Send a request; the future is completed in this thread, and cancelled at the end."""

    def later(self, seconds: float, call: Callable[[], object]) -> Timer:
        """Make a call in this thread after some seconds."""


class Streamer:
    """Puts the offered texts into one open document, as long as nobody else changes it.

    `grace` is the number of seconds within which an edit's text must arrive after the editor said
    that it applied the edit. The answer itself may take any time: an editor may ask its user first.
    """

    def __init__(
        self, client: StreamClient, uri: str, snapshot: Snapshot, *, grace: float = GRACE_SECONDS
    ) -> None:
        self._client = client
        self._uri = uri
        self._grace = grace
        self._is_closed = False
        self._stream = Stream(snapshot)
        self._on_foreign: Callable[[ForeignChange], None] = _ignore
        self._interval = 0.0
        self._live = False
        self._interval_timer: Timer | None = None
        self._deadline: Timer | None = None
        self._waiting: list[Callable[[bool], None]] = []

    @property
    def snapshot(self) -> Snapshot:
        """The document as the editor last published it."""
        return self._stream.snapshot

    @property
    def foreign(self) -> bool:
        """Whether somebody else changed the document, until the next `begin` or `end`."""
        return self._stream.foreign

    def begin(
        self,
        on_foreign: Callable[[ForeignChange], None],
        *,
        interval: float = 0.25,
        live: bool = True,
    ) -> None:
        """Take over the buffer with its present text, and with nothing offered yet.

        After a foreign change `on_foreign` is called once, before the `done(False)` of a flush; both
        may call this object again. Edits are sent at least `interval` seconds apart. Unless `live`,
        none is sent before `flush`. A closed document is not taken over, so nothing is ever sent: a job
        may get to its beginning, or to a text from the disk, after the user closed the document.
        """
        if self._is_closed:
            return
        self._on_foreign, self._interval, self._live = on_foreign, interval, live
        self._stream.begin()
        self._call_back(False)

    def offer(self, text: str) -> None:
        """Put `text` into the buffer, now or after the interval; a newer offer replaces it."""
        self._stream.offer(text)
        self._send_next()

    def flush(self, done: Callable[[bool], None]) -> None:
        """Send the newest text without waiting for the interval.

        `done(True)` is called once the buffer has it and no edit is in flight, perhaps immediately;
        texts that are offered meanwhile are sent, too. `done(False)` is called if that is
        impossible: Pollard may not change the buffer, the document was closed, or the client takes
        no edits.
        """
        self._waiting.append(done)
        self._proceed(None)

    def end(self) -> None:
        """Give the buffer back to the user; later changes are not foreign."""
        self._stream.end()
        self._on_foreign = _ignore
        self._call_back(False)

    def changed(self, snapshot: Snapshot) -> None:
        """Handle the text of a `didChange`."""
        self._proceed(self._stream.changed(snapshot))

    def closed(self) -> None:
        """Stop sending: the document was closed, or the client is gone."""
        self._is_closed = True
        self.end()
        self._stop_waiting_for_text()

    def _proceed(self, foreign: ForeignChange | None) -> None:
        """Continue after an event: call back the callers who wait, or send the next edit."""
        if not self._stream.awaits_text:
            self._stop_waiting_for_text()
        if foreign is not None:
            waiting, self._waiting = self._waiting, []
            self._on_foreign(foreign)
            _call(waiting, False)
        elif self._stream.settled:
            self._call_back(True)
        elif not (self._stream.owned and self._client.can_apply_edits):
            self._call_back(False)
        else:
            self._send_next()

    def _call_back(self, arrived: bool) -> None:
        waiting, self._waiting = self._waiting, []
        _call(waiting, arrived)

    def _send_next(self) -> None:
        may_send = self._waiting or (self._live and self._interval_timer is None)
        if not (may_send and self._client.can_apply_edits):
            return
        proposal = self._stream.propose()
        if proposal is not None:
            self._send(proposal)

    def _send(self, proposal: Proposal) -> None:
        if self._interval_timer is not None:
            self._interval_timer.cancel()
        self._interval_timer = self._client.later(self._interval, self._interval_over)
        params = self._apply_edit(proposal)
        answer = self._client.request(lsp.WORKSPACE_APPLY_EDIT, params)
        answer.add_done_callback(self._answered)

    def _apply_edit(self, proposal: Proposal) -> lsp.ApplyWorkspaceEditParams:
        """Return the request; it has no label, because Neovim prints a line for each."""
        base = proposal.base
        encoding, apart = self._client.encoding, self._client.compares_replaced_text
        edits = text_edits(base.text, proposal.text, encoding, apart=apart)
        version = base.version
        if version == 0 and self._client.never_refuses_version_0:
            version = _VERSION_INSTEAD_OF_0
        document = lsp.OptionalVersionedTextDocumentIdentifier(self._uri, version)
        change = lsp.TextDocumentEdit(document, edits)
        return lsp.ApplyWorkspaceEditParams(lsp.WorkspaceEdit(document_changes=[change]))

    def _interval_over(self) -> None:
        self._interval_timer = None
        self._send_next()

    def _answered(self, answer: Future[Any]) -> None:
        if answer.cancelled():
            self.closed()
            return
        foreign = self._stream.answered(_was_applied(answer))
        if self._stream.awaits_text:
            self._deadline = self._client.later(self._grace, self._lost)
        self._proceed(foreign)

    def _lost(self) -> None:
        self._deadline = None
        self._proceed(self._stream.lost())

    def _stop_waiting_for_text(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _ignore(_: ForeignChange) -> None:
    """Do nothing: the callback while nobody streams."""


def _call(waiting: list[Callable[[bool], None]], arrived: bool) -> None:
    for done in waiting:
        done(arrived)


def _was_applied(answer: Future[Any]) -> bool:
    return answer.exception() is None and bool(getattr(answer.result(), "applied", False))
