"""Differences show what changed, and stay within their bounds whatever the texts are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pollard.report.text_changes import broken_lines, change_text, clipped, compared_lines
from tests.examples import examples

_LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=8)


@examples(100)
@given(_LINES, _LINES)
def test_a_comparison_has_all_lines_of_both_texts_in_order(old: list[str], new: list[str]) -> None:
    rows = list(compared_lines(old, new))
    assert [row.text for row in rows if row.kind != "+"] == old
    assert [row.text for row in rows if row.kind != "-"] == new


def test_lines_in_both_texts_are_unchanged() -> None:
    rows = list(compared_lines(["x", "y", "z"], ["x", "z"]))
    assert [str(row) for row in rows] == ["  x", "- y", "  z"]


def test_only_the_common_ends_of_very_long_texts_are_matched() -> None:
    """Whatever lies between counts as replaced, since matching would take minutes."""
    old = [f"line {number}" for number in range(9_000)]
    new = [old[0], *old[1:-1:2], old[-1]]
    kinds = [row.kind for row in compared_lines(old, new)]
    assert (kinds[:2], kinds[2:-1].count(" "), kinds[-1]) == ([" ", " "], 0, " ")


def test_a_step_has_the_changed_lines_with_two_around_them() -> None:
    old = b"".join(b"line %d\n" % number for number in range(9))
    new = old.replace(b"line 4\n", b"")
    assert change_text(old, new, 1_000).splitlines() == [
        "  line 2", "  line 3", "- line 4", "  line 5", "  line 6",
    ]  # fmt: skip


def test_unchanged_lines_between_two_changes_are_left_out() -> None:
    old = b"".join(b"line %d\n" % number for number in range(12))
    new = old.replace(b"line 2\n", b"").replace(b"line 9\n", b"")
    assert change_text(old, new, 1_000).splitlines() == [
        "  line 0", "  line 1", "- line 2", "  line 3", "  line 4", "  ⋮",
        "  line 7", "  line 8", "- line 9", "  line 10", "  line 11",
    ]  # fmt: skip


def test_a_change_in_a_long_line_shows_its_surroundings_only() -> None:
    old = b"x" * 5_000 + b"needle" + b"y" * 5_000
    change = change_text(old, old.replace(b"needle", b"pin"), 1_000)
    before, after = change.splitlines()
    assert before == f"- …{'x' * 40}needle{'y' * 40}…"
    assert after == f"+ …{'x' * 40}pin{'y' * 40}…"


def test_a_step_stays_within_its_limit() -> None:
    old = b"".join(b"line %d\n" % number for number in range(20_000))
    change = change_text(old, b"line 7\n", 500)
    assert len(change) < 600
    assert change.startswith("- line 0\n")
    assert "lines are left out" in change


def test_a_long_line_that_is_removed_stays_within_the_limit() -> None:
    change = change_text(b"a;" * 100_000, b"", 500)
    assert len(change) < 700
    assert "characters]" in change


@examples(50)
@given(st.binary(max_size=200), st.binary(max_size=200))
def test_any_bytes_can_be_compared(old: bytes, new: bytes) -> None:
    assert len(change_text(old, new, 400)) < 1_200


def test_long_lines_are_broken_after_punctuation_and_lose_nothing() -> None:
    text = "call(a);" * 100
    lines = broken_lines(text)
    assert len(lines) > 1
    assert "".join(lines) == text
    assert all(line.endswith(";") for line in lines)


def test_clipping_keeps_both_ends() -> None:
    lines = [f"line {number}" for number in range(100)]
    assert clipped(lines, 60).splitlines() == [
        "line 0", "line 1", "line 2", "line 3",
        "  [93 lines are left out]",
        "line 97", "line 98", "line 99",
    ]  # fmt: skip
