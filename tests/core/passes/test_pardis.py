"""Pardis: the heaviest node of the whole tree, alone, comes first."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given

from pollard.passes.papers import prioritised
from tests.core.passes.support import (
    Case,
    cases,
    in_order,
    reduced,
    reduced_ahead,
    removable,
)
from tests.examples import examples

BOTH = ["pardis", "pardis-hybrid"]


def _asked(run: str, text: bytes, *tokens: bytes) -> list[bytes]:
    case = Case(text, "json", lambda text: in_order(tokens, text))
    return reduced(case, run).judge.asked


def test_single_nodes_are_tried_in_the_order_of_their_weights():
    """Those inside of an element come after its siblings only if they are lighter than these."""
    assert _asked("pardis", b"[1, [2, 3, 4], [5, 6]]\n", b"3") == [
        b"",
        b"[1, [5, 6]]\n",
        b"[1, [2, 3, 4]]\n",
        b"[[2, 3, 4]]\n",
        b"[[3, 4]]\n",
        b"[[4]]\n",
        b"[[3]]\n",
    ]


INVERTED = b'[[1, 2], {"a": [3, 4, 5, 6, 7, 8]}]\n'


def test_a_heavy_node_far_down_comes_before_a_light_element_of_a_heavy_list():
    """Perses minimises the outer list first, light elements and all: priority inversion."""
    light, heavy = b'[{"a": [3, 4, 5, 6, 7, 8]}]\n', b"[[1, 2], {}]\n"
    for run, order in (("pardis", [heavy, light]), ("perses", [light, heavy])):
        asked = _asked(run, INVERTED, b"[[1", b"8")
        assert [text for text in asked if text in order] == order


def test_what_has_no_unit_is_passed_over_without_a_run():
    """The parameter list of a function cannot go; what is in it can."""
    text = b"int f(int a, int b);\n"
    case = Case(text, "c", lambda text: b"f" in text and b"b" in text)
    asked = reduced(case, "pardis").judge.asked
    assert asked[0] == b""
    assert b"int f(int b);\n" in asked
    assert b"int f;\n" not in asked[:1]


def test_siblings_of_the_same_weight_are_a_list_to_the_hybrid():
    """Halves of the list, which Pardis itself does not try."""
    text = b"[10, 20, 30, 40, 50, 60, 70, 80]\n"
    assert _asked("pardis-hybrid", text, b"80") == [
        b"",
        b"[10, 20, 30, 40]\n",
        b"[50, 60, 70, 80]\n",
        b"[50, 60]\n",
        b"[70, 80]\n",
        b"[70]\n",
        b"[80]\n",
        b"[]\n",
    ]
    assert len(_asked("pardis", text, b"80")) == 9


def test_siblings_of_other_weights_are_not_of_the_list_and_keep_their_turns():
    text = b"[1, [2], 3, [4, 5], 6]\n"
    assert _asked("pardis-hybrid", text, b"6") == [
        b"",
        b"[1, [2], 3, 6]\n",
        b"[1, 3, 6]\n",
        b"[1]\n",
        b"[3, 6]\n",
        b"[3]\n",
        b"[6]\n",
        b"[]\n",
    ]


def test_those_that_wait_while_a_list_shrinks_have_their_turns():
    text = b"[[1, 2], [3, 4], 50, [6, 7]]\n"
    case = Case(text, "json", lambda text: in_order((b"[", b"7"), text))
    assert reduced(case, "pardis-hybrid").text == b"[[7]]\n"


@pytest.mark.parametrize("run", BOTH)
@examples(12)
@given(case=cases())
def test_at_the_fixpoint_no_unit_can_be_removed(run: str, case: Case):
    result = reduced(case, f"{run}*")
    assert removable(result, case) == []


@pytest.mark.parametrize("run", BOTH)
@examples(8)
@given(case=cases())
def test_reading_ahead_changes_nothing(run: str, case: Case):
    accepted = reduced(case, f"{run}*").accepted
    for workers in (2, 5):
        assert reduced_ahead(case, f"{run}*", workers) == (accepted, len(accepted))


@pytest.mark.parametrize("run", BOTH)
@examples(12)
@given(case=cases())
def test_many_deletions_may_be_edits_of_one_document(run: str, case: Case):
    """As in long texts, where the nodes that wait are looked up again once in a while."""
    with patch.object(prioritised, "_WAITING_PER_EDIT", 0):
        result = reduced(case, f"{run}*")
        ahead = reduced_ahead(case, f"{run}*", 3)
    assert set(result.accepted) <= result.judge.interesting
    assert removable(result, case) == []
    assert ahead == (result.accepted, len(result.accepted))


def test_elements_that_go_one_by_one_take_their_separators_along_in_any_order():
    """All are edits of the same document, whose commas each belong to one of two elements."""
    text = b"[1, [2, 2], 3, [4, 4, 4], 5, [6]]\n"
    with patch.object(prioritised, "_WAITING_PER_EDIT", 0):
        assert _asked("pardis", text, b"5") == [
            b"",
            b"[1, [2, 2], 3, 5, [6]]\n",
            b"[1, 3, 5, [6]]\n",
            b"[1, 3, 5]\n",
            b"[3, 5]\n",
            b"[5]\n",
            b"[]\n",
        ]


@pytest.mark.parametrize("run", BOTH)
def test_one_sweep_takes_a_run_for_each_node_at_most_if_nothing_can_go(run: str):
    case = Case(b'{"a": [1, [2, 3]], "b": "c"}\n', "json", lambda _: False)
    asked = reduced(case, run).judge.asked
    if run == "pardis":  # everything, 2 pairs, 3 strings' contents, 4 elements
        assert len(asked) == len(set(asked)) == 10
    assert reduced(case, run).text == case.text
