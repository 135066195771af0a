"""Edits: what an editor makes of them is the new text, and they are as small as can be expected."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from pollard_server.text.changes import MOST_CHANGES, gaps
from pollard_server.text.edits import changes, text_edits
from pollard_server.text.likeness import has_lone_return, same_text, shows
from tests.server.text.applier import apply_edits
from tests.server.text.strategies import ENCODINGS, cuts, texts

UTF_16 = lsp.PositionEncodingKind.Utf16
LINES = [f"line {number};\n" for number in range(1000)]


def edit(start: tuple[int, int], end: tuple[int, int], new: str = "") -> lsp.TextEdit:
    return lsp.TextEdit(lsp.Range(lsp.Position(*start), lsp.Position(*end)), new)


def edits(old: str, new: str) -> list[lsp.TextEdit]:
    found = list(text_edits(old, new, UTF_16))
    assert same_text(apply_edits(old, found, UTF_16), new)
    return found


@given(st.one_of(cuts(), st.tuples(texts, texts)), st.sampled_from(ENCODINGS))
@example(("a\r\nb", "a\nb"), UTF_16)
@example(("a\nb", "a\r\nb"), UTF_16)
@example(("a\r\nb", "a\r"), UTF_16)
@example(("a\r\nxb", "a\r\n\nb"), UTF_16)
@example(("\n\r\n\n", "\r\n\n"), UTF_16)
def test_an_editor_that_applies_the_edits_has_the_new_text(
    pair: tuple[str, str], encoding: lsp.PositionEncodingKind
) -> None:
    old, new = pair
    result = apply_edits(old, text_edits(old, new, encoding), encoding)
    if encoding == UTF_16:  # which has no halves of a pair side by side
        new = new.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert result == new


@given(st.one_of(cuts(), st.tuples(texts, texts)))
def test_no_edit_tears_or_makes_a_line_end_at_its_border(pair: tuple[str, str]) -> None:
    """VS Code would take the halves for two line ends."""
    old, new = pair
    if has_lone_return(old):
        return
    for gap in changes(old, new):
        inserted = new[gap.new_start : gap.new_end]
        before, after = old[: gap.start], old[gap.end :]
        assert not (before.endswith("\r") and (inserted + after).startswith("\n"))
        assert not ((before + inserted).endswith("\r") and after.startswith("\n"))
        assert not (old[gap.start : gap.end].endswith("\r") and after.startswith("\n"))


@given(st.one_of(cuts(), st.tuples(texts, texts)), st.integers(1, 4))
def test_gaps_are_ordered_apart_and_not_more_than_allowed(pair: tuple[str, str], most: int) -> None:
    old, new = pair
    found = gaps(old, new, most)
    assert len(found) <= most
    place = new_place = 0
    for gap in found:
        assert old[place : gap.start] == new[new_place : gap.new_start]
        assert gap.start > place or place == 0
        place, new_place = gap.end, gap.new_end
    assert old[place:] == new[new_place:]


def test_equal_texts_need_no_edit() -> None:
    assert edits("a\r", "a\r") == []


def test_two_lines_cut_far_apart_are_two_edits_of_those_lines_only() -> None:
    kept = [line for number, line in enumerate(LINES) if number not in (10, 900)]
    assert edits("".join(LINES), "".join(kept)) == [
        edit((10, 0), (11, 0)),
        edit((900, 0), (901, 0)),
    ]


def test_cuts_among_repeated_lines_are_still_apart() -> None:
    old = [line for each in LINES for line in (each, "}\n", "\n")]
    kept = [line for index, line in enumerate(old) if index not in range(30, 33) and index != 2700]
    assert edits("".join(old), "".join(kept)) == [
        edit((30, 0), (33, 0)),
        edit((2700, 0), (2701, 0)),
    ]


def test_a_change_within_a_line_is_that_change_only() -> None:
    assert edits("f(é, 😀, b)\n", "f(é, b)\n") == [edit((0, 5), (0, 9))]


def test_a_moved_line_is_cut_here_and_put_in_there() -> None:
    moved = [*LINES[:5], LINES[500], *LINES[5:500], *LINES[501:]]
    assert edits("".join(LINES), "".join(moved)) == [
        edit((5, 0), (5, 0), LINES[500]),
        edit((500, 0), (501, 0)),
    ]


def test_of_many_changes_the_nearest_are_made_one() -> None:
    old = [f"{number}\n" for number in range(4 * MOST_CHANGES)]
    assert len(text_edits("".join(old), "".join(old[::2]), UTF_16)) == MOST_CHANGES


def test_a_huge_stretch_of_differences_is_one_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = "".join(LINES[:10] + LINES[11:900] + LINES[901:])
    monkeypatch.setattr("pollard_server.text.changes.MOST_SEARCHED", 1000)
    [one] = edits("".join(LINES), kept)
    assert (one.range.start.line, one.range.end.line) == (10, 900)


def test_line_ends_are_replaced_whole() -> None:
    assert edits("a\r\nb", "a\nb") == [edit((0, 1), (1, 0), "\n")]
    assert edits("a\nb", "a\r\nb") == [edit((0, 1), (1, 0), "\r\n")]


def test_where_a_return_stands_alone_the_whole_text_is_replaced() -> None:
    """Editors do not agree which line comes after it."""
    [whole] = edits("a\rb\nc\r\nd", "a\rc\r\nd")
    assert whole.range.start == lsp.Position(0, 0)
    assert whole.range.end.line > 3
    assert whole.new_text == "a\rc\r\nd"


@pytest.mark.parametrize(
    ("arrived", "expected", "before", "is_it"),
    [
        ("a\r\nb", "a\nb", "a\r\nxb", True),
        ("a\nb", "a\r\nb", "x", True),
        ("a\nb", "a\nbc", "x", False),
        ("a\n\nb", "a\nb", "x", False),
        ("a\n", "a", "ab\n", True),  # Vim keeps the last line end
        ("\n", "", "ab\n", True),
        ("a\n", "a", "ab", False),  # here it is the user's
        ("a\n\n", "a\n", "ab\n", False),
        ("😀", "\ud83d\ude00", "\ud83dx\ude00", True),
    ],
)
def test_an_editor_may_keep_its_line_ends_but_nothing_else(
    arrived: str, expected: str, before: str, is_it: bool
) -> None:
    assert shows(arrived, expected, before) is is_it
