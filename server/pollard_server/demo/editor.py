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
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

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
    from collections.abc import Awaitable, Sequence
    from pathlib import Path

T = TypeVar("T")

SERVER = (sys.executable, "-m", "pollard_server")
# How often signals are looked for. Their handlers must not touch the event loop themselves.
_SIGNAL_SECONDS = 0.05
_END_SECONDS = 1.0


class Changed(NamedTuple):
    """The server edited the buffer, which now has this text (UTF-8)."""

    text: bytes


class Ending(NamedTuple):
    """The end of the reduction: the buffer's text (UTF-8), and the last figures of the server."""

    text: bytes
    figures: ProgressParams


News = lsp.ShowMessageRequestParams | lsp.ShowMessageParams | Changed | ProgressParams
"""The question, which the demo answers with `ONCE`; a warning; an edit; the latest figures."""
Listener = Callable[[News], object]


def drive(
    listener: Listener, *, jobs: int | None = None, command: Sequence[str] = SERVER
) -> Ending | None:
    """Let a server reduce the bundled script; return how that ended, None if the user left earlier.

    `listener` gets the news in this thread. The first Ctrl-C stops the reduction, or the demo if no
    reduction runs yet; a second one leaves at once. Raises PollardError if the server fails. No
    process and no file is left behind.
    """
    for name in ("pygls", "asyncio"):  # the demo reports their errors as one sentence
        logging.getLogger(name).addHandler(logging.NullHandler())
    signals: list[int] = []
    with end_signals_handled(lambda number, _: signals.append(number)), workspace(jobs) as folder:
        return asyncio.run(Editor(folder, listener, signals).run(command))


class Editor(LanguageClient):
    """An editor with one document. `signals` are those that have come and not been handled yet."""

    def __init__(self, folder: Path, listener: Listener, signals: list[int]) -> None:
        super().__init__("pollard-demo", __version__)
        self._folder, self._listener, self._signals = folder, listener, signals
        self._uri, self._version = (folder / FILENAME).as_uri(), 1
        self._text = (folder / FILENAME).read_bytes().decode()
        self._news: asyncio.Queue[News] = asyncio.Queue()
        self._reducing = self._leaving = False
        for method, handler in (
            (lsp.WORKSPACE_APPLY_EDIT, self._apply),
            (lsp.WINDOW_SHOW_MESSAGE_REQUEST, self._consent),
            (lsp.WINDOW_SHOW_MESSAGE, self._show),
            (lsp.WINDOW_LOG_MESSAGE, lambda _: None),
            (PROGRESS, self._progress),
        ):
            self.feature(method)(partial(handler))  # pygls sets attributes on its handlers

    async def run(self, command: Sequence[str]) -> Ending | None:
        """Reduce; None if the user interrupted it before it began, or twice."""
        try:
            await self._start(command)
            await self._open()
            await self._answer(self.workspace_execute_command_async(self._command("reduce")))
            self._reducing = True
            return await self._ending()
        except Cancelled:
            return None
        finally:
            await self._end()

    async def _start(self, command: Sequence[str]) -> None:
        program, *arguments = command
        try:
            await self.start_io(
                program,
                *arguments,
                cwd=self._folder.parent,  # `python -m` imports modules from where it starts
                env=environment(self._folder),
                # Windows and POSIX: Ctrl-C reaches the demo only, which then tells the server.
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
                start_new_session=True,
            )
        except OSError as error:
            raise PollardError(
                f"The language server cannot be started: {command[0]}: "
                f"{error.strerror or error}; install Pollard again."
            ) from error
        assert self._server is not None
        assert self._server.stderr is not None
        self._log = asyncio.create_task(self._server.stderr.read())

    async def _open(self) -> None:
        """Begin the session and open the document."""
        edits = lsp.WorkspaceEditClientCapabilities(document_changes=True)
        capabilities = lsp.WorkspaceClientCapabilities(apply_edit=True, workspace_edit=edits)
        params = lsp.InitializeParams(
            capabilities=lsp.ClientCapabilities(workspace=capabilities),
            process_id=os.getpid(),
            workspace_folders=[lsp.WorkspaceFolder(self._folder.as_uri(), self._folder.name)],
        )
        await self._answer(self.initialize_async(params))
        self.initialized(lsp.InitializedParams())
        item = lsp.TextDocumentItem(self._uri, LANGUAGE, self._version, self._text)
        self.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    async def _ending(self) -> Ending:
        """Pass the news on until the reduction ends."""
        while True:
            news = await self._answer(self._news.get())
            self._listener(news)
            if isinstance(news, ProgressParams) and news.state == "failed":
                raise PollardError(news.message)
            if isinstance(news, ProgressParams) and news.state in {"done", "stopped"}:
                return Ending(self._text.encode(), news)

    def _command(self, name: str) -> lsp.ExecuteCommandParams:
        return lsp.ExecuteCommandParams(f"pollard.{name}", [{"uri": self._uri}])

    async def _answer(self, request: Awaitable[T]) -> T:
        """Wait for an answer. Raises PollardError if it is an error or the server is gone.

        Raises Cancelled if the user leaves meanwhile.
        """
        answer = asyncio.ensure_future(request)
        waiting = {answer, *self._async_tasks}  # the others end with the connection or the server
        done: set[Any] = set()
        while not done:
            self._handle_signals()
            done, _ = await asyncio.wait(
                waiting, timeout=_SIGNAL_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
        try:
            if answer.done():
                return answer.result()
        except JsonRpcException as error:
            raise PollardError(f"The language server refused the demo: {error}") from error
        except RuntimeError:  # pygls raises this for requests to a server that is gone
            pass
        answer.cancel()
        raise await self._early_exit()

    def _handle_signals(self) -> None:
        while self._signals and not self._leaving:
            self._signals.pop()
            if not self._reducing:
                self._leaving = True
                raise Cancelled("The user left.")
            self._reducing = False
            self.workspace_execute_command(self._command("stop"))

    async def _early_exit(self) -> PollardError:
        """Return the error for a server that ended too early, with the last line of its log."""
        assert self._server is not None
        status, last = "no answer", ""
        with contextlib.suppress(asyncio.TimeoutError):
            status = f"exit status {await asyncio.wait_for(self._server.wait(), _END_SECONDS)}"
            log = (await asyncio.wait_for(self._log, _END_SECONDS)).decode("utf-8", "replace")
            last = next((f": {line}" for line in reversed(log.splitlines()) if line.strip()), "")
        return PollardError(
            f"The demo's language server ended too early ({status}{last}); start the demo again, and "
            "if that does not help, install Pollard again."
        )

    async def _end(self) -> None:
        """End the server: with the messages of LSP if there is time for them, else with a signal."""
        if self._server is None:
            return
        at_once, self._leaving = self._leaving, True  # from here on no signal interrupts
        try:
            if at_once:
                raise Cancelled("The user does not wait.")
            await asyncio.wait_for(self._answer(self.shutdown_async(None)), _END_SECONDS)
            self.exit(None)
        except (PollardError, asyncio.TimeoutError):
            with contextlib.suppress(ProcessLookupError):
                self._server.terminate()
        try:
            await asyncio.wait_for(self._server.wait(), _END_SECONDS)
        except asyncio.TimeoutError:
            with contextlib.suppress(psutil.Error):
                running = psutil.Process(self._server.pid).children(recursive=True)
                self._server.kill()
                for each in running:
                    with contextlib.suppress(psutil.Error):
                        each.kill()
            await self._server.wait()

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
        """Answer the question for consent as the demo's user would; no other one is expected."""
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
