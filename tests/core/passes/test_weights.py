"""What minimisers are told of the sizes of units, and what they make of it in a pass."""

from __future__ import annotations

import pytest

from pollard.passes.papers import hdd as trees
from pollard.passes.strategy import Strategy
from pollard.passes.text import lines as texts
from pollard.search import minimiser, star, weighed
from tests.core.passes.support import Case, in_order, reduced


class Scales:
    """Weighs all items it is given, tries to remove the last one, weighs again, and stops."""

    def __init__(self, weight=None, weighed=None) -> None:
        self._weight = weight
        self.weighed: list[list[int]] = [] if weighed is None else weighed

    def with_weight(self, weight):
        return Scales(weight, self.weighed)

    def __call__(self, items, first, /):
        self.weighed.append([self._weight(item) for item in items])
        hit = first([tuple(items[:-1])])
        rest = items if hit is None else hit.candidate
        self.weighed.append([self._weight(item) for item in rest])
        return rest


@pytest.mark.parametrize(
    ("interesting", "after"), [(lambda _: False, [1, 3, 6]), (lambda text: b"22" in text, [1, 3])]
)
def test_a_unit_weighs_what_is_not_blank_of_its_branch(interesting, after: list[int]):
    scales = Scales()
    reduced(
        Case(b"[1, 222, [33,   4]]\n", "json", interesting),
        lambda subject: trees.coarse_hdd(subject, scales),
    )
    level = scales.weighed.index([1, 3, 6])
    assert scales.weighed[level + 1] == after


def test_a_line_weighs_what_is_not_blank_of_it():
    scales = Scales()
    reduced(Case(b"a b\n\nlonger\n", None, lambda _: False), lambda s: texts.lines(s, scales))
    assert scales.weighed[0] == [2, 0, 6]


@pytest.mark.parametrize("wrapped", [star, lambda inner: star(star(inner))])
def test_what_is_made_of_a_minimiser_passes_weights_on(wrapped):
    scales = Scales()
    weighed(wrapped(scales), len)(["a", "bc", "def"], lambda _: None)
    assert scales.weighed == [[1, 2, 3]] * 2


def test_by_weight_a_heavy_unit_is_halved_off_at_once():
    """Of a heavy function and seven short ones the heavy one is half: it goes in one run."""
    text = b"int heavy(void) { return f(1, 2, 3, 4, 5, 6, 7, 8) + g(1, 2, 3); }\n" + b"".join(
        b"int f%d;\n" % i for i in range(7)
    )
    case = Case(text, "c", lambda text: all(b"f%d" % i in text for i in range(7)))
    asked = reduced(case, "coarse-hdd:wdd").judge.asked
    assert b"heavy" in asked[0]  # the heavy half alone
    assert b"heavy" not in asked[1]
    assert in_order(tuple(b"f%d" % i for i in range(7)), asked[1])
    unweighted = reduced(case, lambda s: trees.coarse_hdd(s, minimiser("ddmin"))).judge.asked
    assert not in_order(tuple(b"f%d" % i for i in range(7)), unweighted[1])


@pytest.mark.parametrize("name", ["ddmin", "ddmin-complement", "remove-each", "ddmin-3*"])
def test_a_level_with_a_single_unit_is_tried_without_it(name: str):
    """By itself ddmin never tries nothing at all."""
    case = Case(b"[1]\n", "json", lambda text: b"[" in text)
    for strategy in (f"hdd:{name}", f"coarse-hdd:{name}", f"hddh:{name}"):
        step = Strategy.parse([strategy])
        assert reduced(case, step.run).text == b"[]\n"
