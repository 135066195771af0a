"""`pairs` deletes what can only go together, in as many runs as came before it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.engine.subject import Candidate, Subject
from pollard.passes.strategy import PRESETS, Strategy
from pollard.passes.text.unguarded import pairs, runs_until
from pollard.syntax.tree.edits import Edit
from pollard.syntax.tree.sizes import size
from tests.core.passes.support import Case, after, cases, document, in_order, reduced, reduced_ahead
from tests.examples import examples

FILLER = b"int filler;\n" * 40


def after_runs(runs: int, run: Callable[[Subject], None]) -> Callable[[Subject], None]:
    """Return a pass that begins after so many runs, the last of which removed the filler."""

    def later(subject: Subject) -> None:
        hit = subject.first([Candidate(subject.document, (Edit(0, len(FILLER)),))])
        assert hit is not None
        run(subject)

    return after(runs - 1, later)


def without(text: bytes) -> bytes:
    return text.removeprefix(FILLER)


def case(text: bytes, test: Callable[[bytes], bool], language: str = "c") -> Case:
    return Case(FILLER + text, language, lambda text: test(without(text)))


def balanced(text: bytes) -> bool:
    """Return whether there are as many a as b, wherever they are, and the needle."""
    return text.count(b"a") == text.count(b"b") and b"needle" in text


@pytest.mark.parametrize(
    "text", [b"int a, needle, b;\n", b"int needle(int a) { return b; }\n", b"int a, b, needle;\n"]
)
def test_two_tokens_that_can_only_go_together_go(text: bytes):
    result = reduced(case(text, balanced), after_runs(200, pairs)).text
    assert b"a" not in result
    assert b"b" not in result
    assert b"needle" in result


def test_three_characters_that_can_only_go_together_go():
    def test(text: bytes) -> bool:
        return sum(map(text.count, (b"x", b"y", b"z"))) in (0, 3) and b"n" in text

    result = reduced(case(b"int xnynz;\n", test), after_runs(140, pairs)).text
    assert result.strip() == b"n"


def test_candidates_that_pass_the_guard_are_tried_first():
    text = b"int f(int x, int y) { return x + y; }\n"
    asked = reduced(case(text, lambda left: left == text), after_runs(100, pairs)).judge.asked[1:]
    broken = [document(one, "c").errors > 0 for one in asked]
    assert broken == sorted(broken)
    assert set(broken) == {False, True}


@pytest.mark.parametrize("before", [1, 10, 100])
def test_it_takes_as_many_runs_as_came_before_and_no_more(before: int):
    text = b"int f(int x, int y) { return x + y; }\n"
    end = case(text, lambda left: left == text)
    assert len(reduced(end, after_runs(before, pairs)).judge.asked) == 1 + before


def test_if_most_runs_were_near_the_end_it_does_nothing():
    text = b"int f(int x, int y) { return x + y; }\n"

    def late(subject: Subject) -> None:
        after(500, pairs)(subject)

    result = reduced(case(text, lambda left: left == text), after_runs(200, late))
    assert len(result.judge.asked) == 1


@pytest.mark.parametrize(("before", "runs"), [(10, 10), (100, 0)])
def test_a_text_with_fewer_candidates_than_runs_before_is_left_alone(before: int, runs: int):
    """Five characters have fewer than a hundred sets of a few neighbours."""
    text = b"raise\n"
    result = reduced(case(text, lambda left: left == text), after_runs(before, pairs))
    assert len(result.judge.asked) == 1 + runs


def test_a_text_that_was_always_small_is_left_alone():
    result = reduced(Case(b"int a, b;\n", "c", lambda _: True), after(100, pairs))
    assert result.judge.asked == []


def test_no_white_space_goes_for_its_own_sake():
    text = b"int   needle ;\n\n\nint  x ;\n"
    result = reduced(case(text, lambda left: size(left) == size(text)), after_runs(100, pairs))
    assert result.text == text


def test_the_region_is_kept():
    text = FILLER + b"int a, b, needle;\nint a, b;\n"
    start = len(FILLER) + len(b"int a, b, needle;\n")
    result = reduced(Case(text, "c", lambda _: True), after(100, pairs), region=(0, start))
    assert result.text.endswith(b"int a, b;\n")


def test_it_is_the_end_of_the_smallest_and_not_in_the_default():
    assert Strategy.parse("smallest").steps[-1].name == "pairs"
    assert "pairs" not in PRESETS["default"]


@examples(15)
@given(case=cases())
def test_it_takes_as_many_runs_as_came_before_unless_nothing_is_left_to_try(case: Case):
    result = reduced(case, "hdd*+pairs")
    subject, asked = result.subject, len(result.judge.asked)
    if subject.tally.runs < 2 * runs_until(subject, 3 * subject.weight):
        pairs(subject)
        assert len(result.judge.asked) == asked


@examples(20)
@given(case=cases(), before=st.integers(1, 60))
def test_reading_ahead_accepts_the_same(case: Case, before: int):
    filled = Case(
        FILLER + case.text, "c", lambda text: without(text) == case.text or case(without(text))
    )
    result = reduced(filled, after_runs(before, pairs))
    assert reduced_ahead(filled, after_runs(before, pairs), 4) == (
        result.accepted,
        len(result.accepted),
    )


def test_it_accepts_interesting_texts_only():
    needed = case(
        b"int f(int x) { return needle + x; }\n", lambda left: in_order((b"f", b"needle"), left)
    )
    for text in reduced(needed, after_runs(300, pairs)).accepted:
        assert needed.test(text)
