"""A simulated editor whose server is in the same process: messages are passed in memory.

They are the bytes that would be sent, and they arrive in order, one turn of the event loop later. The
reductions run in threads of their own, as always.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from typing import Any

from pygls.protocol import JsonRPCProtocol
from pytest_lsp import LanguageClient

from pollard_server.jobs.running_jobs import RunningReduction
from pollard_server.server import create_server
from tests.server.editor import Editor
from tests.server.editor.client import client_with
from tests.server.editor.editor import SECONDS


class Wire:
    """One direction of the connection."""

    def __init__(self, receiver: JsonRPCProtocol) -> None:
        self._receiver = receiver
        self._loop = asyncio.get_running_loop()

    def write(self, message: bytes) -> None:
        self._loop.call_soon(self._deliver, message)

    def close(self) -> None:
        """Do nothing."""

    def _deliver(self, message: bytes) -> None:
        read = json.loads(message, object_hook=self._receiver.structure_message)
        self._receiver.handle_message(read)


class EditorHere(Editor):
    """An editor with a server in this process."""

    is_running = True  # the server's process is that of the test

    async def _connected(self) -> LanguageClient:
        server, self._features = create_server()
        client = client_with(self._conversation.handlers())
        client.protocol.set_writer(Wire(server.protocol), include_headers=False)
        server.protocol.set_writer(Wire(client.protocol), include_headers=False)
        return client

    def server_text(self, uri: str) -> str | None:
        """Return the text that the server takes for the buffer's; None if it is not open there."""
        document = self._features._active.documents.get(uri)
        return document.snapshot.text if document else None

    async def running(self) -> list[str]:
        """Return the URI of each reduction, once the server has read all messages."""
        await asyncio.sleep(0)
        return [job.uri for job in self._jobs]

    @property
    def is_reducing(self) -> bool:
        """Whether a reduction runs that is not paused."""
        return any(not job.paused for job in self._jobs)

    def is_beginning(self, uri: str) -> bool:
        """Return whether a reduction, or its next round, is yet to take the buffer's text over.

        What is typed until then is part of the text that it reduces, and of the original on disk.
        """
        job = self._features._active.jobs.of(uri)
        return job is not None and (job._round is None or job._round._decision.done())

    @property
    def _jobs(self) -> list[RunningReduction]:
        return self._features._active.jobs.matching(None, None)

    async def leave(self) -> None:
        """End all jobs, and the session."""
        self._stop_answering()
        await asyncio.to_thread(self._features.abandon)

    async def _soon(self, awaitable: Awaitable[Any]) -> Any:
        return await asyncio.wait_for(awaitable, SECONDS)
