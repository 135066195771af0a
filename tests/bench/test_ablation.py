"""Variations change what they name, and only as long as they are applied; what pays is what is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pollard
from pollard.passes.coupling import coupled, inlining
from pollard.passes.heaviest import heaviest
from pollard.passes.heaviest.groups import Groups
from pollard.passes.strategy import DEFAULT, PRESETS, Strategy
from tests.bench.ablation import Outcome, current, difference, measured
from tests.bench.measure import engine
from tests.bench.variations import UNCHANGED, kinds_found, variations

_LEFT_OUT, _OTHER = "without rename", "without shorten"
_CASES = {"a": "Ada", "b": "C", "c": "Lua", "d": "Rust"}


def test_each_step_of_the_default_is_left_out_once() -> None:
    steps = PRESETS[DEFAULT]
    left_out = [each for each in variations().values() if each.group == "pass"]
    assert len(left_out) == len(steps)
    for index, variation in enumerate(left_out):
        kept = [str(step) for step in Strategy.parse(variation.strategy).steps]
        assert kept == [*steps[:index], *steps[index + 1 :]]


def test_a_heuristic_is_switched_off_only_meanwhile() -> None:
    before = Groups._rest
    with variations()["without: the rest of a list"].applied():
        assert Groups._rest is not before
    assert Groups._rest is before


def test_each_kind_of_change_is_left_out_once() -> None:
    places = [*coupled.VALUES_BY_PLACE, *coupled.BY_PLACE]
    kinds = [*places, *inlining.PLAINER, *inlining.MARKUP]
    patched = [patch for each in variations().values() for patch in each.patches]
    lists = ("VALUES_BY_PLACE", "BY_PLACE", "PLAINER", "MARKUP")
    shorter = [new for _, name, new in patched if name in lists]
    assert len(shorter) == len(kinds)


def test_a_kind_counts_as_found_only_where_a_search_finds_a_change_of_it() -> None:
    with kinds_found() as found:
        pollard.reduce('<a k="1"><b/></a>', lambda text: b'k="1"><b/>' in text, language="xml")
    assert "dissolved" in found
    assert "columns" not in found
    assert inlining.MARKUP[0].__name__ == inlining.without_prefixes.__name__


def test_a_variation_of_what_is_not_found_is_the_default(tmp_path: Path) -> None:
    """Else every kind would be measured on every case, which takes days."""
    names = ["without: columns", "without rename"]
    memory = tmp_path / "verdicts.sqlite3"
    (found,) = measured({"figure3": names}, memory, processes=1)
    by_name = {outcome.variation: outcome for outcome in found}
    assert by_name.keys() == {UNCHANGED, *names}
    assert by_name["without: columns"] == replace(by_name[UNCHANGED], variation="without: columns")
    assert by_name["without rename"].runs != by_name[UNCHANGED].runs


def test_numbers_are_halved_and_doubled_where_they_are_defined() -> None:
    factor = heaviest._THRESHOLD_FACTOR
    for changed in (factor // 2, factor * 2):
        with variations()[f"passes.heaviest.heaviest.THRESHOLD_FACTOR = {changed}"].applied():
            assert factor != changed == heaviest._THRESHOLD_FACTOR
    assert factor == heaviest._THRESHOLD_FACTOR


def outcomes(
    variation: str, sizes: list[int], runs: list[int], code: str = "digest"
) -> list[Outcome]:
    return [
        Outcome(variation, case, size, run, 0.1, code)
        for case, size, run in zip(_CASES, sizes, runs, strict=False)
    ]


BASE = outcomes(UNCHANGED, [100, 100, 100, 100], [50, 50, 50, 50])


def test_a_part_pays_if_results_are_larger_without_it_in_three_languages() -> None:
    found = difference("x", [*BASE, *outcomes("x", [102, 102, 102, 100], [50] * 4)], _CASES)
    assert (found.size, found.runs, found.cases, found.languages) == (1.5, 0.0, 3, 3)
    assert found.pays


def test_a_part_does_not_pay_in_two_languages_or_for_as_many_runs() -> None:
    two = difference("x", [*BASE, *outcomes("x", [104, 104, 100, 100], [50] * 4)], _CASES)
    assert not two.pays
    dear = difference("x", [*BASE, *outcomes("x", [104] * 4, [40] * 4)], _CASES)
    assert not dear.pays


def test_only_cases_that_both_were_measured_on_are_compared() -> None:
    found = difference("x", [*BASE, *outcomes("x", [200], [100])], _CASES)
    assert (found.size, found.runs, found.cases) == (100.0, 100.0, 1)


def test_a_variation_is_compared_with_the_default_of_the_same_code() -> None:
    former = outcomes(UNCHANGED, [200], [50], "former")
    found = difference("x", [*BASE, *former, *outcomes("x", [220], [50], "former")], _CASES)
    assert (found.size, found.cases) == (10.0, 1)


def test_what_the_present_code_measured_replaces_what_earlier_code_did() -> None:
    former = [
        each
        for name in (UNCHANGED, _LEFT_OUT, _OTHER)
        for each in outcomes(name, [1], [1], "former")
    ]
    present = [
        each for name in (UNCHANGED, _LEFT_OUT) for each in outcomes(name, [1], [1], engine())
    ]
    left = [(each.variation, each.engine) for each in current([*former, *present])]
    assert sorted(left) == sorted(
        [
            *((UNCHANGED, code) for code in ("former", engine())),
            (_LEFT_OUT, engine()),
            (_OTHER, "former"),
        ]
    )


def test_outcomes_of_code_that_measured_nothing_else_any_more_go() -> None:
    oldest = outcomes(UNCHANGED, [1], [1], "oldest") + outcomes(_LEFT_OUT, [1], [1], "oldest")
    former = outcomes(UNCHANGED, [1], [1], "former") + outcomes(_LEFT_OUT, [1], [1], "former")
    present = outcomes(UNCHANGED, [1], [1], engine())
    left = [(each.variation, each.engine) for each in current([*oldest, *former, *present])]
    assert left == [(UNCHANGED, "former"), (_LEFT_OUT, "former"), (UNCHANGED, engine())]
