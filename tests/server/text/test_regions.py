"""Regions: what a selection means in bytes, and where it moves when the text changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from pollard_server.text.regions import Region, selection
from tests.server.text.strategies import texts

UTF_16 = lsp.PositionEncodingKind.Utf16
TEXT = "zero\none\r\ntwo é😀\nthree"


def selected(start: tuple[int, int], end: tuple[int, int], text: str = TEXT) -> str:
    wanted = lsp.Range(lsp.Position(*start), lsp.Position(*end))
    region = selection(text, wanted, UTF_16)
    first, last = region.to_bytes(text)
    piece = text.encode("utf-8", "surrogatepass")[first:last]
    assert piece.decode("utf-8", "surrogatepass") == text[region.start : region.end]
    return text[region.start : region.end]


@pytest.mark.parametrize(
    ("start", "end", "text"),
    [
        ((1, 0), (2, 0), "one\r\n"),  # VS Code's way to select lines
        ((1, 0), (1, 3), "one\r\n"),  # Neovim's
        ((1, 0), (2, 7), "one\r\ntwo é😀\n"),
        ((2, 0), (3, 5), "two é😀\nthree"),  # the last line has no end
        ((2, 4), (2, 5), "é"),
        ((2, 5), (2, 7), "😀"),
        ((1, 1), (1, 3), "ne"),  # not whole lines
        ((1, 0), (1, 0), ""),
        ((0, 0), (9, 0), TEXT),
        ((9, 9), (9, 9), ""),
    ],
)
def test_a_selection_is_the_text_that_it_shows(
    start: tuple[int, int], end: tuple[int, int], text: str
) -> None:
    assert selected(start, end) == text
    assert selected(end, start) == text


def test_an_end_at_the_beginning_of_an_empty_line_does_not_take_that_line() -> None:
    assert selected((0, 0), (1, 0), "a\n\nb") == "a\n"


@pytest.mark.parametrize(
    ("new", "inside"),
    [
        ("ab[cd]ef", "[cd]"),
        ("aXXb[cd]ef", "[cd]"),  # before: moved
        ("b[cd]ef", "[cd]"),
        ("ab[cd]Xef", "[cd]X"),  # at the border: grown
        ("abX[cd]ef", "X[cd]"),
        ("ab[cXXd]ef", "[cXXd]"),
        ("ab[]ef", "[]"),
        ("aef", ""),
        ("ab[cd]f", "[cd]"),
    ],
)
def test_a_region_is_carried_through_a_change(new: str, inside: str) -> None:
    region = Region(2, 6).carried("ab[cd]ef", new)
    assert new[region.start : region.end] == inside


def test_changes_before_and_after_a_region_leave_its_text_alone() -> None:
    old, new = "a\nb\n<c>\n<d>\ne\nf\n", "b\nX\n<c>\n<d>\ne\n"
    start = old.index("<")
    region = Region(start, start + 8).carried(old, new)
    assert new[region.start : region.end] == "X\n<c>\n<d>\n"


@given(texts, texts, texts)
def test_changes_outside_a_region_keep_its_text_in_it(before: str, after: str, other: str) -> None:
    inside = "<one>\n<two>\n"
    old, start = f"{before}\n{inside}{after}", len(before) + 1
    for new in (f"{other}\n{inside}{after}", f"{before}\n{inside}{other}"):
        region = Region(start, start + len(inside)).carried(old, new)
        assert inside in new[region.start : region.end]


@given(texts, st.data())
def test_without_a_change_a_region_stays(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    region = Region(start, data.draw(st.integers(start, len(text))))
    assert region.carried(text, text) == region
