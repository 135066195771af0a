"""Small examples, worked by hand from the definitions of the papers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pollard.search import (
    DdminOptions,
    cached,
    ddmin,
    one_by_one,
    or_nothing,
    remove_each,
    sequential,
    tmin,
)
from pollard.search.ddmin import skip
from pollard.search.sweeps import gallop
from tests.core.search.support import MINIMISERS, Config, Recorder

EIGHT = (1, 2, 3, 4, 5, 6, 7, 8)


def needing(*items: int) -> Recorder[Config]:
    return Recorder(frozenset(items).issubset)


def digits(configs: list[Config]) -> str:
    return " ".join("".join(map(str, config)) or "-" for config in configs)


def test_zellers_example_of_eight_items() -> None:
    """{1, 7, 8} of 8: nothing is tested twice; complements continue after the last removal."""
    test = needing(1, 7, 8)
    assert ddmin(EIGHT, sequential(test)) == (1, 7, 8)
    assert digits(test.asked) == (
        "1234 5678"  # two subsets, which are also the complements
        " 12 34 56 78 345678 125678"  # four: without 34 it is interesting
        " 1278"  # three: the subsets are known to fail; the next complement leaves out 56
        " 1 2 7 8 128 127 278 178"  # two are known; four: continue from the middle, without 2
        " 18 17"  # three: 78 is known
    )
    assert len(test.asked) == 19


@pytest.mark.parametrize(
    ("needed", "runs"),
    [((1,), 3), ((8,), 6), (EIGHT, 2 + 8 + 16)],
    ids=["the first: one run a level", "the last: two runs a level", "all: 4n - 6 runs"],
)
def test_runs_of_ddmin_at_its_best_and_worst(needed: Config, runs: int) -> None:
    test = needing(*needed)
    assert ddmin(EIGHT, sequential(test)) == needed
    assert len(test.asked) == runs


def test_complements_only_save_the_runs_of_the_subsets() -> None:
    test = needing(1, 7, 8)
    assert ddmin(EIGHT, sequential(test), options=DdminOptions(subsets=skip)) == (1, 7, 8)
    assert digits(test.asked) == (
        "5678 1234"  # two
        " 345678 125678"  # four
        " 1278"  # three
        " 12 78"  # two: from the second piece's complement on
        " 128 127 278 178"  # four, from the middle on
        " 18 17"  # three: 78 is known
    )


def test_a_large_factor_tries_single_items_at_once() -> None:
    test = needing(2)
    assert ddmin(EIGHT, sequential(test), options=DdminOptions(factor=1000)) == (2,)
    assert digits(test.asked) == "1 2"


@pytest.mark.parametrize("factor", [-1, 0, 1])
def test_a_factor_below_two_raises(factor: int) -> None:
    with pytest.raises(ValueError, match="factor"):
        DdminOptions(factor=factor)


def test_remove_each_on_zellers_example() -> None:
    test = needing(1, 7, 8)
    assert remove_each(EIGHT, sequential(test)) == (1, 7, 8)
    assert digits(test.asked) == (
        "5678 1234"  # fragments of 4
        " 345678 125678 1278 12"  # of 2
        " 78 12"  # of 2 once more, after a removal
        " 278 178 18 17"  # of 1
        " 78 18 17"  # of 1 once more
    )


def test_remove_each_without_repeat_sweeps_once_per_length() -> None:
    test = needing(1, 7, 8)
    assert remove_each(EIGHT, sequential(test), repeat=False) == (1, 7, 8)
    assert digits(test.asked) == "5678 1234 345678 125678 1278 12 278 178 18 17"


def test_remove_each_backward_starts_at_the_end() -> None:
    test = needing(2)
    assert remove_each(EIGHT[:5], sequential(test), backward=True, repeat=False) == (2,)
    assert digits(test.asked) == "123 1 23 2 -"


def test_remove_each_can_begin_with_everything() -> None:
    test = needing()
    assert remove_each(EIGHT, sequential(test), whole=True) == ()
    assert digits(test.asked) == "-"


def test_one_by_one_repeats_until_nothing_can_be_removed() -> None:
    """Item 1 can only be removed after 2, so in the second round; the third finds nothing."""
    test = Recorder[Config](lambda config: 3 in config and (1 in config or 2 not in config))
    assert one_by_one((1, 2, 3), sequential(test)) == (3,)
    assert digits(test.asked) == "23 13 1 3 - -"


def test_gallop_does_not_try_the_whole_list_at_the_end() -> None:
    """It is interesting, so the search would never end."""
    test = needing(1, 2)
    assert gallop((1, 2, 3, 4, 5), sequential(test)) == (1, 2)
    assert digits(test.asked) == "2345 1345 1245 12"
    assert (1, 2, 3, 4, 5) not in test.asked


def below(value: int) -> range:
    return range(value)


def enough(values: Config) -> bool:
    return values[0] >= 1 and sum(values) >= 2


@pytest.mark.parametrize(
    ("restart", "asked"),
    [(False, "02 12 02 10 11 10 01"), (True, "02 12 02 10 11 01 10")],
    ids=["goes on", "restarts"],
)
def test_tmin_replaces_until_no_value_can_be_replaced(restart: bool, asked: str) -> None:
    test = Recorder(enough)
    assert tmin((3, 2), sequential(test), below, restart=restart) == (1, 1)
    assert digits(test.asked) == asked


def test_tmin_tests_no_tuple_twice_with_a_cached_first() -> None:
    test = Recorder(enough)
    assert tmin((3, 2), cached(sequential(test)), below) == (1, 1)
    assert digits(test.asked) == "02 12 10 11 01"


def test_tmin_without_restart_takes_fewer_tests() -> None:
    """The last 10 of 20 items can be replaced; each restart first tries the other 10 again."""
    runs = {}
    for restart in (False, True):
        test = Recorder[Config](lambda values: values[:10].count(0) == 0)
        assert tmin((1,) * 20, sequential(test), below, restart=restart) == (1,) * 10 + (0,) * 10
        runs[restart] = len(test.asked)
    assert runs == {False: 10 + 10 + 10, True: 10 * (10 + 1) + 10}


@pytest.mark.parametrize("name", MINIMISERS)
@pytest.mark.parametrize("items", [(), (5,)])
def test_irreducible_short_lists_stay_unchanged(name: str, items: Config) -> None:
    assert MINIMISERS[name](items, sequential(lambda _: False)) == items


def test_or_nothing_tries_the_empty_list_and_ddmin_does_not() -> None:
    test = needing()
    assert ddmin((1, 2), sequential(test)) == (1,)
    assert digits(test.asked) == "1"
    assert or_nothing(ddmin)((1, 2), sequential(needing())) == ()
    assert or_nothing(ddmin)((), sequential(needing())) == ()


def test_or_nothing_does_not_try_the_empty_list_while_two_items_remain() -> None:
    test = Recorder[Config](lambda config: len(config) % 2 == 0)
    assert or_nothing(ddmin)((1, 2), sequential(test)) == (1, 2)
    assert () not in test.asked


def test_equal_items_are_distinguished_by_position() -> None:
    """A list may hold the same token twice."""
    test: Callable[[tuple[str, ...]], bool] = lambda config: config.count("x") >= 2  # noqa: E731
    for name in MINIMISERS:
        assert MINIMISERS[name](tuple("xaxbx"), sequential(test)) == ("x", "x"), name
