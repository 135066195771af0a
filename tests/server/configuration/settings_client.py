"""A fake editor with settings, and a fake event loop that the test steps through."""

from __future__ import annotations

import queue
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from lsprotocol import types as lsp

from pollard_server.configuration import Configuration

PATIENCE = 10.0  # seconds, for what comes at once
UNANSWERED = object()


class FakeTimer:
    def __init__(self, seconds: float, call: Callable[[], object]) -> None:
        self.seconds = seconds
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


@dataclass
class FakeClient:
    """`section` is its answer for a URI; an exception is an error, UNANSWERED silence."""

    section: Any = None
    can_be_asked_for_settings: bool = True
    encoding: lsp.PositionEncodingKind = lsp.PositionEncodingKind.Utf16
    asked: list = field(default_factory=list)
    shown: list = field(default_factory=list)
    logged: list = field(default_factory=list)
    published: list = field(default_factory=list)
    timers: list = field(default_factory=list)
    calls: queue.Queue = field(default_factory=queue.Queue)

    def request(self, method, params):
        assert method == "workspace/configuration"
        (item,) = params.items
        assert item.section == "pollard"
        self.asked.append(item.scope_uri)
        section = self.section(item.scope_uri) if callable(self.section) else self.section
        future = Future()
        if isinstance(section, Exception):
            future.set_exception(section)
        elif section is not UNANSWERED:
            future.set_result([section])
        return future

    def notify(self, method, params):
        assert method == "textDocument/publishDiagnostics"
        self.published.append(params)

    def show(self, kind, message):
        assert kind is lsp.MessageType.Error
        self.shown.append(message)

    def log(self, kind, message):
        self.logged.append(message)

    def post(self, call, *args):
        self.calls.put((call, args))

    def later(self, seconds, call):
        self.timers.append(FakeTimer(seconds, call))
        return self.timers[-1]

    def run_until(self, done):
        """Run the loop until `done()` is true."""
        while not done():
            self.step()

    def step(self):
        """Make the next posted call."""
        call, args = self.calls.get(timeout=PATIENCE)
        call(*args)

    def fire(self, seconds=None):
        """Fire the timers up to that delay, by default all."""
        due = [t for t in self.timers if not t.cancelled and seconds in (None, t.seconds)]
        self.timers = [timer for timer in self.timers if timer not in due]
        for timer in due:
            timer.call()


class Desk:
    """A configuration and its fake editor, for tests that fetch settings one after another."""

    def __init__(self, section=None, *, options=None, roots=(), **client):
        self.client = FakeClient(section, **client)
        self.configuration = Configuration(self.client, options or {})
        self.roots = list(roots)

    def fetch(self, document):
        """Fetch and return the settings of a path or URI, or raise the fetch's error."""
        uri = document if isinstance(document, str) else document.as_uri()
        future = self.configuration.fetch(uri, self.roots)
        self.client.run_until(future.done)
        return future.result(timeout=0)

    def diagnostics(self, file):
        """Return the latest diagnostics of a file, None if none were published."""
        found = [each for each in self.client.published if each.uri == file.as_uri()]
        return found[-1].diagnostics if found else None
