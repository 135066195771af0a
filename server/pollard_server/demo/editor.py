"""The demo's editor: it lets a language server reduce the script, and reports what it sees as news."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

from pollard import __version__
from pollard.errors import Cancelled, PollardError
from pollard.system import end_signals_handled
from pollard_server.demo.script import FILENAME, LANGUAGE, environment, workspace
from pollard_server.protocol.notifications import PROGRESS, ProgressParams
from pollard_server.text.text_edits import applied
from pollard_server.trust.question import ONCE, TITLES

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Sequence
    from pathlib import Path

SERVER = (sys.executable, "-m", "pollard_server")
# How often signals are looked for. Their handlers must not touch the event loop themselves.
_SIGNAL_SECONDS = 0.05
_END_SECONDS = 1.0


class Changed(NamedTuple):
    """The server edited the buffer, which now has this text (UTF-8)."""

    text: bytes


News = lsp.ShowMessageRequestParams | lsp.ShowMessageParams | Changed | ProgressParams
"""The question, which the demo answers with `ONCE`; a warning; an edit; the latest figures."""
Listener = Callable[[News], object]


def drive(
    listener: Listener, *, jobs: int | None = None, command: Sequence[str] = SERVER
) -> ProgressParams | None:
    """Let a server reduce the bundled script; return its last figures, None if the user left earlier.

    `listener` gets the news in this thread. The first Ctrl-C stops the reduction, or the demo if no
    reduction runs yet; a second one ends the demo immediately. Raises PollardError if the server
    fails. No process and no file is left behind.
    """
    for name in ("pygls", "asyncio"):  # the demo reports their errors as one sentence
        logging.getLogger(name).addHandler(logging.NullHandler())
    signals: list[int] = []
    with end_signals_handled(lambda number, _: signals.append(number)), workspace(jobs) as folder:
        return asyncio.run(Editor(folder, listener, signals).run(command))


class Editor(LanguageClient):
    """An editor with one document. `signals` are those that have not been handled yet."""

    def __init__(self, folder: Path, listener: Listener, signals: list[int]) -> None:
        super().__init__("pollard-demo", __version__)
        self._folder, self._listener, self._signals = folder, listener, signals
        self._uri, self._version = (folder / FILENAME).as_uri(), 1
        self._text = (folder / FILENAME).read_bytes().decode()
        self._news: asyncio.Queue[News] = asyncio.Queue()
        self._reducing = False
        # Partial functions, because pygls sets attributes on its handlers.
        self.feature(lsp.WORKSPACE_APPLY_EDIT)(partial(self._apply))
        self.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)(partial(self._consent))
        self.feature(lsp.WINDOW_SHOW_MESSAGE)(partial(self._show))
        self.feature(PROGRESS)(partial(self._progress))

    async def run(self, command: Sequence[str]) -> ProgressParams | None:
        """Reduce; None if the user interrupted it before it began, or twice."""
        server = await self._start(command)
        reduction, end_seconds = asyncio.create_task(self._reduce()), _END_SECONDS
        try:
            await self._wait_for(reduction)
            if not reduction.done() or isinstance(reduction.exception(), RuntimeError):
                raise await self._early_exit(server)
            return reduction.result()
        except JsonRpcException as error:
            raise PollardError(f"The language server refused the demo: {error}") from error
        except Cancelled:
            end_seconds = 0.0
            return None
        finally:
            reduction.cancel()
            await self._end(server, 0.0 if self.stopped else end_seconds)

    async def _start(self, command: Sequence[str]) -> Process:
        """Start the server. Nothing interrupts the start, since signals are only handled later."""
        try:
            await self.start_io(
                *command,
                cwd=self._folder.parent,  # `python -m` imports modules from where it starts
                env=environment(self._folder),
                # Windows and POSIX: Ctrl-C reaches the demo only, which then tells the server.
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
                start_new_session=True,
            )
        except OSError as error:
            raise PollardError(
                f"The language server cannot be started: {command[0]}: {error.strerror or error}; "
                "install Pollard again."
            ) from error
        assert self._server is not None
        assert self._server.stderr is not None
        self._log = asyncio.create_task(self._server.stderr.read())
        return self._server

    async def _reduce(self) -> ProgressParams:
        """Reduce the document, and pass the news on. Raises PollardError if the reduction fails."""
        await self._open()
        await self.workspace_execute_command_async(self._command("reduce"))
        self._reducing = True
        while True:
            news = await self._news.get()
            self._listener(news)
            if isinstance(news, ProgressParams) and news.state in {"done", "stopped"}:
                return news
            if isinstance(news, ProgressParams) and news.state == "failed":
                raise PollardError(news.message)

    async def _open(self) -> None:
        """Begin the session and open the document."""
        edits = lsp.WorkspaceEditClientCapabilities(document_changes=True)
        workspace = lsp.WorkspaceClientCapabilities(apply_edit=True, workspace_edit=edits)
        capabilities = lsp.ClientCapabilities(workspace)
        folders = [lsp.WorkspaceFolder(self._folder.as_uri(), self._folder.name)]
        await self.initialize_async(
            lsp.InitializeParams(capabilities, process_id=os.getpid(), workspace_folders=folders)
        )
        self.initialized(lsp.InitializedParams())
        item = lsp.TextDocumentItem(self._uri, LANGUAGE, self._version, self._text)
        self.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def _command(self, name: str) -> lsp.ExecuteCommandParams:
        return lsp.ExecuteCommandParams(f"pollard.{name}", [{"uri": self._uri}])

    async def _wait_for(self, reduction: asyncio.Task[ProgressParams]) -> None:
        """Wait until the reduction or the server ends. Raises Cancelled if the user leaves."""
        tasks = {reduction, *self._async_tasks}  # the others end with the connection or the server
        while not any(task.done() for task in tasks):
            while self._signals:
                self._signals.pop()
                if not self._reducing:
                    raise Cancelled("The user left.")
                self._reducing = False
                self.workspace_execute_command(self._command("stop"))
            await asyncio.wait(tasks, timeout=_SIGNAL_SECONDS, return_when=asyncio.FIRST_COMPLETED)

    async def _early_exit(self, server: Process) -> PollardError:
        """Return the error for a server that ended too early, with the last line of its log."""
        facts = ["no answer"]
        with contextlib.suppress(asyncio.TimeoutError):
            facts = [f"exit status {await asyncio.wait_for(server.wait(), _END_SECONDS)}"]
            log = await asyncio.wait_for(self._log, _END_SECONDS)
            facts += log.decode("utf-8", "replace").strip().splitlines()[-1:]
        return PollardError(
            f"The demo's language server ended too early ({': '.join(facts)}); start the demo again, "
            "and if that does not help, install Pollard again."
        )

    async def _end(self, server: Process, seconds: float) -> None:
        """End the server: with the messages of LSP if `seconds` suffice, else with a signal."""
        try:
            await asyncio.wait_for(self.shutdown_async(None), seconds)
            self.exit(None)
        except (JsonRpcException, RuntimeError, asyncio.TimeoutError):
            with contextlib.suppress(ProcessLookupError):
                server.terminate()
        try:
            await asyncio.wait_for(server.wait(), _END_SECONDS)
        except asyncio.TimeoutError:
            with contextlib.suppress(psutil.Error):
                root = psutil.Process(server.pid)
                for process in [root, *root.children(recursive=True)]:
                    with contextlib.suppress(psutil.Error):
                        process.kill()
            await server.wait()

    def _apply(self, params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        """Apply an edit of the buffer, if it is for its current text, and publish the new one."""
        expected = lsp.OptionalVersionedTextDocumentIdentifier(self._uri, self._version)
        change = next(iter(params.edit.document_changes or ()), None)
        if not isinstance(change, lsp.TextDocumentEdit) or change.text_document != expected:
            return lsp.ApplyWorkspaceEditResult(applied=False)
        self._text = applied(self._text, change.edits, lsp.PositionEncodingKind.Utf16)
        self._version += 1
        whole = lsp.TextDocumentContentChangeWholeDocument(self._text)
        identifier = lsp.VersionedTextDocumentIdentifier(self._version, self._uri)
        self.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, [whole]))
        self._news.put_nowait(Changed(self._text.encode()))
        return lsp.ApplyWorkspaceEditResult(applied=True)

    def _consent(self, params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
        """Answer the question for consent as the demo's user would; ignore other questions."""
        if tuple(action.title for action in params.actions or ()) != TITLES:
            return None
        self._news.put_nowait(params)
        return lsp.MessageActionItem(ONCE)

    def _show(self, params: lsp.ShowMessageParams) -> None:
        """Pass on warnings only: errors also come with the figures."""
        if params.type == lsp.MessageType.Warning:
            self._news.put_nowait(params)

    def _progress(self, params: Any) -> None:
        """Read `pollard/progress`, of which pygls makes a tuple in the order of the fields."""
        names = (each.name for each in fields(ProgressParams))
        self._news.put_nowait(ProgressParams(**dict(zip(names, params, strict=False))))
