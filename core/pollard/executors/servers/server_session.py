"""One process of a language server, and the conversation with it.

The client is that of pygls, in an event loop with a thread of its own. Messages stay plain JSON, since
servers that somebody debugs do not always send what the protocol's types allow.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from concurrent import futures
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from pollard.executors.invocation import (
    Clip,
    kill_marked,
    kill_with_descendants,
    wait_for_killed,
)
from pollard.executors.servers.server_client import THREAD, ServerClient
from pollard.oracle.diagnostics.protocol_diagnostics import as_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pollard.executors.servers.server_client import Pace
    from pollard.oracle.diagnostics.server_request import ServerRequest

#: What the server says about a text, as lines of JSON, once it is there.
Answer = futures.Future[bytes]

_END_SECONDS = 5.0
_MAX_REPEATS = 10
_SERVER_CANCELLED = -32802
_CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "synchronization": {"dynamicRegistration": False},
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
        "diagnostic": {"dynamicRegistration": False, "relatedDocumentSupport": False},
    },
    "window": {"workDoneProgress": True},
    "workspace": {"configuration": True, "workspaceFolders": True},
}


class ServerEnded(Exception):
    """The server's process has ended; `status` is its exit code, negative for a signal."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class ServerRefused(Exception):
    """The server answered a request with an error."""


@dataclass(frozen=True, slots=True)
class ServerStart:
    """How a server is started, and the document that it gets.

    - `arguments`: the whole command line
    - `directory`: where it starts; the only folder of its workspace
    - `environment`: its variables; POLLARD_RUN is `mark`
    - `file`: the document's path
    - `language`: the document's language, as the protocol names it
    - `output_limit`: the most bytes of standard error to keep
    - `request`: what the server is asked for; None for diagnostics
    - `pace`: how it publishes diagnostics; None if that is to be found out with the first text, after
      which it has said all in `quiet_seconds` of silence
    """

    arguments: list[str]
    directory: Path
    environment: Mapping[bytes, bytes]
    mark: str
    file: Path
    language: str
    output_limit: int
    request: ServerRequest | None
    pace: Pace | None
    quiet_seconds: float


