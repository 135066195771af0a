"""GTR: level by level, deletion by ddmin and then a child in the place of its parent."""

from __future__ import annotations

from hypothesis import given

from pollard.engine.hoisting import Hoister, Hoisting
from pollard.syntax.branches.branches import all_below
from tests.core.passes.support import (
    Case,
    cases,
    in_order,
    reduced,
    reduced_ahead,
    removable,
)
from tests.examples import examples


def _asked(run: str, text: bytes, *tokens: bytes) -> list[bytes]:
    case = Case(text, "json", lambda text: in_order(tokens, text))
    return reduced(case, run).judge.asked


def test_a_level_is_deleted_from_and_then_replaced_by_children_the_smallest_first():
    """Level 1 is all of the list; its children take its place, smallest first, and theirs then."""
    assert _asked("gtr", b"[1, [2, 3, 4], [5, 6]]\n", b"3") == [
        b"",
        b"1\n",
        b"[5, 6]\n",
        b"[2, 3, 4]\n",
        b"2\n",
        b"3\n",
    ]


def test_all_of_a_level_comes_before_what_is_below_it():
    text = b"[[1, 2], [[3, 4, 5, 6]]]\n"
    asked = _asked("gtr", text, b"[[1", b"2", b"[[3", b"6")
    deeper = [place for place, text in enumerate(asked) if b"[[3, 4, 5, 6]]" not in text]
    level_3 = asked.index(b"[[1], [[3, 4, 5, 6]]]\n")
    inside = [place for place in deeper if b"[[3" in asked[place] or b"[[5" in asked[place]]
    assert all(place > level_3 for place in inside)
    assert inside


def test_grandchildren_take_no_place_unless_their_parent_did():
    """The clause that the name is in parses nowhere else: hoisting looks below it, GTR does not."""
    text = b"z = [1 for a in g]\n"
    case = Case(text, "python", lambda new: new in (text, b"z = g\n"))
    assert reduced(case, "gtr*").text == text
    assert reduced(case, "hoist*").text == b"z = g\n"


def _child_in_place(result, case: Case) -> list[bytes]:
    """The interesting texts with a child in its parent's place, among those smaller: by definition."""
    base = result.subject.document
    hoister = Hoister(result.subject)
    found = []
    for target in all_below(result.subject.root, result.subject.span):
        for child in target.children:
            less = base.edited(hoister.edits([Hoisting(target, child)]))
            smaller = child.end - child.start < target.end - target.start
            if not (target.is_token or child.is_token or less.has_more_errors_than(base.errors)):
                found += [less.text] * (smaller and less.text != base.text and case(less.text))
    return found


@examples(20)
@given(case=cases())
def test_at_the_fixpoint_no_unit_goes_and_no_child_takes_its_parents_place(case: Case):
    result = reduced(case, "gtr*")
    assert removable(result, case) == []
    assert _child_in_place(result, case) == []


@examples(8)
@given(case=cases())
def test_reading_ahead_changes_nothing(case: Case):
    accepted = reduced(case, "gtr*").accepted
    for workers in (2, 5):
        assert reduced_ahead(case, "gtr*", workers) == (accepted, len(accepted))
