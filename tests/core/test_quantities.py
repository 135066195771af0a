"""Parsing and formatting of durations and sizes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.quantities import format_duration, format_size, parse_duration, parse_size


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("10s", 10),
        ("500ms", 0.5),
        ("2m", 120),
        ("1.5 s", 1.5),
        ("1h", 3600),
        ("1 h 30 min", 5400),
        ("1m30s", 90),
        ("7", 7),
        ("0.25", 0.25),
    ],
)
def test_parse_duration(text, seconds):
    assert parse_duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "s", "-1s", "10 parsecs", "1s 5", "1 2", "ten", "1e3s"])
def test_other_texts_raise_with_an_example_of_a_duration(text):
    with pytest.raises(ValueError, match='such as "10s"'):
        parse_duration(text)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("512MB", 512_000_000),
        ("2GiB", 2 * 1024**3),
        ("1.5 kB", 1500),
        ("1KiB", 1024),
        ("10", 10),
        ("3 b", 3),
    ],
)
def test_parse_size(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "MB", "-1MB", "2 GiB 3", "1 apple", "2M"])
def test_other_texts_raise_with_an_example_of_a_size(text):
    with pytest.raises(ValueError, match='such as "512MB"'):
        parse_size(text)


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (3100, "3.1 kB"),
        (9960, "10 kB"),
        (48_000, "48 kB"),
        (999_499, "999 kB"),
        (999_500, "1.0 MB"),
        (1_600_000, "1.6 MB"),
        (2.5e9, "2.5 GB"),
        (7e12, "7.0 TB"),
    ],
)
def test_format_size(size, text):
    assert format_size(size) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 ms"),
        (0.034, "34 ms"),
        (0.9996, "1.0 s"),
        (2.34, "2.3 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (75, "1 min 15 s"),
        (3599.6, "1 h"),
        (3720, "1 h 2 min"),
    ],
)
def test_format_duration(seconds, text):
    assert format_duration(seconds) == text


@given(st.floats(1, 1e6))
def test_formatted_durations_parse_to_nearly_the_same(seconds):
    assert parse_duration(format_duration(seconds)) == pytest.approx(seconds, rel=0.06)


@given(st.integers(0, 10**14))
def test_formatted_sizes_parse_to_nearly_the_same(size):
    assert parse_size(format_size(size)) == pytest.approx(size, rel=0.06)
