"""The handlers of LSP messages, in the order of the protocol. They only delegate."""

from __future__ import annotations

import gc
import logging
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from pollard import __version__
from pollard_server import SERVER_NAME
from pollard_server.actions import DIAGNOSTIC_KIND, KIND, Action
from pollard_server.client.connection import Client
from pollard_server.lifetime import exit_with_editor
from pollard_server.protocol.arguments import COMMANDS
from pollard_server.protocol.pygls_server import RequestFailed
from pollard_server.text.uris import path_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard_server.commands import Commands
    from pollard_server.editor_session import EditorSession
    from pollard_server.protocol.pygls_server import MessageId, PollardServer

DID_CHANGE_TRUST = "pollard/didChangeTrust"

logger = logging.getLogger(__name__)


class Features:
    """One editor's session from `initialize` to `exit`."""

    def __init__(self, server: PollardServer) -> None:
        self._server = server
        self._client = Client(server)
        self._params: lsp.InitializeParams | None = None
        self._session: EditorSession | None = None
        self._commands: Commands | None = None
        self.was_shut_down = False

    def register(self) -> None:
        """Register all handlers with the server."""
        actions = lsp.CodeActionOptions(code_action_kinds=[KIND, DIAGNOSTIC_KIND])
        self._handle(lsp.INITIALIZE, self._initialize)
        self._handle(lsp.INITIALIZED, self._initialized)
        self._handle(lsp.SHUTDOWN, self._shutdown)
        self._handle(lsp.TEXT_DOCUMENT_DID_OPEN, self._did_open)
        self._handle(lsp.TEXT_DOCUMENT_DID_CHANGE, self._did_change)
        self._handle(lsp.TEXT_DOCUMENT_DID_SAVE, self._did_save)
        self._handle(lsp.TEXT_DOCUMENT_DID_CLOSE, self._did_close)
        self._handle(lsp.TEXT_DOCUMENT_CODE_ACTION, self._code_action, actions)
        self._handle(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, self._did_change_configuration)
        self._handle(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, self._did_change_watched_files)
        self._handle(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, self._did_change_folders)
        self._handle(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL, self._cancel_progress)
        self._handle(DID_CHANGE_TRUST, self._did_change_trust)
        for command in COMMANDS:  # announces their names; `execute` handles them all
            self._server.command(command)(lambda *_: None)
        self._server.protocol.execute = self._execute
        self._server.protocol.on_cancel = self._cancel_request

    def _handle(self, method: str, handler: Callable[..., object], options: object = None) -> None:
        # pygls sets attributes on its handlers, which bound methods do not allow.
        self._server.feature(method, options)(partial(handler))

    def abandon(self) -> None:
        """End everything, from any thread: the editor is gone."""
        if self._session is not None:
            self._session.abandon()
        if self._commands is not None:
            self._commands.close()

    def _initialize(self, params: lsp.InitializeParams) -> None:
        if self._params is not None:  # the jobs of the first one would never end
            raise RequestFailed("The session has begun; `initialize` can only be sent once.")
        self._params = params
        self._client.connect(params.capabilities, params.client_info)
        if params.process_id is not None:
            exit_with_editor(params.process_id, self.abandon)

    def _begin(self) -> None:
        """Begin the session, unless it has begun; the answer to `initialize` does not wait for it.

        All modules that jobs need load here, before there are other threads. Where two threads load
        a package and a module in it, Python may show one of them half of the module
        (https://github.com/python/cpython/issues/83065).
        """
        from pollard_server.commands import Commands  # noqa: PLC0415
        from pollard_server.editor_session import EditorSession, roots_of  # noqa: PLC0415

        if self._session is None and self._params is not None:
            gc.freeze()  # a full collection would traverse all of them and delay the event loop
            options = self._params.initialization_options
            self._session = EditorSession(self._client, options, roots_of(self._params))
            self._commands = Commands(self._session)

    def _initialized(self, _: lsp.InitializedParams) -> None:
        self._client.log(lsp.MessageType.Info, f"{SERVER_NAME} {__version__} is ready")
        self._begin()
        registrations = []
        if self._client.can_watch_files:
            patterns = ("**/pollard.toml", "**/pyproject.toml")
            watchers = [lsp.FileSystemWatcher(glob_pattern=pattern) for pattern in patterns]
            options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
            method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registrations.append(lsp.Registration("pollard-files", method, options))
        if self._client.can_register_for_settings:
            method = lsp.WORKSPACE_DID_CHANGE_CONFIGURATION
            section = lsp.DidChangeConfigurationRegistrationOptions(section="pollard")
            registrations.append(lsp.Registration("pollard-settings", method, section))
        if registrations:
            params = lsp.RegistrationParams(registrations=registrations)
            self._client.request(lsp.CLIENT_REGISTER_CAPABILITY, params)

    async def _shutdown(self, *_: object) -> None:
        self.was_shut_down = True
        if self._session is not None:
            await self._session.close()

    def _did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        self._active.opened(params.text_document)

    def _did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        document = params.text_document
        if params.content_changes:  # each is a whole text; the last one is the newest
            self._active.changed(document.uri, document.version, params.content_changes[-1].text)

    def _did_save(self, params: lsp.DidSaveTextDocumentParams) -> None:
        self._active.saved(params.text_document.uri)

    def _did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self._active.closed(params.text_document.uri)

    async def _code_action(self, params: lsp.CodeActionParams) -> list[Action]:
        only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
        shown = params.context.diagnostics
        return await self._active.actions(params.text_document.uri, params.range, only, shown)

    def _did_change_configuration(self, params: lsp.DidChangeConfigurationParams) -> None:
        self._active.configuration.pushed(params.settings)

    def _did_change_watched_files(self, _: lsp.DidChangeWatchedFilesParams) -> None:
        self._active.configuration.refresh_soon()

    def _did_change_folders(self, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        removed = {path_of(folder.uri) for folder in params.event.removed}
        added = [path for folder in params.event.added if (path := path_of(folder.uri))]
        roots = [path for path in self._active.roots if path not in removed]
        self._active.roots = [*roots, *(path for path in added if path not in roots)]
        self._active.configuration.refresh_soon()

    def _cancel_progress(self, params: lsp.WorkDoneProgressCancelParams) -> None:
        self._active.jobs.stop_token(params.token)

    def _did_change_trust(self, params: Any) -> None:
        self._active.set_trust(getattr(params, "trusted", None))

    async def _execute(self, params: lsp.ExecuteCommandParams, message: MessageId | None) -> Any:
        self._begin()
        assert self._commands is not None
        return await self._commands.execute(params, message)

    def _cancel_request(self, message: MessageId) -> None:
        self._active.jobs.stop_request(message)

    @property
    def _active(self) -> EditorSession:
        """The session; pygls refuses any message before `initialize`."""
        self._begin()
        assert self._session is not None
        return self._session
