"""Sizes and rates as listeners are told them."""

from __future__ import annotations

import pytest

from pollard.events import Counts, Progress, Size
from pollard.syntax.grammars.languages import find
from pollard.syntax.tree.document import Document


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        (b"[1, 2]\n", "json", Size(7, 5, 5)),
        (b"", "json", Size(0, 0, 0)),
        (b" \n", "c", Size(2, 0, 0)),
        (b"int x;", "c", Size(6, 5, 3)),
        (b"one  two\n", None, Size(9, 6, 2)),
        (b"", None, Size(0, 0, 0)),
        ("é 漢".encode(), None, Size(6, 5, 2)),
    ],
)
def test_sizes_in_bytes_in_those_that_are_no_white_space_and_in_tokens(text, language, expected):
    grammar = find(language).language if language else None
    assert Size.of(Document(text, grammar)) == expected


def test_tokens_of_very_deep_trees_are_counted():
    text = b"[" * 5_000 + b"]" * 5_000
    assert Size.of(Document(text, find("json").language)).tokens == 10_000


def test_the_rate_is_runs_a_second_and_zero_before_the_first_moment():
    assert Progress(1, 2, "hdd", Counts(runs=30, seconds=2.0)).rate == 15.0
    assert Progress(1, 2, "hdd", Counts()).rate == 0.0
