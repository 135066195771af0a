"""The items that are needed are found, exactly and in few tests."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from pollard.project.phases.halving import Part, removable, with_others, without_each
from pollard.search.first import sequential
from tests.examples import examples


class Asked:
    """Answers whether items can go as well; remembers what has gone, and counts the tests."""

    def __init__(self, all_items, interesting):
        self.left = frozenset(all_items)
        self.count = 0
        self._interesting = interesting

    def first(self, stream):
        hit = sequential(self._can_go)(stream)
        if hit is not None:
            self.left -= hit.candidate
        return hit

    def _can_go(self, items):
        self.count += 1
        return self._interesting(self.left - items)


def leaf(item, weight=1):
    return Part(frozenset([item]), weight)


def folder(*parts):
    items = frozenset().union(*(part.items for part in parts))
    return Part(items, sum(part.weight for part in parts), parts)


@st.composite
def trees(draw):
    """Draw parts of different items, and some of the items."""
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=8))
    parts, number = [], 0
    for size in sizes:
        leaves = [leaf(number + n, draw(st.integers(0, 9))) for n in range(size)]
        number += size
        parts += [folder(*leaves)] if draw(st.booleans()) else leaves
    if draw(st.booleans()):
        parts = [folder(*parts[: len(parts) // 2 + 1]), *parts[len(parts) // 2 + 1 :]]
    needed = draw(st.sets(st.integers(0, number - 1)))
    return parts, set(range(number)), needed


@examples(200)
@given(trees())
def test_exactly_the_needed_items_are_left_of_any_hierarchy(tree):
    parts, items, needed = tree
    asked = Asked(items, needed.issubset)
    assert removable(parts, asked.first) == items - needed
    assert asked.left == needed


@examples(100)
@given(st.integers(2, 3000), st.data())
def test_few_needed_items_among_many_take_few_tests(count, data):
    needed = data.draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=4))
    asked = Asked(range(count), needed.issubset)
    removable([leaf(n) for n in range(count)], asked.first)
    k = len(needed)
    assert asked.count <= 2 * k * math.ceil(math.log2(count / k)) + 3 * k + 1


@examples(100)
@given(st.sets(st.frozensets(st.integers(0, 7), max_size=3), min_size=1, max_size=4))
def test_no_single_item_can_go_in_the_end_whatever_the_oracle_is(wanted):
    """The oracle holds where all items of one of the sets are left: removals depend on each other."""
    asked = Asked(range(8), lambda left: any(one <= left for one in wanted))
    removable([leaf(n) for n in range(8)], asked.first)
    without_each(sorted(asked.left), asked.first)
    left = asked.left
    assert any(one <= left for one in wanted)
    assert not any(one <= left - {item} for item in left for one in wanted)


def test_the_heaviest_are_tried_first():
    seen = []

    def first(stream):
        seen.extend(stream)

    removable([leaf("light", 1), folder(leaf("a", 3), leaf("b", 4)), leaf("heavy", 9)], first)
    assert seen[:3] == [{"light", "a", "b", "heavy"}, {"heavy", "a", "b"}, {"light"}]


def test_what_can_only_go_together_goes():
    asked = Asked("abc", lambda left: ("a" in left) == ("b" in left) and "c" in left)
    assert with_others([frozenset("bc"), frozenset("ab")], asked.first) == {"a", "b"}


def test_it_stops_where_so_many_groups_were_tried_in_vain():
    """Otherwise the 32 items, which are all needed, take 63 tests."""
    parts, items = [leaf(n) for n in range(32)], frozenset(range(32))
    asked = Asked(items, lambda left: left == items)
    assert removable(parts, asked.first, in_vain=4) == frozenset()
    assert asked.count == 1 + 2 + 4


def test_it_goes_on_while_some_groups_can_go():
    """One item of 32 is needed: of each two halves one can go."""
    asked = Asked(range(32), lambda left: 7 in left)
    assert removable([leaf(n) for n in range(32)], asked.first, in_vain=2) == {*range(32)} - {7}
