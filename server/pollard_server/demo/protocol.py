"""pygls' client, made to hand on messages as they are."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from pygls.protocol import default_converter
from pygls.protocol.json_rpc import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
)

from pollard import __version__
from pollard_server.notifications import ProgressParams
from pollard_server.wire import camel

if TYPE_CHECKING:
    from cattrs import Converter

_FIELDS = {camel(key.name): key.name for key in fields(ProgressParams)}


def client() -> LanguageClient:
    """Return a client that is not connected."""
    return LanguageClient("pollard-demo", __version__, converter_factory=_converter)


def figures(params: dict[str, Any]) -> ProgressParams:
    """Read `pollard/progress`; keys of later versions are left out."""
    known = {_FIELDS[key]: value for key, value in params.items() if key in _FIELDS}
    return ProgressParams(**known)


def capabilities() -> lsp.ClientCapabilities:
    """Return what the demo's editor can do: take edits and code actions, nothing else."""
    kinds = lsp.ClientCodeActionKindOptions([lsp.CodeActionKind.RefactorRewrite])
    action = lsp.CodeActionClientCapabilities(
        code_action_literal_support=lsp.ClientCodeActionLiteralOptions(kinds),
        disabled_support=True,
    )
    edit = lsp.WorkspaceEditClientCapabilities(document_changes=True)
    return lsp.ClientCapabilities(
        workspace=lsp.WorkspaceClientCapabilities(apply_edit=True, workspace_edit=edit),
        text_document=lsp.TextDocumentClientCapabilities(code_action=action),
    )


def _converter() -> Converter:
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    # What LSP does not define would otherwise become a named tuple that cannot have a field `pass`.
    for message in (JsonRPCRequestMessage, JsonRPCResponseMessage, JsonRPCNotification):
        converter.register_structure_hook(message, lambda value, cls: cls(**value))
    converter.register_structure_hook(
        lsp.Command | lsp.CodeAction, lambda value, _: _action(converter, value)
    )
    return converter


def _action(converter: Converter, value: dict[str, Any]) -> lsp.Command | lsp.CodeAction:
    """Tell an action from a bare command: lsprotocol 2025.0.0 takes an action with one for it."""
    if isinstance(value.get("command"), str):
        return converter.structure(value, lsp.Command)
    return converter.structure(value, lsp.CodeAction)
