"""`ddmin` tries the same configurations as Picire 21.8, in the same order, with equal results.

Picire runs its current configuration again at the start of each iteration to assert that it is
interesting (the runs named "assert"). `ddmin` does not, so these tests do not count them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import picire  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st
from picire import config_iterators, config_splitters

from pollard.search import DdminOptions, ddmin, minimiser, sequential
from pollard.search.ddmin import Order, Split, backward, balanced_split, forward, skip, zeller_split
from tests.core.search.support import (
    OPTIONS,
    Config,
    Problem,
    Recorder,
    closed,
    contains,
    problems,
    scattered,
)
from tests.examples import examples

SPLITS: dict[Split, type] = {
    zeller_split: config_splitters.ZellerSplit,
    balanced_split: config_splitters.BalancedSplit,
}
ORDERS: dict[Order, Order] = {
    forward: config_iterators.forward,
    backward: config_iterators.backward,
    skip: config_iterators.skip,
}


class Combined(picire.AbstractDD):  # type: ignore[misc]
    """Picire's CombinedParallelDD with one worker, but in this process.

    Its iterator chooses among 2n configurations: below n the subsets, from n on the complements.
    """

    def __init__(self, test, *, config_iterator, split, cache) -> None:  # type: ignore[no-untyped-def]
        super().__init__(test, split=split, cache=cache)
        self._config_iterator = config_iterator

    def _reduce_config(self, run, subsets, complement_offset):  # type: ignore[no-untyped-def]
        n = len(subsets)
        for i in self._config_iterator(2 * n):
            at = i if i < n else int((i - n + complement_offset) % n)
            rest = subsets[:at] + subsets[at + 1 :]
            config = subsets[at] if i < n else [item for piece in rest for item in piece]
            outcome = self._lookup_cache(config, ()) or self._test_config(config, ())
            if outcome is picire.Outcome.FAIL:
                return ([subsets[at]], 0) if i < n else (rest, at)
        return None, complement_offset


class Alternating:
    """An iterator for `Combined`: one subset, one complement, one subset, and so on."""

    def __init__(self, options: DdminOptions) -> None:
        self._options = options

    def __call__(self, n: int) -> Iterator[int]:
        subsets = list(ORDERS[self._options.subsets](n // 2))
        complements = [i + n // 2 for i in ORDERS[self._options.complements](n // 2)]
        kinds = [subsets, complements] if self._options.subsets_first else [complements, subsets]
        while any(kinds):
            yield from [kind.pop(0) for kind in kinds if kind]


def by_picire(problem: Problem, options: DdminOptions, *, combined: bool) -> tuple[Config, list]:  # type: ignore[type-arg]
    asked: list[Config] = []

    def test(config: list[int], config_id: tuple[str, ...]) -> picire.Outcome:
        if "assert" not in config_id:
            asked.append(tuple(config))
        return picire.Outcome.FAIL if problem(tuple(config)) else picire.Outcome.PASS

    common = {
        "split": SPLITS[options.split](n=options.factor),
        "cache": picire.ConfigCache() if options.cached else picire.OutcomeCache(),
    }
    orders = {
        "subset_first": options.subsets_first,
        "subset_iterator": ORDERS[options.subsets],
        "complement_iterator": ORDERS[options.complements],
    }
    if options.interleaved:
        dd = Combined(test, config_iterator=Alternating(options), **common)
    elif combined:
        dd = Combined(test, config_iterator=picire.CombinedIterator(**orders), **common)
    else:
        dd = picire.DD(test, **orders, **common)
    return tuple(dd(list(problem.items))), asked


def by_pollard(problem: Problem, options: DdminOptions) -> tuple[Config, list[Config]]:
    recorder = Recorder(problem)
    return ddmin(problem.items, sequential(recorder), options=options), recorder.asked


@examples(300)
@given(problem=problems(), options=OPTIONS)
def test_same_result_and_same_runs_as_picire(problem: Problem, options: DdminOptions) -> None:
    assert by_pollard(problem, options) == by_picire(problem, options, combined=False)


@examples(100)
@given(problem=problems(), options=OPTIONS)
def test_same_runs_as_picires_combined_loop(problem: Problem, options: DdminOptions) -> None:
    assert by_pollard(problem, options) == by_picire(problem, options, combined=True)


@pytest.mark.parametrize(
    "problem",
    [
        Problem(8, lambda config: contains(frozenset({0, 6, 7}), config)),
        Problem(11, lambda config: len(config) % 3 == 2),
        Problem(13, lambda config: closed(frozenset({12}), ((12, 3), (3, 7), (5, 6)), config)),
        Problem(9, lambda config: scattered(5, 8, config)),
    ],
    ids=["needs three", "length", "pairs", "scattered"],
)
def test_every_combination_of_options_runs_what_picire_runs(problem: Problem) -> None:
    flags = (False, True)
    for factor, split, subsets, complements, first, interleaved, is_cached in product(
        (2, 3, 100), SPLITS, ORDERS, ORDERS, flags, flags, flags
    ):
        options = DdminOptions(factor, split, subsets, complements, first, interleaved, is_cached)
        expected = by_picire(problem, options, combined=False)
        assert by_pollard(problem, options) == expected, options


@st.composite
def named_options(draw: st.DrawFn) -> tuple[str, DdminOptions]:
    """Draw options, and a name with the equivalent suffixes in any order."""
    options = draw(OPTIONS.filter(lambda o: o.subsets is not skip or o.complements is not skip))
    subsets, complements = options.subsets, options.complements
    suffixes = [
        str(options.factor),
        "complement" if subsets is skip else "subset" if complements is skip else "",
        "backward"
        if backward in (subsets, complements) and forward not in (subsets, complements)
        else "backsubsets"
        if subsets is backward
        else "backcomplements"
        if complements is backward
        else "",
        "balanced" if options.split is balanced_split else "",
        "" if options.subsets_first else "last",
        "interleaved" if options.interleaved else "",
        "" if options.cached else "uncached",
    ]
    return "-".join(["ddmin", *filter(None, draw(st.permutations(suffixes)))]), options


@examples(150)
@given(problem=problems(), named=named_options())
def test_every_option_can_be_named(problem: Problem, named: tuple[str, DdminOptions]) -> None:
    name, options = named
    recorder = Recorder(problem)
    result = minimiser(name)(problem.items, sequential(recorder))
    assert (result, recorder.asked) == by_picire(problem, options, combined=False)


@pytest.mark.parametrize("size", [1, 2, 7, 16, 41])
@pytest.mark.parametrize("split", SPLITS)
def test_splits_equal_those_of_picire(size: int, split: Split) -> None:
    for pieces in range(1, size + 1):
        theirs = SPLITS[split](n=pieces)([list(range(size))])
        cuts = split(size, pieces)
        ours = [list(range(a, b)) for a, b in pairwise(cuts)]
        assert ours == theirs


@examples(60)
@given(problem=problems(max_size=25), options=OPTIONS)
def test_cached_never_tests_a_configuration_twice(problem: Problem, options: DdminOptions) -> None:
    result, asked = by_pollard(problem, options)
    if options.cached:
        assert len(set(asked)) == len(asked)
    assert set(asked).isdisjoint({problem.items, ()})
    assert (result == problem.items) or problem(result)
