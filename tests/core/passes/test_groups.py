"""Groups of units: which are tried, in what order, and what is not hoped for any more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.engine.memory import branch_key
from pollard.engine.pruning import Units
from pollard.engine.subject import Subject
from pollard.passes.heaviest.groups import Failures, Groups
from pollard.passes.heaviest.listed import NamedUnits
from pollard.search.first import sequential
from pollard.syntax.branches.branches import below
from pollard.syntax.branches.units import Unit
from tests.core.passes.support import USED, Case, Loop, subject_of

LINES = b"".join(b"int x%d;\n" % number for number in range(8))


def units_of(text: bytes, region: tuple[int, int] | None = None) -> tuple[Subject, list[Unit]]:
    """A subject of which nothing is interesting, and the units of its declarations."""
    case = Case(text, "c", lambda text: True)
    subject = subject_of(case, Loop(lambda text: False), [], region=region)
    return subject, Units(subject).of(below([subject.root], subject.span))


def groups_of(
    text: bytes,
    threshold: int,
    needed: set[int],
    region: tuple[int, int] | None = None,
    *,
    unlikely: bool = True,
) -> tuple[list[set[int]], tuple[int, ...]]:
    """What groups of the declarations in C are tried, and what is left of all."""
    subject, units = units_of(text, region)
    everything = tuple(range(len(units)))
    tried: list[set[int]] = []

    def test(kept: tuple[int, ...]) -> bool:
        tried.append({*everything} - {*kept})
        return needed <= {*kept}

    groups = Groups(subject, NamedUnits(subject, units), threshold, 4, try_unlikely=unlikely)
    return tried, groups(everything, sequential(test))


def test_groups_of_neighbours_weigh_as_much_as_the_threshold() -> None:
    text = b"int aa;\nint bb;\nint cc;\nint dd;\nint ee;\n"
    assert groups_of(text, 12, set(range(5))) == ([{3, 4}, {1, 2}], (0, 1, 2, 3, 4))
    assert groups_of(text, 12, {4}) == ([{3, 4}, {1, 2}], (0, 3, 4))
    assert groups_of(text, 12, set()) == ([{3, 4}, {1, 2, 3, 4}], (0,))
    assert groups_of(text, 100, set()) == ([], (0, 1, 2, 3, 4))


def test_a_group_that_has_one_that_failed_is_not_tried() -> None:
    """What is used goes with its user only, which is needed."""
    tried, kept = groups_of(USED, 1, {1, 2, 3})
    assert tried == [{3}, {2}, {0}]
    assert kept == (1, 2, 3)


def steps(tried: list[set[int]]) -> list[list[int]]:
    """What each group takes away that those before it had not."""
    gone: set[int] = set()
    taken: list[list[int]] = []
    for each in tried:
        taken.append(sorted(each - gone))
        gone = gone | each
    return taken


def test_after_a_group_that_could_go_one_twice_as_heavy_is_tried() -> None:
    """And twice as heavy again, as long as that goes well."""
    tried, kept = groups_of(LINES, 6, set())
    assert steps(tried) == [[7], [5, 6], [1, 2, 3, 4], [0]]
    assert kept == ()


def test_after_a_heavier_group_that_failed_it_goes_on_with_the_lightest() -> None:
    tried, kept = groups_of(LINES, 6, {3})
    assert kept == (3,)
    gone, asked = {*range(8)} - {*kept}, [*map(frozenset, tried)]
    assert asked[:5] == [{7}, {5, 6, 7}, {1, 2, 3, 4, 5, 6, 7}, {4, 5, 6, 7}, {2, 3, 4, 5, 6, 7}]
    assert asked[-1] == gone
    assert len(asked) == len({*asked})


def test_what_is_used_outside_of_all_units_is_not_tried() -> None:
    end = USED.index(b"int user")
    assert groups_of(USED, 1, set(), (0, end)) == ([{0}], (1,))


@pytest.mark.parametrize(("weight", "again"), [(96, False), (12, True)])
def test_groups_that_failed_are_tried_again_in_a_lighter_text(weight: int, again: bool) -> None:
    """An attempt is only known while the text weighs about as much as then."""
    text = b"int aa;\nint bb;\n" + b"x" * (weight - 12)
    subject, units = units_of(text)
    units = units[:2]
    for branch, _ in units:
        subject.memory.attempts.note("remove", branch_key(text, branch), 96)
    asked: list[tuple[int, ...]] = []
    Groups(subject, NamedUnits(subject, units), 1, 4, try_unlikely=True)(
        range(2), sequential(lambda kept: bool(asked.append(kept)))
    )
    assert bool(asked) == again


def test_groups_that_failed_are_known_to_the_next_stage() -> None:
    text = b"int aa;\nint bb;\nint cc;\nint dd;\n"
    subject, units = units_of(text)
    asked: list[set[int]] = []
    for threshold in (12, 12, 6, 6):
        groups = Groups(subject, NamedUnits(subject, units), threshold, 4, try_unlikely=True)
        groups(range(4), sequential(lambda kept: bool(asked.append({*range(4)} - {*kept}))))
    assert asked == [{2, 3}, {0, 1}, {3}, {2}, {1}, {0}]


def test_after_the_first_group_that_failed_it_is_tried_alone() -> None:
    """All that is needed may be in it; where it is not, the others are tried one by one."""
    tried, kept = groups_of(LINES, 6, {7}, unlikely=False)
    assert tried == [{7}, {*range(7)}]
    assert kept == (7,)
    tried, kept = groups_of(LINES, 2, {7, 2}, unlikely=False)
    assert tried[:3] == [{7}, {*range(7)}, {6}]
    assert kept == (2, 7)


def test_a_group_is_not_tried_alone_where_its_uses_are_outside_of_it() -> None:
    """`user` is needed, and what it uses goes with it only: not with all others, `{0, 1, 3}`."""
    tried, _ = groups_of(USED, 1, {0, 1, 2}, unlikely=False)
    assert tried == [{3}, {2, 3}, {0, 3}]


def test_all_that_has_a_chance_is_tried_in_the_end() -> None:
    tried, kept = groups_of(LINES, 6, {*range(8)}, unlikely=True)
    assert tried == [{place} for place in reversed(range(8))]
    assert kept == tuple(range(8))


def test_chances_go_by_weight() -> None:
    failures = Failures([6, 2, 1, 1])
    failures.add(frozenset({0, 1}))
    assert failures.chance(frozenset({2, 3})) == 1
    assert failures.chance(frozenset({0, 2})) == pytest.approx(1 / 4)
    assert failures.chance(frozenset({1})) == pytest.approx(3 / 4)
    failures.add(frozenset({1, 2}))
    assert failures.chance(frozenset({1})) == pytest.approx(3 / 4 * 1 / 3)


_GROUPS = st.frozensets(st.integers(0, 7), min_size=1)


@given(st.lists(st.integers(1, 9), min_size=8, max_size=8), st.lists(_GROUPS), _GROUPS)
def test_a_chance_is_none_only_with_all_of_one_that_failed(
    sizes: list[int], failed: list[frozenset[int]], group: frozenset[int]
) -> None:
    failures = Failures(sizes)
    for each in failed:
        failures.add(each)
    assert bool(failures) == bool(failed)
    assert 0 <= failures.chance(group) <= 1
    assert (failures.chance(group) == 0) == any(each <= group for each in failed)
    assert (failures.chance(group) == 1) == all(each.isdisjoint(group) for each in failed)
