"""The demo editor's buffer: edits are applied as LSP has it, and only to the text they are for."""

from __future__ import annotations

from lsprotocol import types as lsp

from pollard_server.demo.buffer import Buffer

_URI = "file:///orders.py"
_UTF16 = lsp.PositionEncodingKind.Utf16


def _edit(start: tuple[int, int], end: tuple[int, int], new: str) -> lsp.TextEdit:
    return lsp.TextEdit(lsp.Range(lsp.Position(*start), lsp.Position(*end)), new)


def _change(
    version: int | None, edits: list[lsp.TextEdit], uri: str = _URI
) -> lsp.TextDocumentEdit:
    return lsp.TextDocumentEdit(
        lsp.OptionalVersionedTextDocumentIdentifier(uri, version), list(edits)
    )


def test_all_positions_are_those_before_the_change() -> None:
    buffer = Buffer(_URI, "one\ntwo 🌳 2\nthree\n")
    edits = [_edit((0, 0), (1, 0), ""), _edit((1, 4), (1, 6), "x"), _edit((2, 5), (2, 5), "!")]
    assert buffer.apply(_change(1, edits), _UTF16)
    assert (buffer.text, buffer.version) == ("two x 2\nthree!\n", 2)


def test_insertions_at_one_place_keep_their_order() -> None:
    buffer = Buffer(_URI, "ab")
    edits = [_edit((0, 1), (0, 1), "1"), _edit((0, 1), (0, 1), "2"), _edit((0, 1), (0, 2), "3")]
    assert buffer.apply(_change(1, edits), _UTF16)
    assert buffer.text == "a123"


def test_an_edit_for_another_text_changes_nothing() -> None:
    buffer = Buffer(_URI, "text")
    edits = [_edit((0, 0), (0, 4), "")]
    for version, uri in ((0, _URI), (2, _URI), (None, _URI), (1, "file:///other.py")):
        assert not buffer.apply(_change(version, edits, uri), _UTF16)
    assert (buffer.text, buffer.version) == ("text", 1)
