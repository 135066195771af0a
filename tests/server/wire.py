"""A small JSON-RPC client that drives the real server process as an editor would."""

from __future__ import annotations

import contextlib
import json
import queue
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any, BinaryIO, Protocol

SECONDS = 30
"""Seconds to wait for a message or for the end of the process before the test fails."""

COMMAND = (sys.executable, "-m", "pollard_server")


class Incoming(Protocol):
    """The stream that the client reads."""

    def readline(self) -> bytes: ...

    def read(self, size: int, /) -> bytes: ...


class Client:
    """Sends and awaits messages over a pair of byte streams."""

    def __init__(self, outgoing: BinaryIO, incoming: Incoming) -> None:
        self._outgoing = outgoing
        self._incoming = incoming
        self._messages: queue.Queue[dict[str, Any]] = queue.Queue()
        self._last_id = 0
        self.notifications: list[dict[str, Any]] = []
        threading.Thread(target=self._read, daemon=True).start()

    def request(self, method: str, params: Any = None) -> Any:
        """Send a request and return its result; notifications on the way are kept."""
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": params})
        while (message := self._messages.get(timeout=SECONDS)).get("id") != self._last_id:
            self.notifications.append(message)
        assert "error" not in message, message
        return message["result"]

    def notify(self, method: str, params: Any = None) -> None:
        self._send({"method": method, "params": params})

    def next_notification(self, method: str) -> Any:
        """Return the parameters of the next notification of that method."""
        while (message := self._messages.get(timeout=SECONDS)).get("method") != method:
            self.notifications.append(message)
        return message["params"]

    def initialize(self) -> Any:
        result = self.request("initialize", {"capabilities": {}, "processId": None})
        self.notify("initialized", {})
        return result

    def _send(self, message: dict[str, Any]) -> None:
        content = {key: value for key, value in message.items() if value is not None}
        body = json.dumps({"jsonrpc": "2.0", **content}).encode()
        self._outgoing.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._outgoing.flush()

    def _read(self) -> None:
        while header := self._incoming.readline():
            name, _, value = header.partition(b":")
            assert name.lower() == b"content-length", header
            while self._incoming.readline().strip():
                pass
            self._messages.put(json.loads(self._incoming.read(int(value))))


class Server:
    """A server process over standard input and output; killed if a test leaves it behind."""

    def __init__(self, arguments: Sequence[str] = (), command: Sequence[str] = COMMAND) -> None:
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def connect(self) -> Client:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        return Client(self.process.stdin, self.process.stdout)

    def connect_tcp(self, host: str, port: int) -> Client:
        stream = socket.create_connection((host, port), timeout=SECONDS).makefile("rwb")
        return Client(stream, stream)

    def wait(self) -> int:
        return self.process.wait(timeout=SECONDS)
