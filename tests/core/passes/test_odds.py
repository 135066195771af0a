"""What was accepted more often comes first."""

from __future__ import annotations

import pytest

from pollard.engine.odds import Odds
from pollard.passes.heaviest.heaviest import heaviest
from tests.core.passes.support import Case, Loop, subject_of


class Watched:
    """What `Odds` looks at of a subject."""

    tried = 0
    reductions = 0


def noted(odds: Odds, step: str, tried: int, accepted: int) -> None:
    subject = Watched()
    with odds.counting(step, subject):
        subject.tried += tried
        subject.reductions += accepted


def test_what_was_accepted_more_often_is_likelier() -> None:
    odds = Odds()
    noted(odds, "remove", 4, 3)
    noted(odds, "hoist", 4, 1)
    assert odds.is_likelier("remove", "hoist")
    noted(odds, "remove", 40, 0)
    assert not odds.is_likelier("remove", "hoist")


def test_what_was_never_accepted_is_not_likelier_than_what_was_never_tried_more_often() -> None:
    """The rule of succession alone would say so of one failure against two."""
    odds = Odds()
    noted(odds, "remove", 1, 0)
    noted(odds, "hoist", 2, 0)
    assert not odds.is_likelier("remove", "hoist")


@pytest.mark.parametrize("likelier", ["remove", "hoist"])
def test_what_is_likelier_is_tried_first_at_all_levels_of_a_stage(likelier: str) -> None:
    """What is deep below goes before, or after, something of it stands in the statement's place."""
    text = b"if (a) { needle(b, c, d, e, f, g); }\n"
    judge = Loop(lambda text: False)
    subject = subject_of(Case(text, "javascript", lambda text: True), judge, [])
    noted(subject.odds, likelier, 9, 9)
    heaviest(subject)
    removed = judge.asked.index(b"if (a) { needle; }\n")
    hoisted = judge.asked.index(b"(b, c, d, e, f, g)\n")
    assert (removed < hoisted) == (likelier == "remove")


def test_a_chance_goes_down_with_what_failed_and_up_again_with_what_did_not() -> None:
    odds = Odds()
    assert odds.chance("remove") == 1
    chances = []
    for failed in range(4):
        chances.append(odds.chance("remove"))
        assert odds.chance("remove", 2) == Odds().chance("remove", failed + 2)
        odds.note("remove", accepted=False)
    assert chances == sorted(chances, reverse=True)
    for _ in range(8):
        odds.note("remove", accepted=True)
    assert odds.chance("remove") == 1
    assert odds.chance("hoist") == 1
