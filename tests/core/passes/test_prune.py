"""One level of HDD: its units removed, or minimal fragments put in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pollard.engine import pruning
from pollard.engine.pruning import Units, prune, replace
from pollard.engine.subject import Candidate, Subject
from pollard.search.ddmin import ddmin
from pollard.search.sweeps import one_by_one
from pollard.syntax.branches.branches import Branch, below
from pollard.syntax.branches.replacements import Replacements
from pollard.syntax.tree.edits import Edit
from tests.core.passes.support import Case, in_order, reduced

if TYPE_CHECKING:
    from collections.abc import Callable


def _level(subject: Subject, depth: int) -> list[Branch]:
    level = [subject.root]
    for _ in range(depth):
        level = below(level, subject.span)
    return level


def _pruned(text: bytes, depth: int, *tokens: bytes, minimise=one_by_one, **options):
    left: list[bytes] = []

    def run(subject: Subject) -> None:
        level = prune(subject, _level(subject, depth), minimise)
        text = subject.document.text
        left.extend(text[branch.start : branch.end] for branch in level if not branch.is_token)

    case = Case(text, "json", lambda text: in_order(tokens, text))
    return reduced(case, run, **options), left


TEXT = b"[1, [2, 3], 4, 5]\n"


def test_only_the_branches_of_the_level_go_and_those_that_stay_are_returned():
    result, left = _pruned(TEXT, 2, b"2", b"5")
    assert result.text == b"[[2, 3], 5]\n"
    assert left == [b"[2, 3]", b"5"]


def test_any_minimiser_of_lists_decides_what_goes():
    result, left = _pruned(TEXT, 2, b"2", b"5", minimise=ddmin)
    assert result.text == b"[[2, 3], 5]\n"
    assert left == [b"[2, 3]", b"5"]


def test_a_level_of_which_everything_is_needed_comes_back_as_it_was():
    result, left = _pruned(TEXT, 2, b"1", b"2", b"3", b"4", b"5")
    assert result.text == TEXT
    assert left == [b"1", b"[2, 3]", b"4", b"5"]


def test_units_that_reach_out_of_the_region_stay():
    """The element whose separator is outside cannot go with it."""
    start, end = TEXT.index(b"[2"), TEXT.index(b", 4")
    result, left = _pruned(TEXT, 2, region=(start, end))
    assert result.text == TEXT
    assert b"[2, 3]" in left


def test_an_empty_level_takes_no_run():
    result, left = _pruned(b"[]\n", 3)
    assert result.judge.asked == []
    assert left == []


def _no_empty_list(text: bytes) -> bool:
    return text.count(b'"') == 2 and b"[]" not in text


def test_replacing_tries_a_second_fragment_where_the_first_was_not_interesting():
    """The list may become an empty one first, which is not interesting here, and then a number."""

    def run(subject: Subject) -> None:
        replace(subject, _level(subject, 2), one_by_one, Replacements())

    case = Case(b'["a long text", [1, 2, 3, 4]]\n', "json", _no_empty_list)
    result = reduced(case, run)
    assert result.text == b'["", 0]\n'


def test_replacing_leaves_what_is_already_minimal():
    def run(subject: Subject) -> None:
        replace(subject, _level(subject, 2), one_by_one, Replacements())

    case = Case(b"[0, 7]\n", "json", lambda _: True)
    assert reduced(case, run).judge.asked == []


@pytest.mark.parametrize("next_one", [Units.refresh, Units.next_level])
@pytest.mark.parametrize("long", [True, False])
def test_what_was_learnt_about_shapes_is_kept_in_long_texts_only(
    long: bool, next_one: Callable[[Units], None], monkeypatch: pytest.MonkeyPatch
):
    """There a parse costs more than a candidate that the guard rejects."""
    monkeypatch.setattr(pruning, "_MIN_BYTES_BY_SHAPE", 0 if long else 1_000)
    asked: list[int] = []

    def run(subject: Subject) -> None:
        fits = subject.fits
        monkeypatch.setattr(subject, "fits", lambda *edits: asked.append(1) or fits(*edits))
        units = Units(subject)
        for depth in (2, 2):
            before = len(asked)
            assert len(units.of(_level(subject, depth))) == 4 - subject.tally.accepted
            asked[before:] = [len(asked) - before]
            subject.first([Candidate(subject.document, (Edit(1, 4),))])
            next_one(units)

    reduced(Case(b"[1, 2, 3, 4]\n", "json", lambda _: True), run)
    first, second = asked
    assert first > 0
    assert (second == 0) == long


def test_another_level_has_a_budget_of_its_own(monkeypatch: pytest.MonkeyPatch):
    """Without one, branches of one shape would be taken to behave alike."""
    asked: list[int] = []

    def run(subject: Subject) -> None:
        fits = subject.fits
        monkeypatch.setattr(subject, "fits", lambda *edits: asked.append(1) or fits(*edits))
        level = _level(subject, 2)
        units = Units(subject, 1)
        units.of(level)
        for next_one in (units.refresh, units.next_level):
            asked.clear()
            next_one()
            units.of(level)
            assert bool(asked) == (next_one == units.next_level)

    reduced(Case(b"[1, 2, 3, 4]\n", "json", lambda _: True), run)
    assert asked
