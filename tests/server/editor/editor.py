"""The simulated editor: its user's actions, its buffers, and its side of the protocol."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import psutil
from lsprotocol import types as lsp
from pytest_lsp import LanguageClient

from tests.server.editor import positions
from tests.server.editor.answers import Answers
from tests.server.editor.buffer import Buffer
from tests.server.editor.capabilities import capabilities
from tests.server.editor.client import connect
from tests.server.editor.conversation import Conversation
from tests.server.editor.seen import Seen
from tests.server.editor.temperaments import VSCODE, Temperament, Treatment
from tests.server.editor.workspace import Workspace

SECONDS = 30.0
"""How long to wait for anything before the test fails."""

_POLL_SECONDS = 0.02
_COMMANDS_THAT_OVERWRITE = ("pollard.reduce", "pollard.resume", "pollard.restore")


async def no_diagnostics(_: dict[str, Any]) -> list[dict[str, Any]]:
    """The answer of an editor that has no tools of its own."""
    return []


class Fault(AssertionError):
    """The server did something that no server may do, in any test."""


class WaitedTooLong(AssertionError):
    """An expected event did not come in time."""


class ServerGone(AssertionError):
    """The server's process ended while the test waited for it."""


class Editor:
    """An editor with one folder open, and its user. Create it with `start`."""

    def __init__(self, log: Path, temperament: Temperament) -> None:
        self.log = log
        self.temperament = temperament
        self.encoding = lsp.PositionEncodingKind.Utf16
        self._news = asyncio.Event()
        self._conversation = Conversation(self)
        self._last_id = 0
        self.client: LanguageClient
        self.workspace: Workspace
        self.settings: dict[str, Any] = {}
        self.forget()

    def forget(self) -> None:
        """Forget the open documents and all messages, before another test."""
        self.seen = self._conversation.seen = Seen()
        self.buffers: dict[str, Buffer] = {}
        self.answers = Answers()
        self.treatment: Callable[[Buffer], Treatment] = lambda _: Treatment.APPLY
        self.has_browser = True
        self.own_tools: Callable[[dict[str, Any]], Awaitable[list[dict[str, Any]]]] = no_diagnostics
        self.edits = 0
        self.faults: list[str] = []
        self._logged = self.log.stat().st_size if self.log.exists() else 0

    @classmethod
    async def start(
        cls,
        log: Path,
        temperament: Temperament = VSCODE,
        *,
        folder: Path | None = None,
        supports: lsp.ClientCapabilities | None = None,
        options: dict[str, Any] | None = None,
    ) -> Editor:
        """Start a server that logs to `log`, with `folder` open (by default that of the log)."""
        editor = cls(log, temperament)
        editor.client = await editor._connected()
        uri = (folder or log.parent).as_uri()
        result = await editor.client.initialize_session(
            lsp.InitializeParams(
                capabilities=supports or capabilities(),
                client_info=lsp.ClientInfo("Neovim" if temperament.neovim else temperament.name),
                root_uri=uri,
                workspace_folders=[lsp.WorkspaceFolder(uri, "workspace")],
                initialization_options=options,
            )
        )
        editor.encoding = result.capabilities.position_encoding or lsp.PositionEncodingKind.Utf16
        return editor

    async def _connected(self) -> LanguageClient:
        """Start a server; return the client that is connected to it."""
        return await connect(self._conversation.handlers(), self.log)

    def begin(
        self, workspace: Workspace, answers: Answers, settings: dict[str, Any] | None = None
    ) -> None:
        """Use this workspace from now on."""
        self.workspace = workspace
        self.answers = answers
        self.settings = settings or {}

    async def close_all(self) -> None:
        """Close all documents, and wait until no reduction runs or the server has ended."""
        if not self.is_running:
            return
        for question in self.seen.open_questions:
            question.reply(None)
        for buffer in self.buffers.values():
            if buffer.is_open:
                self.close(buffer)
        try:
            while (await self.execute("pollard.status", {}))["reductions"]:
                await asyncio.sleep(_POLL_SECONDS)
        except RuntimeError:  # pytest-lsp's, if the server ends before it answers
            if self.is_running:
                raise

    # What the user does

    def open(self, name: str, text: str, language: str = "plaintext") -> Buffer:
        """Open a document of the workspace; it need not be on disk."""
        if self.temperament.one_line_end:
            text = positions.with_one_line_end(text)
        buffer = Buffer(
            self.workspace.uri(name),
            language,
            self.temperament.first_version,
            text,
            self.temperament.step,
        )
        self.buffers[buffer.uri] = buffer
        item = lsp.TextDocumentItem(buffer.uri, language, buffer.version, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return buffer

    def close(self, buffer: Buffer) -> None:
        buffer.is_open = False
        self._publish_now(buffer)
        identifier = lsp.TextDocumentIdentifier(buffer.uri)
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(identifier))

    def save(self, buffer: Buffer) -> None:
        """Write a document to the disk."""
        self._publish_now(buffer)
        self.workspace.write(buffer.uri.rpartition("/")[2], buffer.text)
        identifier = lsp.TextDocumentIdentifier(buffer.uri)
        self.client.text_document_did_save(lsp.DidSaveTextDocumentParams(identifier))

    def type(self, buffer: Buffer, offset: int, text: str) -> None:
        """Insert a text, which must not get lost from now on."""
        buffer.typed.append(text)
        buffer.change_to(buffer.text[:offset] + text + buffer.text[offset:])
        self.announce(buffer)

    def delete(self, buffer: Buffer, start: int, end: int) -> None:
        buffer.change_to(buffer.text[:start] + buffer.text[end:])
        self.announce(buffer)

    def undo(self, buffer: Buffer) -> None:
        buffer.undo()
        self.announce(buffer)

    def announce(self, buffer: Buffer, delay: float | None = None) -> None:
        """Publish a change after the editor's usual delay, perhaps together with later changes."""
        delay = self.temperament.delay if delay is None else delay
        if buffer.pending is None:
            loop = asyncio.get_running_loop()
            buffer.pending = loop.call_later(delay, self._publish, buffer)
        if not delay:
            self._publish_now(buffer)

    def select(self, buffer: Buffer, start: int, end: int) -> lsp.Range:
        """Return the range between two offsets, in the negotiated encoding."""
        return lsp.Range(
            positions.position(buffer.text, start, self.encoding),
            positions.position(buffer.text, end, self.encoding),
        )

    async def code_actions(
        self,
        buffer: Buffer,
        where: lsp.Range | None = None,
        only: Sequence[str] | None = None,
        shown: Sequence[lsp.Diagnostic] = (),
    ) -> dict[str, lsp.CodeAction]:
        """Return the actions for a range (by default the document's start), by title.

        `shown` are the diagnostics that the editor shows there.
        """
        nothing = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(buffer.uri),
            where or nothing,
            lsp.CodeActionContext(list(shown), list(only) if only else None),
        )
        found = await self.ask(lsp.TEXT_DOCUMENT_CODE_ACTION, params) or ()
        assert all(isinstance(action, lsp.CodeAction) for action in found), found
        return {action.title: action for action in found}

    async def run(self, action: lsp.CodeAction) -> Any:
        """Choose a code action."""
        assert action.disabled is None, action.disabled
        assert action.command is not None, action
        return await self.execute(action.command.command, *(action.command.arguments or ()))

    async def execute(
        self, command: str, *arguments: Any, token: str | None = None, id_: str | None = None
    ) -> Any:
        """Run a command and return its result. Raises pygls' JsonRpcException for an error."""
        if command in _COMMANDS_THAT_OVERWRITE:
            self.allow_overwriting(*(each["uri"] for each in arguments if "uri" in each))
        params = lsp.ExecuteCommandParams(command, list(arguments), token)
        return await self.ask(lsp.WORKSPACE_EXECUTE_COMMAND, params, id_)

    def allow_overwriting(self, *uris: str) -> None:
        """Let the server overwrite what the user has typed so far, in these documents or in all."""
        for buffer in self.buffers.values():
            if not uris or buffer.uri in uris:
                buffer.typed.clear()

    async def reduce(self, buffer: Buffer, where: lsp.Range | None = None, **more: Any) -> str:
        """Start a reduction and return its id."""
        if where is not None:
            more["range"] = where
        began = await self.execute("pollard.reduce", {"uri": buffer.uri, **more})
        assert began["uri"] == buffer.uri
        return began["id"]

    def cancel(self, token: int | str) -> None:
        """Press the progress' Cancel button."""
        params = lsp.WorkDoneProgressCancelParams(token)
        self.client.protocol.notify(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL, params)

    def notify(self, method: str, params: Any) -> None:
        self.client.protocol.notify(method, params)

    async def ask(self, method: str, params: Any, id_: str | None = None) -> Any:
        """Send a request at once, and return its result."""
        self._last_id += 1
        id_ = id_ or f"e{self._last_id}"
        sent = self.client.protocol.send_request(method, params, msg_id=id_)
        return await self._soon(asyncio.wrap_future(sent))

    def change_settings(self, settings: dict[str, Any]) -> None:
        """Change the user's settings; the server has to fetch them again."""
        self.settings = settings
        self.notify(
            lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, lsp.DidChangeConfigurationParams(settings=None)
        )

    def report_file_change(self, path: Path) -> None:
        """Tell the server that a file has changed on disk."""
        event = lsp.FileEvent(path.as_uri(), lsp.FileChangeType.Changed)
        self.notify(
            lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, lsp.DidChangeWatchedFilesParams([event])
        )

    # Waiting

    def wake(self) -> None:
        """Wake the tests that wait, because a message has arrived."""
        self._news.set()

    async def until(self, holds: Callable[[], Any], seconds: float = SECONDS) -> Any:
        """Wait for a true result of `holds`, and return it."""
        stop = time.monotonic() + seconds
        while not (found := holds()):
            if time.monotonic() > stop:
                raise WaitedTooLong(f"{holds}; seen last:\n{self.seen.texts[-2000:]}")
            if not self.is_running:
                raise ServerGone("the server's process is gone")
            self._news.clear()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._news.wait(), _POLL_SECONDS)
        return found

    async def ended(self, job: str) -> dict[str, Any]:
        """Wait for a reduction's end and return its last `pollard/progress`."""
        return await self.until(lambda: self.seen.end(job))

    async def reduced(self, buffer: Buffer, where: lsp.Range | None = None, **more: Any) -> Any:
        """Run a whole reduction and return its last `pollard/progress`."""
        return await self.ended(await self.reduce(buffer, where, **more))

    async def settled(self, buffer: Buffer) -> None:
        """Wait until all changes are published and the server has read them."""
        await self.until(lambda: buffer.pending is None)
        await self.execute("pollard.status", {})

    # The server's process

    @property
    def process(self) -> psutil.Process:
        return psutil.Process(self._server.pid)

    @property
    def is_running(self) -> bool:
        return self._server.returncode is None

    @property
    def _server(self) -> asyncio.subprocess.Process:
        assert self.client._server is not None
        return self.client._server

    async def kill_server(self) -> None:
        """End the server as `kill -9` does."""
        self._server.kill()
        await self.gone()

    async def crash(self) -> None:
        """Crash the editor as `kill -9` does: both pipes close without a message."""
        assert self._server.stdin is not None
        self._server.stdin.transport.abort()
        output = self._server._transport.get_pipe_transport(1)  # type: ignore[attr-defined]
        output.close()
        await self.gone()

    async def leave(self) -> None:
        """End the session properly."""
        self._stop_answering()
        await self._soon(self.client.shutdown_session())
        await self.gone()

    async def gone(self) -> None:
        """Wait for the end of the server's process."""
        self._stop_answering()
        await self._soon(self._server.wait())
        await self._soon(self.client.stop())

    async def _soon(self, awaitable: Awaitable[Any]) -> Any:
        """Wait for the server; kill it if it hangs, so that no later step waits for it."""
        try:
            return await asyncio.wait_for(awaitable, SECONDS)
        except asyncio.TimeoutError:
            if self.is_running:
                self._server.kill()
                await self._server.wait()
            raise

    def _stop_answering(self) -> None:
        """Leave the server's open questions unanswered, and publish no more changes."""
        for buffer in self.buffers.values():
            if buffer.pending is not None:
                buffer.pending.cancel()
        # pygls takes all that is under way for its own requests, and fails on what is not.
        under_way = self.client.protocol._request_futures
        for id_ in [id_ for id_, task in under_way.items() if isinstance(task, asyncio.Task)]:
            del under_way[id_]

    def check(self) -> None:
        """Raise Fault for bad edits, and for tracebacks in messages or the log."""
        faults = list(self.faults)
        logged = self.log.read_bytes()[self._logged :].decode()
        for what, text in (("messages", self.seen.texts), ("log", logged)):
            if "Traceback" in text:
                faults.append(f"a traceback in the {what}:\n{text}")
        if self.client.error is not None:
            faults.append(f"an unreadable message: {self.client.error}")
        if faults:
            raise Fault("\n".join(faults))

    def _publish_now(self, buffer: Buffer) -> None:
        if buffer.pending is not None:
            buffer.pending.cancel()
            self._publish(buffer)

    def _publish(self, buffer: Buffer) -> None:
        buffer.pending = None
        identifier = lsp.VersionedTextDocumentIdentifier(buffer.version, buffer.uri)
        change = lsp.TextDocumentContentChangeWholeDocument(buffer.text)
        params = lsp.DidChangeTextDocumentParams(identifier, [change])
        self.client.text_document_did_change(params)
        self.wake()
