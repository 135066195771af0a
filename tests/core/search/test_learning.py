"""ProbDD, CDD and WDD behave like plain loops over the formulas of their papers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.search import First, Minimiser, cdd, minimiser, probdd, sequential, wdd, weighed
from pollard.search.probabilistic import fragment_lengths
from tests.core.search.support import (
    Config,
    Problem,
    Recorder,
    accepting,
    contains,
    contains_one_of,
    problems,
    reading_all,
    scattered,
    speculative,
)
from tests.core.search.test_minimality import removable
from tests.core.search.test_textbook import EIGHT, digits, needing
from tests.examples import examples

PROBABILITIES = st.sampled_from([0.05, 0.1, 0.25, 0.3, 0.5, 0.9])
WEIGHTS = st.lists(st.sampled_from([0, 1, 2, 5, 11, 100]), min_size=24, max_size=24)
NAMES = ["probdd", "probdd-0.25", "wprobdd", "wprobdd-backward", "cdd", "cdd-0.25", "wdd"]


class Loop:
    """The state of a plain loop: the remaining items and the configurations that failed."""

    def __init__(self, problem: Problem) -> None:
        self.rest = problem.items
        self.asked: list[Config] = []
        self._test = problem
        self._failed: set[Config] = set()

    def without(self, removed: Sequence[int]) -> bool:
        """Try to remove items, unless this is known to fail."""
        return self.only([item for item in self.rest if item not in removed])

    def only(self, kept: Sequence[int]) -> bool:
        """Try to remove all other items, unless this is known to fail."""
        config = tuple(kept)
        if config in self._failed:
            return False
        self.asked.append(config)
        if self._test(config):
            self.rest = config
            return True
        self._failed.add(config)
        return False


def probdd_by_the_book(problem: Problem, p0: float, weights: Sequence[int]) -> Loop:
    """Use exact fractions, and compare all prefixes."""
    loop = Loop(problem)
    p = dict.fromkeys(problem.items, Fraction(str(p0)))
    weight = [max(w, 1) for w in weights]
    while p:
        order = sorted(p, key=lambda i: ((p[i] - 1) * weight[i], p[i], i))
        gains = {
            s: sum(weight[i] for i in order[:s]) * math.prod(1 - p[i] for i in order[:s])
            for s in range(1, len(order) + 1)
        }
        chosen = order[: max(gains, key=lambda s: (gains[s], s))]
        removed = loop.without(chosen)
        none_needed = math.prod(1 - p[i] for i in chosen)
        for i in chosen:
            p[i] /= 1 - none_needed
            if removed or p[i] == 1:
                del p[i]
    return loop


def cdd_by_the_book(problem: Problem, p0: float) -> Loop:
    """Rounds r = 0, 1, ...; each uses the size with the largest expected gain."""
    loop = Loop(problem)
    undecided = list(problem.items)
    r, size = 0, 0
    while size != 1:
        p = p0 / (1 - math.exp(-1)) ** r
        gain = {s: s * max(1 - p, 0) ** s for s in range(1, 100)}
        size = max(s for s in gain if gain[s] >= max(gain.values()) * (1 - 1e-12))
        size = 1 if p >= 1 else size
        for chunk in [undecided[i : i + size] for i in range(0, len(undecided), size)]:
            if loop.without(chunk) or len(chunk) == 1:
                undecided = [item for item in undecided if item not in chunk]
        r += 1
    return loop


def wdd_by_the_book(problem: Problem, weights: Sequence[int]) -> Loop:
    loop = Loop(problem)

    def halves(piece: Config) -> list[Config]:
        def imbalance(cut: int) -> int:
            left, right = (
                sum(max(weights[i], 1) for i in half) for half in (piece[:cut], piece[cut:])
            )
            return abs(left - right)

        cut = min(range(1, len(piece)), key=imbalance)
        return [piece[:cut], piece[cut:]]

    pieces = [problem.items]
    while pieces := [half for piece in pieces if len(piece) > 1 for half in halves(piece)]:
        alone = [piece for piece in pieces if loop.rest not in pieces and loop.only(piece)]
        if alone:
            pieces = alone[:1]
            continue
        at = failures = 0
        while failures < len(pieces):
            at %= len(pieces)
            if loop.without(pieces[at]):
                del pieces[at]
                failures = 0
            else:
                at, failures = at + 1, failures + 1
    failures = 0
    waiting = list(loop.rest)
    while failures < len(waiting):
        item = waiting.pop(0)
        if loop.without([item]):
            failures = 0
        else:
            waiting.append(item)
            failures += 1
    return loop


@examples(60)
@given(problem=problems(max_size=12), p0=PROBABILITIES)
def test_probdd_follows_its_formulas(problem: Problem, p0: float) -> None:
    recorder = Recorder(problem)
    result = probdd(problem.items, sequential(recorder), p0=p0)
    expected = probdd_by_the_book(problem, p0, [1] * problem.size)
    assert (recorder.asked, result) == (expected.asked, expected.rest)


@examples(60)
@given(problem=problems(max_size=9), p0=PROBABILITIES, weights=WEIGHTS)
def test_weighted_probdd_follows_its_formulas(
    problem: Problem, p0: float, weights: list[int]
) -> None:
    recorder = Recorder(problem)
    result = probdd(problem.items, sequential(recorder), p0=p0, weight=weights.__getitem__)
    expected = probdd_by_the_book(problem, p0, weights)
    assert (recorder.asked, result) == (expected.asked, expected.rest)


@examples(60)
@given(problem=problems(), p0=PROBABILITIES)
def test_cdd_follows_its_formulas(problem: Problem, p0: float) -> None:
    recorder = Recorder(problem)
    result = cdd(problem.items, sequential(recorder), p0=p0)
    expected = cdd_by_the_book(problem, p0)
    assert (recorder.asked, result) == (expected.asked, expected.rest)


@examples(60)
@given(problem=problems(max_size=24), weights=WEIGHTS)
def test_wdd_follows_its_definition(problem: Problem, weights: list[int]) -> None:
    recorder = Recorder(problem)
    result = wdd(problem.items, sequential(recorder), weight=weights.__getitem__)
    expected = wdd_by_the_book(problem, weights)
    assert (recorder.asked, result) == (expected.asked, expected.rest)


def test_probdd_on_an_example_worked_by_hand() -> None:
    """{1, 7, 8} of 8, each needed with p = 0.25: four items have the largest expected gain."""
    test = needing(1, 7, 8)
    assert probdd(EIGHT, sequential(test), p0=0.25) == (1, 7, 8)
    assert digits(test.asked) == (
        "5678 1234"  # both fail: all are needed with 0.25 / (1 - 0.75 ** 4) = 0.366
        " 345678 125678"  # two have the largest gain; without 3 and 4 it is interesting
        " 1278"  # 5 and 6 go too
        " 12 278 178 18 17"  # 7 and 8 fail; from 0.612 on one at a time, earlier items first
    )


def test_cdd_on_an_example_worked_by_hand() -> None:
    test = needing(1, 7, 8)
    assert cdd(EIGHT, sequential(test), p0=0.25) == (1, 7, 8)
    assert digits(test.asked) == "5678 1234 345678 125678 1278 12 278 178 18 17"


@pytest.mark.parametrize(
    ("p0", "lengths"), [(0.25, [4, 2, 1]), (0.1, [10, 6, 3, 2, 1]), (0.9, [1])]
)
def test_fragment_lengths_of_cdd(p0: float, lengths: list[int]) -> None:
    assert list(fragment_lengths(p0)) == lengths


def test_wdd_on_an_example_worked_by_hand() -> None:
    """A heavy item becomes a piece of its own at once, and is then put off to the end."""
    test = needing(1)
    weights = dict.fromkeys(EIGHT, 1) | {1: 7}
    assert wdd(EIGHT, sequential(test), weight=weights.__getitem__) == (1,)
    assert digits(test.asked) == "1 -"
    test = needing(1, 2)
    assert wdd(EIGHT, sequential(test), weight=weights.__getitem__) == (1, 2)
    assert digits(test.asked) == (
        "1 2345678"  # two pieces of 7; the first is not tried again before the end
        " 234 5678 15678 1234"  # the other one is halved as evenly as possible
        " 2 34 134 12"
    )


@pytest.mark.parametrize("search", [cdd, probdd])
@pytest.mark.parametrize("p0", [-0.1, 0, 1, 1.5, math.nan])
def test_probabilities_outside_0_to_1_raise(search: Callable[..., Config], p0: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        search(EIGHT, sequential(needing()), p0=p0)


@given(items=st.integers(0, 60), p0=PROBABILITIES)
def test_cdd_sweeps_once_per_length(items: int, p0: float) -> None:
    recorder = Recorder[Config](lambda _: False)
    cdd(range(items), sequential(recorder), p0=p0)
    assert len(recorder.asked) <= sum(-(-items // length) for length in fragment_lengths(p0))


def with_weights(name: str, weights: Sequence[int]) -> Minimiser:
    return weighed(minimiser(name), weights.__getitem__)


@pytest.mark.parametrize("name", [*NAMES, "cdd-backward*", "wdd*"])
@examples(15)
@given(problem=problems(max_size=20), weights=WEIGHTS)
def test_one_call_tries_no_list_twice(name: str, problem: Problem, weights: list[int]) -> None:
    recorder = Recorder(problem)
    with_weights(name.removesuffix("*"), weights)(problem.items, sequential(recorder))
    assert len(set(recorder.asked)) == len(recorder.asked)


@pytest.mark.parametrize("name", [f"{name}*" for name in NAMES] + ["wdd", "wdd-backward"])
@examples(15)
@given(problem=problems(max_size=20), weights=WEIGHTS)
def test_fixpoints_and_a_single_wdd_are_1_minimal(
    name: str, problem: Problem, weights: list[int]
) -> None:
    result = with_weights(name, weights)(problem.items, sequential(problem))
    assert removable(problem, result, nothing=True) == []


def test_wdd_tries_single_items_again_after_a_later_removal() -> None:
    """A rare case, found by searching for problems where the last phase removes a second item late."""
    problem = Problem(6, partial(scattered, 23, 8))
    weights = [5, 1, 1, 100, 5, 5]
    result = wdd(problem.items, sequential(problem), weight=weights.__getitem__)
    assert removable(problem, result, nothing=True) == []


@st.composite
def monotone_problems(draw: st.DrawFn) -> Problem:
    some = st.frozensets(st.integers(0, 19), max_size=12)
    cores = draw(st.lists(some, min_size=1, max_size=3).map(tuple))
    test = partial(contains, cores[0]) if len(cores) == 1 else partial(contains_one_of, cores)
    return Problem(20, test)


@pytest.mark.parametrize("name", NAMES)
@examples(15)
@given(problem=monotone_problems(), weights=WEIGHTS)
def test_one_call_is_1_minimal_for_monotone_tests(
    name: str, problem: Problem, weights: list[int]
) -> None:
    result = with_weights(name, weights)(problem.items, sequential(problem))
    assert removable(problem, result, nothing=True) == []


@pytest.mark.parametrize("name", ["wprobdd", "wdd", "wdd*", "wprobdd-backward"])
@examples(15)
@given(problem=problems(max_size=16), weights=WEIGHTS, workers=st.integers(2, 4))
def test_workers_accept_what_a_loop_accepts_with_weights(
    name: str, problem: Problem, weights: list[int], workers: int
) -> None:
    def run(first: First[Config]) -> tuple[Config, list[Config]]:
        accepted: list[Config] = []
        return with_weights(name, weights)(problem.items, accepting(first, accepted)), accepted

    expected = run(sequential(problem))
    with speculative(problem, workers) as first:
        assert run(first) == expected
    assert run(reading_all(problem)) == expected


@pytest.mark.parametrize("name", ["wprobdd", "wdd", "wdd-backward", "wdd*"])
def test_weight_aware_minimisers_use_weights_and_default_to_1(name: str) -> None:
    def asked(minimise: Minimiser) -> list[Config]:
        recorder = needing(3, 4)
        assert minimise(EIGHT, sequential(recorder)) == (3, 4)
        return recorder.asked

    def heavy(item: int) -> int:
        return 50 if item == 3 else 1

    assert asked(weighed(minimiser(name), lambda _: 1)) == asked(minimiser(name))
    assert asked(weighed(minimiser(name), heavy)) != asked(minimiser(name))
    assert weighed(minimiser("cdd"), heavy)(EIGHT, sequential(needing(3))) == (3,)


def test_unweighted_probdd_ignores_weights() -> None:
    def never(_: object) -> int:
        raise AssertionError

    assert weighed(minimiser("probdd"), never)(EIGHT, sequential(needing(3))) == (3,)
