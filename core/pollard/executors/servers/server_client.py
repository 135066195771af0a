"""The client's side of the conversation with a language server, as far as it waits for nothing else."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from pygls.client import JsonRPCClient
from pygls.protocol import default_converter
from pygls.protocol.json_rpc import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
)

from pollard.executors.invocation import READ_BYTES

if TYPE_CHECKING:
    from cattrs import Converter

#: The name of the thread that the client runs in.
THREAD = "pollard-language-server"

# A server that does not say which text its diagnostics are about has said all after this silence.
_QUIET_SECONDS = 0.5
# The next step may take longer for another text than it took for the original.
_PAUSE_FACTOR = 2
# What servers ask of editors, answered as an editor without settings does.
_NOTHING = (
    "workspace/workspaceFolders",
    "workspace/diagnostic/refresh",
    "client/registerCapability",
    "client/unregisterCapability",
    "window/workDoneProgress/create",
    "window/showMessageRequest",
)


@dataclass(frozen=True, slots=True)
class Pace:
    """How a server publishes its diagnostics of a text: in `steps`, each with all it knows by then.

    After `quiet_seconds` of silence there are no more of them. None: the server does not say which text
    a step is about, so only silence tells.
    """

    steps: int | None
    quiet_seconds: float


class _Publication(NamedTuple):
    """Diagnostics that a server published, whether it said about which text, and when (in seconds)."""

    diagnostics: Any
    names_version: bool
    time: float


class ServerClient(JsonRPCClient):
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

    async def published(
        self, version: int, pace: Pace | None, *, quiet_seconds: float
    ) -> tuple[Any, Pace]:
        """Wait for the diagnostics of a version of the document; return them, and the server's pace.

        While the pace is not known, the server has said all after `quiet_seconds` of silence.
        """
        steps: list[_Publication] = []
        quiet = pace.quiet_seconds if pace else quiet_seconds
        while pace is None or pace.steps is None or _named(steps) < pace.steps:
            try:
                params = await asyncio.wait_for(self._published.get(), quiet if steps else None)
            except asyncio.TimeoutError:
                break
            named = params.get("version")
            if named in (None, version):
                found = params.get("diagnostics", [])
                steps.append(_Publication(found, named is not None, time.monotonic()))
        return steps[-1].diagnostics, pace or _pace_of(steps)

    def _keep(self, params: dict[str, Any]) -> None:
        # Servers escape characters in different ways; the name is enough, since there is one document.
        if str(params.get("uri", "")).rpartition("/")[2] == self._uri.rpartition("/")[2]:
            self._published.put_nowait(params)


def _named(steps: list[_Publication]) -> int:
    return sum(step.names_version for step in steps)


def _pace_of(steps: list[_Publication]) -> Pace:
    """Return the pace of a server that published nothing new after these steps."""
    named = [step for step in steps if step.names_version]
    if not named:
        return Pace(None, _QUIET_SECONDS)
    changes = [
        number
        for number, (one, next_one) in enumerate(pairwise(named), 2)
        if one.diagnostics != next_one.diagnostics
    ]
    count = max(changes, default=1)
    pauses = [next_one.time - one.time for one, next_one in pairwise(named[:count])]
    return Pace(count, max([_QUIET_SECONDS, *(_PAUSE_FACTOR * pause for pause in pauses)]))


def _converter() -> Converter:
    """Return a converter that leaves the contents of messages as they are."""
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    for message in (JsonRPCRequestMessage, JsonRPCResponseMessage, JsonRPCNotification):
        converter.register_structure_hook(message, lambda value, cls: cls(**value))
    return converter


def _is_of_others(record: logging.LogRecord) -> bool:
    return record.threadName != THREAD


# What a broken server sends is a result, and not for the log.
for _name in ("pygls.client", "pygls.protocol.json_rpc", "pygls.io_", "asyncio"):
    logging.getLogger(_name).addFilter(_is_of_others)
