"""The window: two or more units of one node at once, on what other passes have left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.engine.subject import Subject
from pollard.passes.coupling import window as passes
from pollard.passes.coupling.window import window
from tests.core.passes.support import SAMPLES, Case, cases, reduced, reduced_ahead


def _explored(subject: Subject) -> None:
    subject.memory.every_unit_tried = True
    window(subject)


def _like(*texts: bytes):
    """Return an oracle to which only some texts are interesting, white space aside."""
    wanted = {b"".join(text.split()) for text in texts}
    return lambda text: b"".join(text.split()) in wanted


def test_neighbours_that_need_each_other_go_together():
    """1-tree-minimal already: HDD and hoisting leave all of it."""
    case = Case(b"[1, 2, 3]\n", "json", _like(b"[1]"))
    assert reduced(case, "hddh*").text == case.text
    assert reduced(case, "hddh*+window").text == b"[1]\n"


def test_units_that_go_together_need_not_touch():
    case = Case(b"[1, 2, 3, 4]\n", "json", _like(b"[2, 3]"))
    assert reduced(case, _explored).text == b"[2, 3]\n"


def test_units_of_different_nodes_do_not_go_together():
    case = Case(b"[[1, 2], [3, 4]]\n", "json", _like(b"[[1], [4]]"))
    assert reduced(case, _explored).text == case.text


def test_single_units_are_left_to_pruning():
    case = Case(b"[1, 2]\n", "json", _like(b"[1]", b"[2]"))
    assert reduced(case, _explored).text == case.text


def test_nothing_is_tried_before_every_unit_was_tried_by_itself():
    assert reduced(Case(SAMPLES["c"], "c", lambda _: True), window).judge.asked == []


def test_long_lists_are_left_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(passes, "_MAX_UNITS", 4)
    for number, tried in ((4, True), (5, False)):
        text = b"[" + b", ".join([b"1"] * number) + b"]\n"
        assert bool(reduced(Case(text, "json", lambda _: False), _explored).judge.asked) == tried


def test_a_unit_costs_seven_runs_at_most():
    case = Case(b"[1, 2, 3, 4, 5, 6]\n", "json", lambda _: False)
    assert len(reduced(case, _explored).judge.asked) <= 7 * 6


@pytest.mark.parametrize("name", SAMPLES)
def test_text_outside_of_the_region_stays(name: str):
    text = SAMPLES[name]
    region = (len(text) // 3, 2 * len(text) // 3)
    result = reduced(Case(text, name, lambda _: True), _explored, region=region)
    assert result.text.startswith(text[: region[0]])
    assert result.text.endswith(text[region[1] :])


@given(cases())
def test_what_it_accepts_is_interesting_and_nothing_is_tried_twice(case: Case):
    result = reduced(case, _explored)
    assert all(map(case, result.accepted))
    assert len(set(result.judge.asked)) == len(result.judge.asked)


@given(cases(), st.integers(1, 4))
def test_reading_ahead_accepts_the_same(case: Case, workers: int):
    accepted, _ = reduced_ahead(case, _explored, workers)
    assert accepted == reduced(case, _explored).accepted
