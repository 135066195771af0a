"""Sparklines of sizes over time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pollard.quantities import ASCII_LEVELS, BLOCK_LEVELS, sparkline

points = st.lists(st.tuples(st.floats(0, 100), st.integers(0, 10**7)), min_size=1, max_size=20).map(
    sorted
)


def test_each_halving_is_the_same_step_down():
    line = sparkline([(0, 4**7), *((n, 4 ** (7 - n)) for n in range(1, 8))], 8, 8)
    assert line == "▇▆▅▄▃▂▁▁"


def test_a_constant_size_is_a_full_line():
    assert sparkline([(0.0, 500)], 3, 5) == "█████"
    assert sparkline([(0.0, 0)], 0, 2, ASCII_LEVELS) == "##"
    assert sparkline([], 1, 5) == ""


@given(points, st.floats(0, 200), st.integers(1, 60))
def test_a_line_has_the_given_width_and_known_characters(points, until, width):
    line = sparkline(points, until, width)
    assert len(line) == width
    assert set(line) <= set(BLOCK_LEVELS)


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=20), st.integers(1, 60))
def test_falling_sizes_give_a_falling_line(sizes, width):
    falling = [(float(n), size) for n, size in enumerate(sorted(sizes, reverse=True))]
    line = sparkline(falling, len(sizes), width, ASCII_LEVELS)
    levels = [ASCII_LEVELS.index(character) for character in line]
    assert levels == sorted(levels, reverse=True)


def test_a_linear_line_is_proportional_to_the_size():
    points = [(0.0, 100), (4.0, 60), (9.5, 1)]
    assert sparkline(points, 10.0, 10, linear=True) == "███▅▅▅▅▅▅▁"
