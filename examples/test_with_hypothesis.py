"""A Hypothesis test of programs: when it fails, Pollard reduces the program that was found.

Hypothesis drops whole functions, because its strategy builds programs from functions. Pollard then
takes the remaining function apart, because it knows Python's grammar.

`pytest examples/test_with_hypothesis.py` fails: `without_comments` has a bug.
"""

from __future__ import annotations

import ast
import re

from hypothesis import given, settings
from hypothesis import strategies as st

import pollard

FUNCTIONS = [
    "def mean(values):\n    # of at least one value\n    return sum(values) / len(values)\n",
    "def slug(title):\n    words = title.split()  # any white space\n    return '-'.join(words)\n",
    "def link(page, part):\n    base = page.strip('/')\n    return f'{base}/' + '#' + part.lower()\n",
    "def median(values):\n    values = sorted(values)\n    return values[len(values) // 2]\n",
]
PROGRAMS = st.lists(st.sampled_from(FUNCTIONS), min_size=1).map("\n".join)


def without_comments(program: str) -> str:
    """Remove the comments of a Python program. The bug: it takes `#` in a string for a comment."""
    return re.sub(r"#.*", "", program)


def changes_meaning(program: str) -> bool:
    """Return whether the program means something else without its comments."""
    try:
        before = ast.dump(ast.parse(program))
    except (SyntaxError, ValueError):
        return False  # a candidate that is no program has no meaning to change
    try:
        return ast.dump(ast.parse(without_comments(program))) != before
    except SyntaxError:
        return True


def test_comments_have_no_meaning() -> None:
    """Fails; the message has the smallest program whose meaning changes."""
    failing = ""

    @settings(derandomize=True, database=None, deadline=None)
    @given(PROGRAMS)
    def have_no_meaning(program: str) -> None:
        nonlocal failing
        if changes_meaning(program):
            failing = program
            raise AssertionError("The meaning changes.")

    try:
        have_no_meaning()
    except AssertionError as error:  # Hypothesis has tried its smallest program last
        result = pollard.reduce(
            failing, lambda text: changes_meaning(text.decode()), language="python"
        )
        raise AssertionError(f"The meaning changes for {result.text.decode()}") from error
