"""Edits give the new text in every editor, and are as small as possible."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from pollard_server.text.differences import gaps
from pollard_server.text.positions import Lines
from pollard_server.text.text_edits import applied, has_lone_return, same_text, shows, text_edits
from tests.server.text.applier import apply_edits
from tests.server.text.strategies import ENCODINGS, cuts, texts

UTF_16 = lsp.PositionEncodingKind.Utf16
LINES = [f"line {number};\n" for number in range(1000)]


def edit(start: tuple[int, int], end: tuple[int, int], new: str = "") -> lsp.TextEdit:
    return lsp.TextEdit(lsp.Range(lsp.Position(*start), lsp.Position(*end)), new)


def edited(old: str, new: str) -> lsp.TextEdit:
    (found,) = text_edits(old, new, UTF_16)
    assert same_text(apply_edits(old, [found], UTF_16), new)
    return found


@given(st.one_of(cuts(), st.tuples(texts, texts)), st.sampled_from(ENCODINGS), st.booleans())
@example(("a\r\nb", "a\nb"), UTF_16, False)
@example(("a\nb", "a\r\nb"), UTF_16, False)
@example(("a\r\nb", "a\r"), UTF_16, False)
@example(("a\r\nxb", "a\r\n\nb"), UTF_16, False)
@example(("\n\r\n\n", "\r\n\n"), UTF_16, False)
@example(("a\r\nb\r\nc\r\n", "b\nc\r\n"), UTF_16, True)
def test_an_editor_that_applies_the_edits_has_the_new_text(
    pair: tuple[str, str], encoding: lsp.PositionEncodingKind, apart: bool
) -> None:
    old, new = pair
    if old == new:
        return
    result = apply_edits(old, text_edits(old, new, encoding, apart=apart), encoding)
    if encoding == UTF_16:  # which has no halves of a pair side by side
        new = new.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert result == new


@given(st.one_of(cuts(), st.tuples(texts, texts)), st.booleans())
def test_no_edit_tears_or_makes_a_line_end_at_its_border(
    pair: tuple[str, str], apart: bool
) -> None:
    """VS Code would read the halves as two line ends."""
    old, new = pair
    if has_lone_return(old) or old == new:
        return
    lines = Lines(old)
    for found in text_edits(old, new, UTF_16, apart=apart):
        start, end = (lines.offset(each, UTF_16) for each in (found.range.start, found.range.end))
        before, after = old[:start], old[end:]
        assert not (before.endswith("\r") and (found.new_text + after).startswith("\n"))
        assert not ((before + found.new_text).endswith("\r") and after.startswith("\n"))
        assert not (old[start:end].endswith("\r") and after.startswith("\n"))


def test_cuts_in_several_places_are_one_edit_that_spans_them() -> None:
    """Neovim publishes each edit separately; the text in between would look foreign."""
    assert edited("a\nb\nc\nd\ne\n", "a\nc\ne\n") == edit((1, 0), (3, 1), "c")


def test_cuts_in_several_places_are_separate_edits_if_wanted() -> None:
    """Emacs would take minutes to compare everything between the first and the last one."""
    kept = "".join(line for number, line in enumerate(LINES) if number not in (10, 900))
    found = text_edits("".join(LINES), kept, UTF_16, apart=True)
    assert found == [edit((10, 0), (11, 0)), edit((900, 0), (901, 0))]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_edits_at_the_end_are_moved_before_the_last_line_end(end: str) -> None:
    """Neovim makes an edit that touches the end in two steps, and publishes both."""
    long, short = f"a{end}b{end}", f"a{end}"
    assert edited(long, short) == edit((0, 1), (1, 1))
    assert edited(short, long) == edit((0, 1), (0, 1), f"{end}b")


@given(st.one_of(cuts(), st.tuples(texts, texts)))
def test_gaps_are_ordered_separate_and_complete(pair: tuple[str, str]) -> None:
    old, new = pair
    place = new_place = 0
    for gap in gaps(old, new):
        assert old[place : gap.start] == new[new_place : gap.new_start]
        assert gap.start > place or place == 0
        place, new_place = gap.end, gap.new_end
    assert old[place:] == new[new_place:]


def test_two_lines_cut_far_apart_are_two_gaps_of_those_lines_only() -> None:
    kept = [line for number, line in enumerate(LINES) if number not in (10, 900)]
    assert removed("".join(LINES), "".join(kept)) == [LINES[10], LINES[900]]


def test_cuts_among_repeated_lines_are_still_apart() -> None:
    old = [line for each in LINES for line in (each, "}\n", "\n")]
    kept = [line for index, line in enumerate(old) if index not in range(30, 33) and index != 2700]
    assert removed("".join(old), "".join(kept)) == ["".join(old[30:33]), old[2700]]


def removed(old: str, new: str) -> list[str]:
    return [old[gap.start : gap.end] for gap in gaps(old, new)]


def test_a_moved_line_is_gone_here_and_new_there() -> None:
    moved = [*LINES[:5], LINES[500], *LINES[5:500], *LINES[501:]]
    assert removed("".join(LINES), "".join(moved)) == ["", LINES[500]]


def test_a_huge_stretch_of_differences_is_one_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = "".join(LINES[:10] + LINES[11:900] + LINES[901:])
    monkeypatch.setattr("pollard_server.text.differences.MAX_SEARCHED_CHARACTERS", 1000)
    assert len(removed("".join(LINES), kept)) == 1


def test_a_change_within_a_line_is_that_change_only() -> None:
    assert edited("f(é, 😀, b)\n", "f(é, b)\n") == edit((0, 5), (0, 9))


def test_line_ends_are_replaced_whole() -> None:
    assert edited("a\r\nb", "a\nb") == edit((0, 1), (1, 0), "\n")
    assert edited("a\nb", "a\r\nb") == edit((0, 1), (1, 0), "\r\n")


def test_a_text_with_a_lone_carriage_return_is_replaced_as_a_whole() -> None:
    """Editors disagree about which line follows it."""
    whole = edited("a\rb\nc\r\nd", "a\rc\r\nd")
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


def test_applied_edits_have_the_positions_of_the_text_before() -> None:
    """The characters count as in the encoding, here UTF-16 with two units for a tree."""
    edits = [edit((0, 0), (1, 0)), edit((1, 4), (1, 6), "x"), edit((2, 5), (2, 5), "!")]
    assert applied("one\ntwo 🌳 2\nthree\n", edits, UTF_16) == "two x 2\nthree!\n"


def test_applied_insertions_at_one_place_keep_their_order() -> None:
    edits = [edit((0, 1), (0, 1), "1"), edit((0, 1), (0, 1), "2"), edit((0, 1), (0, 2), "3")]
    assert applied("ab", edits, UTF_16) == "a123"