class ServerSession:
    """A server that runs, with one open document. One thread at a time may use it.

    `pace` is how it publishes diagnostics, as far as that is known.
    """

    def __init__(self, start: ServerStart, confined: Callable[[Callable[[], None]], None]) -> None:
        """Prepare a server; the first text starts it.

        `confined` calls a function; what that starts is in the sandbox. Raises what it raises.
        """
        self.pace = start.pace
        self._start = start
        self._uri = start.file.as_uri()
        self._stderr = Clip(start.output_limit)
        self._version = 0
        self._pulls = False
        self._items: Any = []
        self._client: ServerClient | None = None
        self._loop = asyncio.new_event_loop()
        self._confined: futures.Future[None] = futures.Future()
        self._thread = threading.Thread(target=self._confine, args=(confined,), daemon=True)
        self._thread.start()
        self._confined.result()

    @property
    def pid(self) -> int | None:
        """The process's number; None before it is started."""
        return self._client.pid if self._client else None

    @property
    def stderr(self) -> bytes:
        """What the server has printed on standard error since the last text."""
        return self._stderr.value()

    def answer(self, text: str) -> Answer:
        """Let the document have this text, and return what the server says about it as a future.

        The future raises `ServerEnded` if the process ends, `ServerRefused` if the server answers with
        an error, and OSError if it cannot be started.
        """
        self._stderr = Clip(self._start.output_limit)
        return asyncio.run_coroutine_threadsafe(self._answered(text), self._loop)

    def close(self) -> None:
        """Kill the server and all that it has started."""
        killed = kill_with_descendants(self.pid) if self.pid is not None else []
        ended = asyncio.run_coroutine_threadsafe(self._ended(), self._loop)
        with contextlib.suppress(Exception):
            ended.result(_END_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_END_SECONDS)
        wait_for_killed(killed)
        kill_marked(self._start.mark)

    # In the thread of the event loop:

    def _confine(self, confined: Callable[[Callable[[], None]], None]) -> None:
        try:
            confined(self._serve)
        except Exception as error:
            if self._confined.done():
                raise
            self._confined.set_exception(error)

    def _serve(self) -> None:
        threading.current_thread().name = THREAD  # may be another one than that of `_confine`
        asyncio.set_event_loop(self._loop)
        self._confined.set_result(None)
        self._loop.run_forever()
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    async def _ended(self) -> None:
        if self._client is not None:
            await self._client.stop()  # type: ignore[no-untyped-call]

    async def _answered(self, text: str) -> bytes:
        if self._client is None:
            self._client = ServerClient(self._uri)
            await self._client.start_io(
                *self._start.arguments,
                cwd=self._start.directory,
                env=self._start.environment,
                start_new_session=True,
            )
            self._reading = asyncio.create_task(self._read_stderr(self._client))
        client = self._client
        answer = asyncio.create_task(self._answer(client, text))
        try:
            waited_for: set[asyncio.Future[Any]] = {answer, client.exited}
            await asyncio.wait(waited_for, return_when=asyncio.FIRST_COMPLETED)
            if answer.done() and not isinstance(answer.exception(), RuntimeError):
                return answer.result()
            status = await client.exited  # pygls raises RuntimeError if the process ended before
            await self._reading
            raise ServerEnded(status)
        except JsonRpcException as error:
            raise ServerRefused(f"The request failed: {error}") from error
        finally:
            answer.cancel()

    async def _read_stderr(self, client: ServerClient) -> None:
        while chunk := await client.read_stderr():
            self._stderr.feed(chunk)

    async def _answer(self, client: ServerClient, text: str) -> bytes:
        self._version += 1
        document = {"uri": self._uri, "version": self._version}
        if self._version == 1:
            await self._initialize(client)
            whole = {**document, "languageId": self._start.language, "text": text}
            client.protocol.notify("textDocument/didOpen", {"textDocument": whole})
        else:
            client.forget_published()
            change = {"textDocument": document, "contentChanges": [{"text": text}]}
            client.protocol.notify("textDocument/didChange", change)
        request = self._start.request
        if request is not None:
            params = request.params(self._uri, text)
            result = await client.protocol.send_request_async(request.method, params)
            return f"{json.dumps(result, ensure_ascii=False)}\n".encode("utf-8", "replace")
        if not self._pulls:
            items, self.pace = await client.published(
                self._version, self.pace, quiet_seconds=self._start.quiet_seconds
            )
            return _lines(items)
        self._items = await self._pulled(client)
        return _lines(self._items)

    async def _initialize(self, client: ServerClient) -> None:
        folder = self._start.directory.as_uri()
        params = {
            "processId": None,  # the sandbox has no other processes
            "clientInfo": {"name": "pollard"},
            "rootUri": folder,
            "workspaceFolders": [{"uri": folder, "name": self._start.directory.name}],
            "capabilities": _CAPABILITIES,
        }
        result = await client.protocol.send_request_async("initialize", params)
        offered = _fields(_fields(result).get("capabilities")).get("diagnosticProvider")
        self._pulls = offered not in (None, False)  # an empty object counts
        client.protocol.notify("initialized", {})

    async def _pulled(self, client: ServerClient) -> Any:
        params = {"textDocument": {"uri": self._uri}}
        for _ in range(_MAX_REPEATS):
            try:
                answer = await client.protocol.send_request_async("textDocument/diagnostic", params)
            except JsonRpcException as error:
                if error.code != _SERVER_CANCELLED:
                    raise
                continue  # its state has changed meanwhile
            report = _fields(answer)
            return self._items if report.get("kind") == "unchanged" else report.get("items", [])
        raise ServerRefused("The server cancelled the request for diagnostics again and again.")


def _fields(value: Any) -> dict[str, Any]:
    """Return the fields of what should be an object."""
    return value if isinstance(value, dict) else {}


def _lines(items: Any) -> bytes:
    """Return diagnostics as lines of JSON. Raises `ServerRefused` if they are none."""
    if isinstance(items, list) and all(isinstance(item, dict) for item in items):
        return as_lines(items)
    raise ServerRefused(f"The server sent no list of diagnostics, but {json.dumps(items)[:80]}.")
