"""What could not be removed is needed: larger steps that remove it are not tried again."""

from __future__ import annotations

import pytest

from pollard.engine.memory import branch_key
from pollard.engine.needed import REMOVE_STEP, NeededPieces
from pollard.engine.subject import Subject
from pollard.passes.heaviest.descent import HoistingRules, hoist_far
from pollard.syntax.branches.branches import Branch, all_below, below
from tests.core.passes.support import Case, Loop, subject_of

TEXT = b"f(one, g(two), h(three));\n"


def subject() -> Subject:
    return subject_of(Case(TEXT, "javascript", lambda _: True), Loop(lambda _: True), [])


def branch(one: Subject, text: bytes) -> Branch:
    """The first branch with a text."""
    return next(
        each for each in all_below(one.root, one.span) if TEXT[each.start : each.end] == text
    )


def failing(one: Subject, *texts: bytes, weight: int) -> NeededPieces:
    """What is needed where the removal of some branches failed in a text of a weight."""
    for text in texts:
        key = branch_key(TEXT, branch(one, text))
        one.memory.attempts.note(REMOVE_STEP, key, weight)
    return NeededPieces(one)


def test_a_needed_piece_is_lost_unless_what_is_kept_holds_it() -> None:
    one = subject()
    needed = failing(one, b"two", weight=one.weight)
    call = branch(one, TEXT.strip()[:-1])
    assert needed.beside(call, branch(one, b"h(three)"))
    assert not needed.beside(call, branch(one, b"g(two)"))
    assert not needed.beside(call, branch(one, b"two"))
    assert not needed.inside(branch(one, b"h(three)"))


def test_only_the_innermost_pieces_count() -> None:
    """A call may only be needed for its argument."""
    one = subject()
    needed = failing(one, b"g(two)", b"two", weight=one.weight)
    assert [TEXT[each.start : each.end] for each in needed.inside(one.root)] == [b"two"]


@pytest.mark.parametrize(("factor", "known"), [(1.0, True), (2.0, False)])
def test_a_failure_in_a_much_longer_text_says_nothing(factor: float, known: bool) -> None:
    one = subject()
    needed = failing(one, b"two", weight=int(one.weight * factor))
    assert bool(needed.inside(one.root)) == known


@pytest.mark.parametrize("known", [True, False])
def test_a_descendant_that_loses_a_needed_piece_is_not_hoisted(known: bool) -> None:
    judge = Loop(lambda _: False)
    one = subject_of(Case(TEXT, "javascript", lambda _: True), judge, [])
    failing(one, *([b"two"] if known else []), weight=one.weight)
    hoist_far(one, below([one.root], one.span), lambda: HoistingRules(1, inner_saving=1))
    assert any(b"two" in text for text in judge.asked)
    assert any(b"two" not in text for text in judge.asked) != known


def test_the_number_of_descendants_in_the_place_of_a_branch_can_be_limited() -> None:
    """The heaviest come first."""
    asked = []
    for limit in (None, 2):
        judge = Loop(lambda _: False)
        one = subject_of(Case(TEXT, "javascript", lambda _: True), judge, [])
        rules = HoistingRules(1, inner_saving=1, max_candidates=limit)
        hoist_far(one, below([one.root], one.span), lambda rules=rules: rules)
        asked.append(judge.asked)
    every, few = asked
    assert few == every[:2] == sorted(every, key=len, reverse=True)[:2]
    assert len(every) > 3
