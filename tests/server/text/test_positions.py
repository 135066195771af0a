"""Offsets and LSP positions: in every encoding, for every line end, without exceptions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from pollard_server.text.positions import Lines, units
from tests.server.text.applier import lines_of
from tests.server.text.strategies import ENCODINGS, texts

UTF_8, UTF_16, UTF_32 = ENCODINGS
TEXT = "ab\r\né😀e\u0301\r\rx\n"


@pytest.mark.parametrize(
    ("offset", "line", "columns"),
    [
        (0, 0, (0, 0, 0)),
        (2, 0, (2, 2, 2)),
        (4, 1, (0, 0, 0)),
        (5, 1, (2, 1, 1)),
        (6, 1, (6, 3, 2)),
        (8, 1, (9, 5, 4)),
        (9, 2, (0, 0, 0)),
        (10, 3, (0, 0, 0)),
        (12, 4, (0, 0, 0)),
    ],
)
def test_positions_count_in_the_units_of_the_encoding(
    offset: int, line: int, columns: tuple[int, int, int]
) -> None:
    lines = Lines(TEXT)
    for encoding, column in zip(ENCODINGS, columns, strict=True):
        assert lines.position(offset, encoding) == lsp.Position(line, column)
        assert lines.offset(lsp.Position(line, column), encoding) == offset


def test_between_a_return_and_its_newline_there_is_no_position() -> None:
    lines = Lines("ab\r\nc")
    assert lines.position(3, UTF_16) == lines.position(2, UTF_16) == lsp.Position(0, 2)
    assert lines.offset(lsp.Position(0, 3), UTF_16) == 2


@pytest.mark.parametrize("end", ["\u2028", "\x0b", "\x0c", "\x85", "\x1c"])
def test_only_newline_and_return_end_lines(end: str) -> None:
    assert Lines(f"a{end}b").starts == [0]


def test_positions_beyond_a_line_or_the_text_are_clamped() -> None:
    lines = Lines("ab\ncd")
    assert lines.offset(lsp.Position(0, 99), UTF_16) == 2
    assert lines.offset(lsp.Position(99, 0), UTF_16) == 5
    assert lines.position(99, UTF_16) == lsp.Position(1, 2)
    assert lines.position(-1, UTF_16) == lsp.Position(0, 0)


@pytest.mark.parametrize(("encoding", "units_of_it"), [(UTF_8, 4), (UTF_16, 2)])
def test_a_position_inside_a_character_is_the_one_before_it(
    encoding: lsp.PositionEncodingKind, units_of_it: int
) -> None:
    lines = Lines("x😀y")
    for column in range(1, 1 + units_of_it):
        assert lines.offset(lsp.Position(0, column), encoding) == 1
    assert lines.offset(lsp.Position(0, 1 + units_of_it), encoding) == 2


@given(texts)
def test_lines_are_those_found_character_by_character(text: str) -> None:
    lines, expected = Lines(text), lines_of(text)
    assert len(lines.starts) == len(expected)
    for line, (content, _) in enumerate(expected):
        assert text[lines.starts[line] : lines.end(line)] == content


@given(texts, st.sampled_from(ENCODINGS))
def test_every_offset_round_trips_through_its_position(
    text: str, encoding: lsp.PositionEncodingKind
) -> None:
    lines = Lines(text)
    for offset in range(len(text) + 1):
        in_line_end = text.startswith("\r\n", offset - 1) and offset > 0
        assert lines.offset(lines.position(offset, encoding), encoding) == offset - in_line_end


@given(texts, st.sampled_from(ENCODINGS), st.integers(0, 50), st.integers(0, 50))
def test_any_position_is_some_offset_of_its_line(
    text: str, encoding: lsp.PositionEncodingKind, line: int, character: int
) -> None:
    lines = Lines(text)
    offset = lines.offset(lsp.Position(line, character), encoding)
    if line < len(lines.starts):
        assert lines.starts[line] <= offset <= lines.end(line)
        assert units(text[lines.starts[line] : offset], encoding) <= character
    else:
        assert offset == len(text)
