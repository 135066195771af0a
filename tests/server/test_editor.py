"""Tests of the simulated editor itself, because other tests rely on it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from tests.server.editor import positions

encodings = st.sampled_from(list(lsp.PositionEncodingKind))
texts = st.text(alphabet="ab\n\ré😀\u0301\ud800\u2028", max_size=30)


def at(line: int, character: int) -> lsp.Position:
    return lsp.Position(line, character)


def edit(start: lsp.Position, end: lsp.Position, new: str) -> lsp.TextEdit:
    return lsp.TextEdit(lsp.Range(start, end), new)


@given(texts, encodings)
def test_a_position_leads_back_to_where_it_is(text: str, encoding) -> None:
    """Except within a line's end, where no position is."""
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n":
            where = positions.position(text, offset, encoding)
            assert positions.offset(text, where, encoding) == offset


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 7), ("utf-16", 4), ("utf-32", 3)])
def test_characters_are_counted_as_the_encoding_does(encoding: str, character: int) -> None:
    kind = lsp.PositionEncodingKind(encoding)
    assert positions.position("x\né😀a", 5, kind) == at(1, character)


@pytest.mark.parametrize("where", [at(0, 4), at(2, 1), at(3, 0), at(0, 2), at(1, 1)])
def test_a_place_that_is_none_is_an_error(where: lsp.Position) -> None:
    with pytest.raises(positions.BadEdit):
        positions.offset("a😀\r\n", where, lsp.PositionEncodingKind.Utf16)


def test_the_line_after_the_last_one_begins_at_the_end() -> None:
    assert positions.offset("a\nb", at(2, 0), lsp.PositionEncodingKind.Utf16) == 3


def test_all_edits_mean_the_text_as_it_was() -> None:
    edits = [
        edit(at(1, 0), at(1, 1), ""),
        edit(at(0, 0), at(0, 1), "long"),
        edit(at(1, 3), at(1, 3), "!"),
    ]
    assert positions.apply("abc\ndef", edits, lsp.PositionEncodingKind.Utf16) == "longbc\nef!"


def test_edits_that_overlap_are_an_error() -> None:
    edits = [edit(at(0, 0), at(0, 2), ""), edit(at(0, 1), at(0, 3), "")]
    with pytest.raises(positions.BadEdit, match="overlap"):
        positions.apply("abcdef", edits, lsp.PositionEncodingKind.Utf16)
