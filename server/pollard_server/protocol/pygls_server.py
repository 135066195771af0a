"""Adds to pygls what it lacks: `$/cancelRequest` after the answer, and commands' progress tokens."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

MessageId = int | str

logger = logging.getLogger(__name__)


class RequestFailed(JsonRpcException):
    """A valid request that cannot be carried out now; its message is for the user."""

    CODE = lsp.LSPErrorCodes.RequestFailed
    MESSAGE = "Request failed"


class PollardProtocol(LanguageServerProtocol):
    """pygls' protocol with two more hooks, which the server sets.

    `on_cancel` gets every `$/cancelRequest`: a command returns immediately with the id of a
    reduction, and cancelling its request afterwards cancels the reduction. `execute` gets all
    parameters of `workspace/executeCommand`, including the progress token, and the request's id.
    """

    on_cancel: Callable[[MessageId], None] | None = None
    execute: Callable[[lsp.ExecuteCommandParams, MessageId | None], Any] | None = None

    @lsp_method(lsp.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(
        self, params: lsp.ExecuteCommandParams
    ) -> Generator[Any, Any, Any]:
        """Hand a command to `execute`."""
        assert self.execute is not None
        result = yield self.execute, (params, self.msg_id), None
        return result

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read a message. Answer an invalid request with an error, because its sender waits."""
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if "id" in data and "method" in data:
                refusal = JsonRpcInvalidParams(f"The parameters of {data['method']} are not valid.")
                self._send_response(data["id"], error=refusal.to_response_error())
            raise

    def _handle_cancel_notification(self, msg_id: MessageId) -> None:
        if msg_id in self._request_futures:
            super()._handle_cancel_notification(msg_id)
        if self.on_cancel is not None:
            self.on_cancel(msg_id)


class PollardServer(LanguageServer):
    """pygls' server, with Pollard's protocol."""

    protocol: PollardProtocol

    def __init__(self, name: str, version: str) -> None:
        # Editors send the whole text with each change. Then the server's idea of a buffer cannot
        # differ from the editor's, even if they disagree about lines and code units.
        super().__init__(
            name,
            version,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Full,
            protocol_cls=PollardProtocol,
        )

    def report_server_error(self, error: Exception, source: object) -> None:  # noqa: ARG002
        """Log an error in the handling of a message; users only see Pollard's own sentences."""
        logger.error("%s", error)
