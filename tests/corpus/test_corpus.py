"""Properties of every reduction of the real failing inputs.

Only time decides which strategies a case is reduced with, and which reductions are `exhaustive`.
Verdicts are remembered from one strategy to the next. One case is cut off after 60 runs; its text at
that moment must have the same properties.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.bench.cases import Case, corpus_folder
from tests.bench.measure import Curve, Measurement
from tests.corpus.brute_force import one_unit_smaller
from tests.corpus.conftest import RUN_LIMITS, Reductions, digests, names
from tests.examples import rarely

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pollard.events import Result

pytestmark = pytest.mark.corpus

_EVERYWHERE = ("default", "hddh*")
# The default strategy aims at small results in few runs and does not promise 1-tree-minimality.
_MINIMISING = ("hdd*", "hddh*")
_ON_CHEAP_ONES = ("hdd*", "coarse-hdd", "hoist*+hdd*", "hoist*+hddh*", "hddr*", "hdd+")

# Cases with few or quick runs under all strategies.
_CHEAP = (
    "html-minifier-style-type",
    "js-esbuild-staticblock",
    "lua51-pattern-overflow",
)

# Without the guard a reduction takes several times as many runs, so only these are compared.
_COMPARED = (
    *_CHEAP,
    "css-lightningcss-calc",
    "json-jq-implode",
    "prop-c-gcc12-warning",
    "prop-json-schema-license",
    "prop-sql-sqlite-row",
    "py-black-walrus-annotation",
)

# The others take up to minutes with `hddh*`, so only `.ci/run --thorough` reduces them with it.
_QUICK = (*_CHEAP, "css-lightningcss-calc", "json-jq-implode", "py-black-walrus-annotation")

_TRIED = [
    *((name, strategy) for name in names() for strategy in _EVERYWHERE),
    *((name, strategy) for name in _CHEAP for strategy in _ON_CHEAP_ONES),
]
_MINIMAL = [
    (name, strategy)
    for name, strategy in _TRIED
    if strategy in _MINIMISING and name not in RUN_LIMITS
]


def _marked(reductions: Iterable[tuple[str, str]]) -> list[Any]:
    """Return cases with strategies as parameters; those that take long are exhaustive."""
    return [
        pytest.param(name, strategy, marks=pytest.mark.exhaustive)
        if name not in _QUICK and strategy == "hddh*"
        else (name, strategy)
        for name, strategy in reductions
    ]


every_case = pytest.mark.parametrize("case", names(), indirect=True)


@pytest.mark.parametrize(("case", "strategy"), _marked(_TRIED), indirect=["case"])
def test_the_result_is_smaller_and_still_interesting(
    case: Case, strategy: str, reductions: Reductions
) -> None:
    """The script of the corpus, run without Pollard, accepts the result of every preset."""
    result = reductions.get(case, strategy)
    assert case.holds(result.text)
    assert result.result.cancelled == (case.name in RUN_LIMITS)
    share = 1 if result.result.cancelled else 0.05
    assert result.size < share * result.result.original.non_whitespace


@every_case
def test_two_jobs_give_the_same_bytes_as_one(case: Case, reductions: Reductions) -> None:
    """Speculation changes neither the result nor what is counted."""
    one, two = reductions.get(case), reductions.in_parallel(case)
    assert two.ledger.remembered == 0
    assert two.ledger.executed > two.result.counts.runs
    if case.name in RUN_LIMITS:
        assert _compared(two, RUN_LIMITS[case.name]) == _compared(one, RUN_LIMITS[case.name])
    else:
        assert two.text == one.text
        assert two.curve == one.curve
        assert two.result.counts.runs == one.result.counts.runs


@pytest.mark.exhaustive
def test_nearly_half_of_all_candidates_start_no_process(
    cases: dict[str, Case], reductions: Reductions
) -> None:
    """With `hddh*`, which tries all units, the guard rejects nearly as many candidates as are run.

    The default strategy proposes far fewer candidates, and hardly any that do not parse. Tidying is no
    pass: it costs a run for each result, whatever the strategy.
    """
    results = [reductions.get(cases[name], "hddh*").result for name in names()]
    guarded = sum(result.counts.guarded for result in results)
    runs = sum(result.counts.runs - _tidying_runs(result) for result in results)
    print(f"\n{guarded} guarded, {runs} runs")
    assert guarded >= 0.95 * runs


def _tidying_runs(result: Result) -> int:
    return sum(one.runs for one in result.passes if one.name == "tidy")


@pytest.mark.exhaustive
def test_the_guard_costs_hardly_any_size(cases: dict[str, Case], reductions: Reductions) -> None:
    """Without the guard the sum of the sizes is at most 5 % smaller.

    The default strategy tries some candidates with syntax errors at the very end, guard or not.
    """
    guarded = {name: reductions.get(cases[name]).size for name in _COMPARED}
    without = {name: reductions.get(cases[name], guard=False).size for name in _COMPARED}
    for name in _COMPARED:
        print(f"\n{name}: {guarded[name]} with the guard, {without[name]} without", end="")
    assert sum(without.values()) >= 0.95 * sum(guarded.values())


@pytest.mark.parametrize(("case", "strategy"), _marked(_MINIMAL), indirect=["case"])
def test_no_single_unit_can_be_removed(case: Case, strategy: str, reductions: Reductions) -> None:
    """1-tree-minimality (hdd-2006, definition 8): each unit of the result is needed."""
    result = reductions.get(case, strategy)
    language = case.grammar.language
    smaller = list(one_unit_smaller(result.text, language))
    needless = [text for text in smaller if reductions.holds(case, text)]
    assert smaller
    assert needless == []


@pytest.mark.parametrize(
    "case",
    [*_QUICK, *rarely(*(name for name in names() if name not in {*_QUICK, *RUN_LIMITS}))],
    indirect=True,
)
def test_the_default_is_never_larger_than_the_papers_best(
    case: Case, reductions: Reductions
) -> None:
    """And takes at most half as many runs again."""
    own, best = reductions.get(case), reductions.get(case, "hddh*")
    assert own.size <= best.size
    assert own.result.counts.runs <= 1.5 * best.result.counts.runs


@every_case
def test_originals_are_untouched(
    case: Case, originals: dict[str, str], reductions: Reductions
) -> None:
    """Nothing in the corpus was changed, added or removed by reducing its files."""
    reductions.get(case)
    assert digests(corpus_folder()) == originals


def _compared(measured: Measurement, runs: int) -> Curve:
    """Return the points of the curve before `runs`, without the last one, which is the end."""
    return [point for point in measured.curve[:-1] if point[0] < runs]
