"""The capabilities that an editor announces."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp


def capabilities(
    *,
    apply_edit: bool = True,
    progress: bool = True,
    configuration: bool = True,
    document_changes: bool = True,
    disabled_actions: bool = True,
    registration: bool = True,
    show_document: bool = True,
    diagnose: bool = False,
    encodings: Sequence[lsp.PositionEncodingKind] = (),
) -> lsp.ClientCapabilities:
    """Return all capabilities that the server uses, except those that are switched off.

    `diagnose`: whether the editor can be asked for its own diagnostics of a candidate.
    """
    return lsp.ClientCapabilities(
        workspace=lsp.WorkspaceClientCapabilities(
            apply_edit=apply_edit,
            configuration=configuration,
            workspace_edit=lsp.WorkspaceEditClientCapabilities(document_changes=document_changes),
            did_change_configuration=lsp.DidChangeConfigurationClientCapabilities(registration),
            did_change_watched_files=lsp.DidChangeWatchedFilesClientCapabilities(registration),
            execute_command=lsp.ExecuteCommandClientCapabilities(dynamic_registration=False),
            workspace_folders=True,
        ),
        text_document=lsp.TextDocumentClientCapabilities(
            code_action=_code_action(disabled_actions)
        ),
        window=lsp.WindowClientCapabilities(
            work_done_progress=progress,
            show_document=lsp.ShowDocumentClientCapabilities(support=show_document),
        ),
        experimental={"pollardDiagnose": True} if diagnose else None,
        general=lsp.GeneralClientCapabilities(position_encodings=list(encodings) or None),
    )


def _code_action(disabled: bool) -> lsp.CodeActionClientCapabilities:
    kinds = lsp.ClientCodeActionKindOptions([lsp.CodeActionKind.RefactorRewrite])
    return lsp.CodeActionClientCapabilities(
        code_action_literal_support=lsp.ClientCodeActionLiteralOptions(kinds),
        disabled_support=disabled,
    )
