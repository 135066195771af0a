"""Real failing inputs: what every reduction of them must be.

Which strategies are tried on a case is a matter of time alone: all of them together must end within
a quarter of an hour. What the oracle said of a text is remembered from one strategy to the next. One
case is cut off after some hundred runs: what it has by then must be as good as any result.
"""

from __future__ import annotations

import pytest

from tests.bench.cases import Case, corpus_folder
from tests.bench.measure import Curve, Measurement
from tests.corpus.brute_force import one_unit_smaller
from tests.corpus.conftest import RUN_LIMITS, Reductions, digests, names

pytestmark = pytest.mark.corpus

_EVERYWHERE = ("default", "hdd*", "hddh*")
# The default strategy goes for small results in few runs, and promises no 1-tree-minimality.
_PROMISING = ("hdd*", "hddh*")
_ON_CHEAP_ONES = ("coarse-hdd", "hoist*+hdd*", "hoist*+hddh*", "hddr*", "hdd+")

# Few runs, or quick ones, whatever the strategy.
_CHEAP = (
    "html-minifier-style-type",
    "js-esbuild-staticblock",
    "lua51-pattern-overflow",
)

# Without the guard a reduction takes several times the runs: it is compared where that can be paid.
_COMPARED = (
    *_CHEAP,
    "css-lightningcss-calc",
    "json-jq-implode",
    "prop-c-gcc12-warning",
    "prop-json-schema-license",
    "prop-sql-sqlite-row",
    "py-black-walrus-annotation",
)

_TRIED = [
    *((name, strategy) for name in names() for strategy in _EVERYWHERE),
    *((name, strategy) for name in _CHEAP for strategy in _ON_CHEAP_ONES),
]
_MINIMAL = [
    (name, strategy)
    for name, strategy in _TRIED
    if strategy in _PROMISING and name not in RUN_LIMITS
]

every_case = pytest.mark.parametrize("case", names(), indirect=True)


@pytest.mark.parametrize(("case", "strategy"), _TRIED, indirect=["case"])
def test_the_result_is_smaller_and_still_interesting(
    case: Case, strategy: str, reductions: Reductions
) -> None:
    """The corpus' own script, run here without pollard, accepts what every preset ends with."""
    result = reductions.get(case, strategy)
    assert case.holds(result.text)
    assert result.result.cancelled == (case.name in RUN_LIMITS)
    share = 1 if result.result.cancelled else 0.05
    assert result.size < share * result.result.original.non_whitespace


@every_case
def test_two_jobs_give_the_same_bytes_as_one(case: Case, reductions: Reductions) -> None:
    """Speculation changes neither the result nor what is counted."""
    one, two = reductions.alone(case), reductions.in_parallel(case)
    assert two.ledger.remembered == 0
    assert two.ledger.executed > two.result.counts.runs
    if case.name in RUN_LIMITS:
        assert _compared(two, RUN_LIMITS[case.name]) == _compared(one, RUN_LIMITS[case.name])
    else:
        assert two.text == one.text
        assert two.curve == one.curve
        assert two.result.counts.runs == one.result.counts.runs


def test_half_of_all_candidates_start_no_process(
    cases: dict[str, Case], reductions: Reductions
) -> None:
    """The syntax guard rejects as many candidates as the oracle is run for, where all are tried.

    The default strategy asks for much less, and for next to nothing that does not parse.
    """
    counts = [reductions.get(cases[name], "hddh*").result.counts for name in names()]
    guarded, runs = sum(c.guarded for c in counts), sum(c.runs for c in counts)
    print(f"\n{guarded} guarded, {runs} runs")
    assert guarded >= runs


def test_the_guard_costs_hardly_any_size(cases: dict[str, Case], reductions: Reductions) -> None:
    """Candidates with syntax errors would make the sum of the sizes smaller by 5 % at most.

    The default strategy asks for some of them at the very end, with the guard as well.
    """
    guarded = {name: reductions.get(cases[name]).size for name in _COMPARED}
    without = {name: reductions.get(cases[name], guard=False).size for name in _COMPARED}
    for name in _COMPARED:
        print(f"\n{name}: {guarded[name]} with the guard, {without[name]} without", end="")
    assert sum(without.values()) >= 0.95 * sum(guarded.values())


@pytest.mark.parametrize(("case", "strategy"), _MINIMAL, indirect=["case"])
def test_no_single_unit_can_be_removed(case: Case, strategy: str, reductions: Reductions) -> None:
    """1-tree-minimality (hdd-2006, definition 8): each unit of the result is needed."""
    result = reductions.get(case, strategy)
    language = case.grammar.language
    smaller = list(one_unit_smaller(result.text, language))
    needless = [text for text in smaller if reductions.holds(case, text)]
    assert smaller
    assert needless == []


@pytest.mark.parametrize("case", [n for n in names() if n not in RUN_LIMITS], indirect=True)
def test_the_default_is_never_larger_than_the_papers_best(
    case: Case, reductions: Reductions
) -> None:
    """And takes at most half as many runs again."""
    own, best = reductions.alone(case), reductions.get(case, "hddh*")
    assert own.size <= best.size
    assert own.result.counts.runs <= 1.5 * best.result.counts.runs


@every_case
def test_originals_are_untouched(
    case: Case, originals: dict[str, str], reductions: Reductions
) -> None:
    """Nothing in the corpus was changed, added or removed by reducing its files."""
    reductions.alone(case)
    assert digests(corpus_folder()) == originals


def _compared(measured: Measurement, runs: int) -> Curve:
    """What was accepted within so many runs; the last point is the end and no reduction."""
    return [point for point in measured.curve[:-1] if point[0] < runs]
