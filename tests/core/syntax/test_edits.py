"""Edits are joined and applied as byte-wise deletion and insertion would be."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.syntax.tree.edits import Edit, Shift, apply, join

TEXT = bytes(range(65, 65 + 24))


@st.composite
def edits(draw: st.DrawFn) -> list[Edit]:
    places = st.integers(0, len(TEXT))
    news = st.sampled_from([b"", b"", b"0", b"12"])
    drawn = draw(st.lists(st.tuples(places, places, news), max_size=6))
    return [Edit(min(a, b), max(a, b), new) for a, b, new in drawn]


def deleted(made: list[Edit]) -> set[int]:
    return {offset for edit in made for offset in range(edit.start, edit.end)}


@pytest.mark.parametrize(
    ("given_edits", "joined"),
    [
        ([], ()),
        ([Edit(3, 3)], ()),
        ([Edit(5, 6), Edit(1, 2)], (Edit(1, 2), Edit(5, 6))),
        ([Edit(1, 3), Edit(3, 5)], (Edit(1, 5),)),
        ([Edit(1, 4, b"a"), Edit(2, 6, b"b")], (Edit(1, 6, b"ab"),)),
        ([Edit(1, 9), Edit(2, 3, b"b")], (Edit(1, 9, b"b"),)),
        ([Edit(2, 2, b"x"), Edit(2, 5)], (Edit(2, 5, b"x"),)),
        ([Edit(4, 4, b"x"), Edit(1, 3)], (Edit(1, 3), Edit(4, 4, b"x"))),
    ],
)
def test_touching_and_overlapping_edits_become_one(
    given_edits: list[Edit], joined: tuple[Edit, ...]
) -> None:
    assert join(given_edits) == joined


@given(edits())
def test_joined_edits_are_ordered_and_apart_and_lose_nothing(made: list[Edit]) -> None:
    joined = join(made)
    assert all(a.end < b.start for a, b in itertools.pairwise(joined))
    assert deleted(list(joined)) == deleted(made)
    assert sorted(b"".join(e.new for e in joined)) == sorted(b"".join(e.new for e in made))
    assert join(joined) == joined


@given(edits())
def test_apply_keeps_the_other_bytes_and_puts_in_the_new_ones(made: list[Edit]) -> None:
    joined = join(made)
    pieces = {edit.start: edit.new for edit in joined}
    gone = deleted(made)
    expected = b"".join(
        pieces.get(offset, b"") + (b"" if offset in gone else TEXT[offset : offset + 1])
        for offset in range(len(TEXT) + 1)
    )
    assert apply(TEXT, joined) == expected


@given(edits())
def test_bytes_outside_edits_are_found_again(made: list[Edit]) -> None:
    """`Shift.at` follows the byte where a span begins, `end_at` the byte before it ends."""
    joined = join(made)
    new, shift = apply(TEXT, joined), Shift(joined)
    for offset in set(range(len(TEXT))) - deleted(made):
        assert new[shift.at(offset)] == TEXT[offset]
        assert shift.at(offset) + 1 == shift.end_at(offset + 1)


@given(edits())
def test_shifted_offsets_keep_their_order_and_stay_inside(made: list[Edit]) -> None:
    joined = join(made)
    shift, length = Shift(joined), len(apply(TEXT, joined))
    for place in (shift.at, shift.end_at):
        places = [place(offset) for offset in range(len(TEXT) + 1)]
        assert places == sorted(places)
        assert places[0] >= 0
        assert places[-1] <= length


@pytest.mark.parametrize(
    ("edit", "span", "shifted"),
    [
        (Edit(4, 8, b"new"), (4, 8), (4, 7)),  # replaced: its new text
        (Edit(4, 8, b"new"), (2, 10), (2, 9)),  # around
        (Edit(4, 8, b"new"), (6, 10), (7, 9)),  # its beginning gone: what is left
        (Edit(4, 8, b"new"), (2, 6), (2, 4)),  # its end gone: what is left
        (Edit(4, 8, b"new"), (5, 7), (7, 4)),  # all gone
        (Edit(4, 4, b"new"), (2, 4), (2, 4)),  # an insertion after it
        (Edit(4, 4, b"new"), (4, 6), (7, 9)),  # and before it
    ],
)
def test_where_a_span_goes(edit: Edit, span: tuple[int, int], shifted: tuple[int, int]) -> None:
    shift = Shift((edit,))
    assert (shift.at(span[0]), shift.end_at(span[1])) == shifted


def test_no_edits_change_nothing() -> None:
    assert apply(TEXT, ()) == TEXT
    assert Shift(()).at(7) == Shift(()).end_at(7) == 7
