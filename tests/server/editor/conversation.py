"""The editor's handling of the server's requests and notifications."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from tests.server.editor import positions
from tests.server.editor.answers import KEEP_REDUCING, RESTORE, UNANSWERED, Question
from tests.server.editor.buffer import Buffer
from tests.server.editor.seen import Seen
from tests.server.editor.temperaments import Treatment
from tests.server.text import neovim

if TYPE_CHECKING:
    from tests.server.editor.editor import Editor

_REQUEST_FAILED = -32803


class Conversation:
    """One handler for each message of the server; records what came."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self.seen = Seen()

    def handlers(self) -> dict[str, Callable[[Any], Any]]:
        return {
            lsp.WORKSPACE_APPLY_EDIT: self.apply_edit,
            lsp.WORKSPACE_CONFIGURATION: self.configuration,
            lsp.CLIENT_REGISTER_CAPABILITY: self.register,
            lsp.WINDOW_SHOW_MESSAGE_REQUEST: self.question,
            lsp.WINDOW_SHOW_MESSAGE: self.message,
            lsp.WINDOW_LOG_MESSAGE: self.log,
            lsp.WINDOW_SHOW_DOCUMENT: self.show_document,
            lsp.WINDOW_WORK_DONE_PROGRESS_CREATE: self.create_progress,
            lsp.PROGRESS: self.progress,
            lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: self.diagnostics,
            "pollard/progress": self.state,
            "pollard/checked": self.checked,
            "pollard/diagnose": self.diagnose,
        }

    async def diagnose(self, params: dict[str, Any]) -> dict[str, Any]:
        """Say what the editor's own tools report about a candidate; record how long it was asked."""
        self.seen.diagnosed.append(params)
        self.seen.open_diagnoses += 1
        self.seen.most_diagnoses = max(self.seen.most_diagnoses, self.seen.open_diagnoses)
        self._editor.wake()
        try:
            return {"diagnostics": await self._editor.own_tools(params)}
        finally:
            self.seen.open_diagnoses -= 1
            self._editor.wake()

    def show_document(self, params: lsp.ShowDocumentParams) -> lsp.ShowDocumentResult:
        """Open a page in the browser, or fail to."""
        self.seen.shown.append(params)
        self._editor.wake()
        return lsp.ShowDocumentResult(success=self._editor.has_browser)

    def apply_edit(self, params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        """Apply an edit, or refuse it in the way of this editor."""
        self._editor.edits += 1
        self._editor.wake()
        changes = params.edit.document_changes or ()
        if len(changes) != 1 or not isinstance(changes[0], lsp.TextDocumentEdit):
            return self._fault(f"an edit of {len(changes)} documents: {params.edit}")
        edit = changes[0]
        buffer = self._editor.buffers.get(edit.text_document.uri)
        if buffer is None or edit.text_document.version is None:
            return self._fault(f"an edit without a buffer or a version: {edit.text_document}")
        return self._treat(buffer, edit)

    def _treat(self, buffer: Buffer, edit: lsp.TextDocumentEdit) -> lsp.ApplyWorkspaceEditResult:
        editor = self._editor
        treatment = editor.treatment(buffer)
        if not (buffer.is_open and self._is_current(edit.text_document.version, buffer.version)):
            treatment = editor.temperament.stale
        if treatment is Treatment.FAIL:
            raise JsonRpcException("Edit for a version that is not current", _REQUEST_FAILED)
        if treatment is Treatment.APPLY:
            return self._apply(buffer, edit)
        return lsp.ApplyWorkspaceEditResult(applied=treatment is Treatment.DROP)

    def _is_current(self, version: int | None, current: int) -> bool:
        if self._editor.temperament.neovim:
            return not version or version >= current
        return version == current

    def _apply(self, buffer: Buffer, edit: lsp.TextDocumentEdit) -> lsp.ApplyWorkspaceEditResult:
        editor = self._editor
        try:
            first, *rest = self._steps(buffer, edit)
        except positions.BadEdit as error:
            return self._fault(f"{error} in {buffer.text!r}")
        buffer.change_to(first)
        for step in rest:
            editor.announce(buffer, 0)
            buffer.extend_change(step)
        buffer.from_server.append(buffer.text)
        if buffer.lost:
            editor.faults.append(f"the user's keystrokes {buffer.lost} were written over")
        change_first = editor.temperament.order == "either" and editor.edits % 2
        if change_first:
            editor.announce(buffer)
        else:
            asyncio.get_running_loop().call_soon(editor.announce, buffer)
        return lsp.ApplyWorkspaceEditResult(applied=True)

    def _steps(self, buffer: Buffer, edit: lsp.TextDocumentEdit) -> list[str]:
        """The buffer's texts during the edit, one after the other."""
        temperament, encoding = self._editor.temperament, self._editor.encoding
        edits = [each for each in edit.edits if isinstance(each, lsp.TextEdit)]
        text = positions.apply(buffer.text, edits, encoding)
        if temperament.neovim:
            return neovim.steps(buffer.text, edits, encoding)
        return [positions.with_one_line_end(text) if temperament.one_line_end else text]

    def _fault(self, what: str) -> lsp.ApplyWorkspaceEditResult:
        self._editor.faults.append(what)
        return lsp.ApplyWorkspaceEditResult(applied=False)

    async def question(self, params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
        """Show a message with buttons, which the user may leave alone."""
        titles = tuple(action.title for action in params.actions or ())
        question = Question(params.message, titles, asyncio.get_running_loop().create_future())
        self.seen.questions.append(question)
        answer = self._editor.answers.to(question)
        if answer != UNANSWERED:
            question.reply(answer)
        self._editor.wake()
        title = await question.answer
        if title in (KEEP_REDUCING, RESTORE):
            asked = [
                uri for uri in self._editor.buffers if uri.rpartition("/")[2] in params.message
            ]
            self._editor.allow_overwriting(*asked)
        return None if title is None else lsp.MessageActionItem(title)

    def configuration(self, params: lsp.ConfigurationParams) -> list[Any]:
        self.seen.asked_settings += 1
        self._editor.wake()
        return [
            self._editor.settings if item.section == "pollard" else None for item in params.items
        ]

    def register(self, params: lsp.RegistrationParams) -> None:
        self.seen.registered += [registration.method for registration in params.registrations]
        self._editor.wake()

    def message(self, params: lsp.ShowMessageParams) -> None:
        self.seen.messages.append(params.message)
        self._editor.wake()

    def log(self, params: lsp.LogMessageParams) -> None:
        self.seen.log.append(params.message)
        self._editor.wake()

    def create_progress(self, params: lsp.WorkDoneProgressCreateParams) -> None:
        if params.token in self.seen.tokens:
            self._editor.faults.append(f"the progress token {params.token!r} is used twice")
        self.seen.tokens.append(params.token)
        self._editor.wake()

    def progress(self, params: lsp.ProgressParams) -> None:
        self.seen.report(params.token, params.value)
        self._editor.wake()

    def diagnostics(self, params: lsp.PublishDiagnosticsParams) -> None:
        self.seen.diagnostics[params.uri] = list(params.diagnostics)
        self._editor.wake()

    def state(self, params: dict[str, Any]) -> None:
        self.seen.states.append(params)
        self._editor.wake()

    def checked(self, params: dict[str, Any]) -> None:
        self.seen.checked.append(params)
        self._editor.wake()
