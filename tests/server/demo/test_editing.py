"""The demo's editor applies edits as LSP defines them, and only to the version that they are for."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from pollard_server.demo.editor import Editor
from pollard_server.demo.script import FILENAME


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """An editor with the text "text" and version 1, which publishes nothing."""
    (tmp_path / FILENAME).write_text("text")
    made = Editor(tmp_path, lambda _: None, [])
    monkeypatch.setattr(made, "text_document_did_change", lambda _: None)
    return made


def _change(version: int | None, uri: str) -> lsp.ApplyWorkspaceEditParams:
    edit = lsp.TextEdit(lsp.Range(lsp.Position(0, 0), lsp.Position(0, 2)), "")
    document = lsp.OptionalVersionedTextDocumentIdentifier(uri, version)
    changes = [lsp.TextDocumentEdit(document, [edit])]
    return lsp.ApplyWorkspaceEditParams(lsp.WorkspaceEdit(document_changes=changes))


def test_an_edit_for_another_text_changes_nothing(editor: Editor, tmp_path: Path) -> None:
    uri = (tmp_path / FILENAME).as_uri()
    for version, other in ((0, uri), (2, uri), (None, uri), (1, "file:///other.py")):
        assert not editor._apply(_change(version, other)).applied
    assert editor._text == "text"
    assert editor._apply(_change(1, uri)).applied
    assert editor._text == "xt"


def test_an_edit_is_refused_once_its_version_is_over(editor: Editor, tmp_path: Path) -> None:
    """Because every edit makes a new version."""
    change = _change(1, (tmp_path / FILENAME).as_uri())
    assert editor._apply(change).applied
    assert not editor._apply(change).applied
    assert editor._text == "xt"
