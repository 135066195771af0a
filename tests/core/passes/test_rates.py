"""Acceptance rates: the kind of step that was accepted more often comes first."""

from __future__ import annotations

import pytest

from pollard.engine.learning import AcceptanceRates
from pollard.engine.statistics import Tally
from pollard.passes.heaviest.heaviest import heaviest
from tests.core.passes.support import Case, Loop, subject_of


def noted(rates: AcceptanceRates, step: str, tried: int, accepted: int) -> None:
    tally = Tally()
    with rates.counting(step, tally):
        tally.runs += tried
        tally.accepted += accepted


def test_a_step_that_was_accepted_more_often_is_likelier() -> None:
    rates = AcceptanceRates()
    noted(rates, "remove", 4, 3)
    noted(rates, "hoist", 4, 1)
    assert rates.is_likelier("remove", "hoist")
    noted(rates, "remove", 40, 0)
    assert not rates.is_likelier("remove", "hoist")


def test_between_steps_that_were_never_accepted_none_is_likelier() -> None:
    """The rule of succession alone would prefer the one with fewer failures."""
    rates = AcceptanceRates()
    noted(rates, "remove", 1, 0)
    noted(rates, "hoist", 2, 0)
    assert not rates.is_likelier("remove", "hoist")


@pytest.mark.parametrize("likelier", ["remove", "hoist"])
def test_the_likelier_step_is_tried_first_at_all_levels_of_a_stage(likelier: str) -> None:
    """Here removals deep in a statement come before or after hoists into its place."""
    text = b"if (a) { needle(b, c, d, e, f, g); }\n"
    judge = Loop(lambda text: False)
    subject = subject_of(Case(text, "javascript", lambda text: True), judge, [])
    noted(subject.memory.rates, likelier, 9, 9)
    heaviest(subject)
    removed = judge.asked.index(b"if (a) { needle; }\n")
    hoisted = judge.asked.index(b"(b, c, d, e, f, g)\n")
    assert (removed < hoisted) == (likelier == "remove")


def test_failures_lower_the_chance_of_a_step_and_successes_raise_it() -> None:
    rates = AcceptanceRates()
    assert rates.chance("remove") == 1
    chances = []
    for failed in range(4):
        chances.append(rates.chance("remove"))
        assert rates.chance("remove", 2) == AcceptanceRates().chance("remove", failed + 2)
        rates.note("remove", accepted=False)
    assert chances == sorted(chances, reverse=True)
    for _ in range(8):
        rates.note("remove", accepted=True)
    assert rates.chance("remove") == 1
    assert rates.chance("hoist") == 1
