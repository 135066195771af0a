"""A streamer with a fake client, a fake clock, and a simulated editor at the other end."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from lsprotocol import types as lsp

from pollard_server.streaming import ForeignChange, Streamer
from tests.server.streaming.editors import EMACS, VS_CODE, Editor, Request, Temperament

URI = "file:///workspace/a.c"


@dataclass(order=True)
class FakeTimer:
    """A call due at `time`, in seconds of the fake clock."""

    time: float
    serial: int
    call: Callable[[], object] = field(compare=False)
    cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        self.cancelled = True


class FakeClient:
    """Puts requests into the editor's inbox; its clock advances only when the test says so."""

    def __init__(self, editor: Editor) -> None:
        self.encoding = editor.temperament.encoding
        self.can_apply_edits = True
        self.never_refuses_version_0 = 0 in editor.temperament.never_refused
        self.compares_replaced_text = editor.temperament is EMACS
        self.requests: list[Request] = []
        self.on_request: Callable[[], None] = lambda: None
        self._editor = editor
        self._now = 0.0
        self._timers: list[FakeTimer] = []
        self._serial = 0

    def request(self, method: str, params: object) -> Future[Any]:
        assert method == lsp.WORKSPACE_APPLY_EDIT
        assert isinstance(params, lsp.ApplyWorkspaceEditParams)
        self.on_request()
        request = Request(params)
        self.requests.append(request)
        self._editor.inbox.append(request)
        return request.answer

    def later(self, seconds: float, call: Callable[[], object]) -> FakeTimer:
        self._serial += 1
        timer = FakeTimer(self._now + seconds, self._serial, call)
        heapq.heappush(self._timers, timer)
        return timer

    def advance(self, seconds: float) -> None:
        """Advance the clock, and make all calls that become due."""
        stop = self._now + seconds
        while self._timers and self._timers[0].time <= stop:
            timer = heapq.heappop(self._timers)
            self._now = timer.time
            if not timer.cancelled:
                timer.call()
        self._now = stop


class Desk:
    """An editor with one document, opened with `text`, and the streamer for it."""

    def __init__(self, text: str, temperament: Temperament = VS_CODE) -> None:
        self.editor = Editor(text, temperament)
        self.client = FakeClient(self.editor)
        self.streamer = Streamer(self.client, URI, self.editor.snapshot)
        self.foreign: list[ForeignChange] = []
        self.flushed: list[bool] = []

    def begin(self, *, interval: float = 0.25, live: bool = True) -> None:
        self.streamer.begin(self.foreign.append, interval=interval, live=live)

    def flush(self) -> None:
        self.streamer.flush(self.flushed.append)

    def deliver(self) -> None:
        """Let the editor's oldest message arrive."""
        snapshot = self.editor.deliver()
        if snapshot is not None:
            self.streamer.changed(snapshot)

    def publish(self) -> None:
        """Let the editor publish all its changes."""
        self.editor.publish()
        while self.editor.has_sent:
            self.deliver()

    def settle(self) -> None:
        """Let the editor handle all messages, until nothing is in flight."""
        while not self.editor.is_quiet:
            if self.editor.inbox:
                self.editor.take_request()
            self.publish()

    @property
    def versions(self) -> list[int | None]:
        """Return the versions for which edits were sent."""
        changes = [
            (request.params.edit.document_changes or [])[0] for request in self.client.requests
        ]
        return [change.text_document.version for change in changes]  # type: ignore[union-attr]
