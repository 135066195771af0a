"""One process of a language server, and the conversation with it.

The client is that of pygls, in an event loop with a thread of its own. Messages stay plain JSON, since
servers that somebody debugs do not always send what the protocol's types allow.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import threading
from concurrent import futures
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from pygls.client import JsonRPCClient
from pygls.exceptions import JsonRpcException
from pygls.protocol import default_converter
from pygls.protocol.json_rpc import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
)

from pollard.executors.invocation import (
    READ_BYTES,
    Clip,
    kill_marked,
    kill_with_descendants,
    wait_for_killed,
)
from pollard.oracle.diagnostics.protocol_diagnostics import as_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from cattrs import Converter

    from pollard.oracle.diagnostics.server_request import ServerRequest

#: What the server says about a text, as lines of JSON, once it is there.
Answer = futures.Future[bytes]

# A server that does not say which text its diagnostics are about has said all after this silence.
_QUIET_SECONDS = 0.5
_END_SECONDS = 5.0
_MAX_REPEATS = 10
_SERVER_CANCELLED = -32802
_THREAD = "pollard-language-server"
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
# What servers ask of editors, answered as an editor without settings does.
_NOTHING = (
    "workspace/workspaceFolders",
    "workspace/diagnostic/refresh",
    "client/registerCapability",
    "client/unregisterCapability",
    "window/workDoneProgress/create",
    "window/showMessageRequest",
)


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
    """

    arguments: list[str]
    directory: Path
    environment: Mapping[bytes, bytes]
    mark: str
    file: Path
    language: str
    output_limit: int
    request: ServerRequest | None = None


class ServerSession:
    """A server that runs, with one open document. One thread at a time may use it."""

    def __init__(self, start: ServerStart, confined: Callable[[Callable[[], None]], None]) -> None:
        """Prepare a server; the first text starts it.

        `confined` calls a function; what that starts is in the sandbox. Raises what it raises.
        """
        self._start = start
        self._uri = start.file.as_uri()
        self._stderr = Clip(start.output_limit)
        self._version = 0
        self._pulls = False
        self._items: list[dict[str, Any]] = []
        self._client: _EditorSide | None = None
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
        threading.current_thread().name = _THREAD  # may be another one than that of `_confine`
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
            self._client = _EditorSide(self._uri)
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

    async def _read_stderr(self, client: _EditorSide) -> None:
        while chunk := await client.read_stderr():
            self._stderr.feed(chunk)

    async def _answer(self, client: _EditorSide, text: str) -> bytes:
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
            return as_lines(await client.published(self._version))
        self._items = await self._pulled(client)
        return as_lines(self._items)

    async def _initialize(self, client: _EditorSide) -> None:
        folder = self._start.directory.as_uri()
        params = {
            "processId": None,  # the sandbox has no other processes
            "clientInfo": {"name": "pollard"},
            "rootUri": folder,
            "workspaceFolders": [{"uri": folder, "name": self._start.directory.name}],
            "capabilities": _CAPABILITIES,
        }
        result = await client.protocol.send_request_async("initialize", params)
        offered = (result or {}).get("capabilities", {}).get("diagnosticProvider")
        self._pulls = offered not in (None, False)  # an empty object counts
        client.protocol.notify("initialized", {})

    async def _pulled(self, client: _EditorSide) -> list[dict[str, Any]]:
        params = {"textDocument": {"uri": self._uri}}
        for _ in range(_MAX_REPEATS):
            try:
                report = await client.protocol.send_request_async("textDocument/diagnostic", params)
            except JsonRpcException as error:
                if error.code != _SERVER_CANCELLED:
                    raise
                continue  # its state has changed meanwhile
            if (report or {}).get("kind") == "unchanged":
                return self._items
            return list((report or {}).get("items", ()))
        raise ServerRefused("The server cancelled the request for diagnostics again and again.")


class _EditorSide(JsonRPCClient):
    """The client's side of the protocol, as far as it waits for nothing else."""

    def __init__(self, uri: str) -> None:
        super().__init__(converter_factory=_converter)
        self.exited: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._uri = uri
        self._published: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.feature("textDocument/publishDiagnostics")(partial(self._keep))
        self.feature("workspace/configuration")(lambda params: [None] * len(params["items"]))
        for method in _NOTHING:
            self.feature(method)(lambda _=None: None)

    @property
    def pid(self) -> int | None:
        """The number of the server's process; None before it is started."""
        return self._server.pid if self._server else None

    async def read_stderr(self) -> bytes:
        """Return what comes next on standard error; b"" at its end."""
        assert self._server is not None
        assert self._server.stderr is not None
        return await self._server.stderr.read(READ_BYTES)

    async def server_exit(self, server: asyncio.subprocess.Process) -> None:
        """Note how the process ended."""
        if not self.exited.done():
            self.exited.set_result(server.returncode or 0)

    def forget_published(self) -> None:
        """Forget the diagnostics that were published so far."""
        while not self._published.empty():
            self._published.get_nowait()

    async def published(self, version: int) -> list[dict[str, Any]]:
        """Wait for the diagnostics about a version of the document; without versions, for silence."""
        latest: dict[str, Any] | None = None
        while True:
            try:
                quiet = None if latest is None else _QUIET_SECONDS
                params = await asyncio.wait_for(self._published.get(), quiet)
            except asyncio.TimeoutError:
                return list((latest or {}).get("diagnostics", ()))
            if params.get("version") == version:
                return list(params.get("diagnostics", ()))
            if params.get("version") is None:
                latest = params

    def _keep(self, params: dict[str, Any]) -> None:
        # Servers escape characters in different ways; the name is enough, since there is one document.
        if str(params.get("uri", "")).rpartition("/")[2] == self._uri.rpartition("/")[2]:
            self._published.put_nowait(params)


def _converter() -> Converter:
    """Return a converter that leaves the contents of messages as they are."""
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    for message in (JsonRPCRequestMessage, JsonRPCResponseMessage, JsonRPCNotification):
        converter.register_structure_hook(message, lambda value, cls: cls(**value))
    return converter


def _is_of_others(record: logging.LogRecord) -> bool:
    return record.threadName != _THREAD


# What a broken server sends is a result, and not for the log.
for _name in ("pygls.client", "pygls.protocol.json_rpc", "pygls.io_", "asyncio"):
    logging.getLogger(_name).addFilter(_is_of_others)
