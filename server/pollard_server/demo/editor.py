"""The demo's editor: it opens a document, calls the code action and takes the server's edits."""

from __future__ import annotations

import asyncio
import os
import threading
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.io_ import run_async

from pollard_server.actions import KIND
from pollard_server.demo import protocol
from pollard_server.demo.buffer import Buffer
from pollard_server.demo.errors import DemoError
from pollard_server.demo.news import Asked, Changed, Ending, News, Warned
from pollard_server.demo.script import LANGUAGE
from pollard_server.notifications import PROGRESS, ProgressParams
from pollard_server.trust.question import ONCE, TITLES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pollard_server.demo.news import Listener
    from pollard_server.demo.process import Process
    from pollard_server.demo.workspace import Workspace

T = TypeVar("T")

_ENDS = ("done", "stopped", "failed")


class Editor:
    """An editor with one document open, at the other end of a server process.

    `reducing` tells whether there is a reduction to be stopped.
    """

    def __init__(self, process: Process, workspace: Workspace) -> None:
        self.reducing = False
        self._process = process
        self._folder = workspace.folder
        text = workspace.document.read_bytes().decode()
        self._buffer = Buffer(workspace.document.as_uri(), text)
        self._encoding = lsp.PositionEncodingKind.Utf16
        self._news: asyncio.Queue[News | None] = asyncio.Queue()  # None: the server is gone
        self._client = protocol.client()
        for method, handler in self._handlers().items():
            self._client.feature(method)(partial(handler))  # pygls writes on its handlers
        self._client.protocol.set_writer(process.input)
        reading = run_async(threading.Event(), process.output, self._client.protocol)
        self._connection = asyncio.create_task(reading)
        self._connection.add_done_callback(lambda _: self._news.put_nowait(None))

    async def reduce(self, listener: Listener) -> Ending:
        """Reduce the document, which `listener` hears of; return how that ended.

        Raises DemoError if the server cannot do it, or is gone before the end.
        """
        await self._open()
        command = await self._command()
        self.reducing = True
        await self._answer(self._client.workspace_execute_command_async(command))
        while (news := await self._news.get()) is not None:
            listener(news)
            if isinstance(news, ProgressParams) and news.state in _ENDS:
                return self._ending(news)
        raise await self._process.obituary()

    def stop(self) -> None:
        """Ask the server to end the reduction, with the best so far in the buffer."""
        wanted = lsp.ExecuteCommandParams("pollard.stop", [{"uri": self._buffer.uri}])
        self._client.workspace_execute_command(wanted)

    async def leave(self) -> None:
        """End the session."""
        await self._answer(self._client.shutdown_async(None))
        self._client.exit(None)

    # What the editor says of itself

    async def _open(self) -> None:
        uri = self._folder.as_uri()
        params = lsp.InitializeParams(
            capabilities=protocol.capabilities(),
            process_id=os.getpid(),
            root_uri=uri,
            workspace_folders=[lsp.WorkspaceFolder(uri, self._folder.name)],
        )
        result = await self._answer(self._client.initialize_async(params))
        self._encoding = lsp.PositionEncodingKind(
            result.capabilities.position_encoding or self._encoding
        )
        self._client.initialized(lsp.InitializedParams())
        buffer = self._buffer
        item = lsp.TextDocumentItem(buffer.uri, LANGUAGE, buffer.version, buffer.text)
        self._client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    async def _command(self) -> lsp.ExecuteCommandParams:
        """Return what the first code action does: there is one oracle, and nothing is selected."""
        start = lsp.Position(0, 0)
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(self._buffer.uri),
            lsp.Range(start, start),
            lsp.CodeActionContext(diagnostics=[], only=[KIND]),
        )
        actions = await self._answer(self._client.text_document_code_action_async(params))
        action = actions[0] if actions else None
        if isinstance(action, lsp.CodeAction) and action.command is not None:
            return lsp.ExecuteCommandParams(action.command.command, action.command.arguments)
        reason = getattr(getattr(action, "disabled", None), "reason", "it offers nothing")
        raise DemoError(f"The language server will not reduce the demo's script: {reason}")

    async def _answer(self, request: Awaitable[T]) -> T:
        """Wait for an answer. Raises DemoError if it is an error or the server is gone."""
        answer = asyncio.ensure_future(request)
        waiting = {answer, self._connection}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            answer.cancel()
            raise await self._process.obituary()
        try:
            return answer.result()
        except JsonRpcException as error:
            raise DemoError(f"The language server refused the demo: {error}") from error

    def _ending(self, figures: ProgressParams) -> Ending:
        if figures.state == "failed":
            raise DemoError(figures.message)
        return Ending(self._buffer.text.encode(), figures)

    # What it does when the server speaks

    def _handlers(self) -> dict[str, Callable[[Any], Any]]:
        return {
            lsp.WORKSPACE_APPLY_EDIT: self._apply,
            lsp.WINDOW_SHOW_MESSAGE_REQUEST: self._consent,
            lsp.WINDOW_SHOW_MESSAGE: self._message,
            lsp.WINDOW_LOG_MESSAGE: lambda _: None,
            PROGRESS: lambda params: self._news.put_nowait(protocol.figures(params)),
        }

    def _apply(self, params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        """Apply an edit of the buffer and publish what it has now."""
        changes = params.edit.document_changes or ()
        change = changes[0] if len(changes) == 1 else None
        if not isinstance(change, lsp.TextDocumentEdit):
            return lsp.ApplyWorkspaceEditResult(applied=False)
        if not self._buffer.apply(change, self._encoding):
            return lsp.ApplyWorkspaceEditResult(applied=False)
        self._publish()
        self._news.put_nowait(Changed(self._buffer.text.encode()))
        return lsp.ApplyWorkspaceEditResult(applied=True)

    def _publish(self) -> None:
        buffer = self._buffer
        whole = lsp.TextDocumentContentChangeWholeDocument(buffer.text)
        identifier = lsp.VersionedTextDocumentIdentifier(buffer.version, buffer.uri)
        self._client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, [whole]))

    def _consent(self, params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
        """Answer as the user of the demo would; to any other question, nothing."""
        buttons = tuple(action.title for action in params.actions or ())
        if buttons != TITLES:
            return None
        self._news.put_nowait(Asked(params.message, buttons, ONCE))
        return lsp.MessageActionItem(ONCE)

    def _message(self, params: lsp.ShowMessageParams) -> None:
        """Pass warnings on; errors come with the figures, and hints are for editors' status bars."""
        if params.type == lsp.MessageType.Warning:
            self._news.put_nowait(Warned(params.message))
