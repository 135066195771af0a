"""What the passes promise: every accepted text was interesting, and no unit of the result can go."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given

from pollard.engine.subject import Subject
from pollard.passes.catalogue import PASSES
from pollard.passes.papers import hdd as trees
from pollard.passes.strategy import PRESETS
from pollard.syntax.tree.sizes import size
from tests.core.passes.support import Case, cases, reduced, reduced_ahead, removable
from tests.examples import examples

EVERYTHING = [*PRESETS, *(name for name in PASSES if name not in PRESETS)]
#: Strategies after which no single unit of the tree can be removed (hdd-2006, section 3).
#: The default one promises that only if a pass with guarantees follows.
MINIMAL = ["hdd*", "hdd+", "hddr*", "hddh*", "default+hddh*", "hoist*+hdd*", "hoist*+hddh*"]


def _star(run, subject: Subject) -> None:
    before = -1, False
    while before != (subject.tally.accepted, subject.memory.every_unit_tried):
        before = subject.tally.accepted, subject.memory.every_unit_tried
        run(subject)


@pytest.mark.parametrize("strategy", EVERYTHING)
@examples(8)
@given(case=cases())
def test_every_accepted_text_is_interesting_and_none_grows(strategy: str, case: Case):
    result = reduced(case, strategy)
    sizes = [size(text) for text in (case.text, *result.accepted)]
    assert set(result.accepted) <= result.judge.interesting
    assert sizes == sorted(sizes, reverse=True)
    assert result.text == [case.text, *result.accepted][-1]
    assert result.subject.tally.accepted == len(result.accepted)


@pytest.mark.parametrize("strategy", MINIMAL)
@examples(10)
@given(case=cases())
def test_no_unit_of_the_result_can_be_removed(strategy: str, case: Case):
    result = reduced(case, strategy)
    assert removable(result, case) == []


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("depth_first", [False, True])
@examples(10)
@given(case=cases())
def test_hddr_in_any_order_of_traversal(depth_first: bool, backward: bool, case: Case):
    """It visits nodes in another order, and yet nothing can be removed at its fixpoint."""
    once = partial(trees.hddr, depth_first=depth_first, backward=backward)
    result = reduced(case, partial(_star, once))
    assert set(result.accepted) <= result.judge.interesting
    assert removable(result, case) == []


@pytest.mark.parametrize("strategy", EVERYTHING)
@examples(3)
@given(case=cases())
def test_reading_ahead_changes_nothing(strategy: str, case: Case):
    """Whatever threads find first, the first interesting candidate in order is taken."""
    accepted = reduced(case, strategy).accepted
    for workers in (2, 4):
        assert reduced_ahead(case, strategy, workers) == (accepted, len(accepted))
