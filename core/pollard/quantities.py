"""Durations and sizes in text form ("1.5s", "2 min", "512MB", "3.1 kB"), and sparklines of sizes."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


_UNIT_SECONDS = {"ms": 1e-3, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "": 1.0}
_UNIT_BYTES = {
    "b": 1,
    "": 1,
    **{name: 1000**power for power, name in enumerate(("kb", "mb", "gb", "tb"), 1)},
    **{name: 1024**power for power, name in enumerate(("kib", "mib", "gib", "tib"), 1)},
}
_QUANTITY = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)


def parse_duration(text: str) -> float:
    """Return the seconds in "500ms", "1.5s", "2m", "1 h 30 min" or a plain number of seconds.

    Raises `ValueError` for anything else; its text can follow the name of a key or option.
    """
    total, rest = 0.0, text.strip()
    while match := _QUANTITY.match(rest):
        unit = match[2].lower()
        if unit not in _UNIT_SECONDS or (not unit and match[0] != text.strip()):
            break
        total, rest = total + float(match[1]) * _UNIT_SECONDS[unit], rest[match.end() :]
    if rest or not text.strip():
        message = f'must be a duration such as "10s", "500ms" or "2m", not {text!r}'
        raise ValueError(message)
    return total


def parse_size(text: str) -> int:
    """Return the bytes in "512MB" (of 1000), "2GiB" (of 1024) or a plain number of bytes.

    Raises `ValueError` for anything else; its text can follow the name of a key or option.
    """
    match = _QUANTITY.fullmatch(text.strip())
    if match is None or match[2].lower() not in _UNIT_BYTES:
        message = f'must be a size such as "512MB" or "2GiB", not {text!r}'
        raise ValueError(message)
    factor: int = _UNIT_BYTES[match[2].lower()]
    return round(float(match[1]) * factor)


def format_size(size: float) -> str:
    """Return `size` bytes with two or three digits and a decimal unit: "999 B", "3.1 kB"."""
    if round(size) < 1000:
        return f"{round(size)} B"
    value = float(size)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if round(value) < 1000:
            return f"{_two_digits(value)} {unit}"
    return f"{_two_digits(value / 1000)} TB"


def format_duration(seconds: float) -> str:
    """Return a duration as "34 ms", "2.3 s", "1 min 15 s" or "1 h 2 min"."""
    if round(seconds * 1000) < 1000:
        return f"{round(seconds * 1000)} ms"
    if round(seconds) < 60:
        return f"{_two_digits(seconds)} s"
    if round(seconds) < 3600:
        return _two_units(round(seconds), 60, "min", "s")
    return _two_units(round(seconds / 60), 60, "h", "min")


def _two_digits(value: float) -> str:
    return f"{value:.1f}" if round(value, 1) < 10 else f"{value:.0f}"


def _two_units(value: int, base: int, large: str, small: str) -> str:
    rest = f" {value % base} {small}" if value % base else ""
    return f"{value // base} {large}{rest}"


BLOCK_LEVELS = "▁▂▃▄▅▆▇█"
ASCII_LEVELS = "_.-:=+*#"


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun: "1 run", "1,200 runs"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def sparkline(
    points: Sequence[tuple[float, int]],
    until: float,
    width: int,
    levels: str = BLOCK_LEVELS,
    *,
    linear: bool = False,
) -> str:
    """Draw a curve of sizes as one line of `width` characters.

    `points` are (seconds, bytes) in order; the curve ends at the time `until`. Each character shows
    the size at the end of its interval. The scale is logarithmic, from 1 byte to the largest size,
    so that each halving is an equal step down; `linear` suits files that shrink at most tenfold.
    """
    if not points or width < 1:
        return ""
    largest = max(size for _, size in points)
    scale = _linear if linear else _logarithmic
    sizes, current = [], 0
    for column in range(1, width + 1):
        end = until * column / width
        while current + 1 < len(points) and points[current + 1][0] <= end:
            current += 1
        sizes.append(points[current][1])
    return "".join(levels[round(scale(size, largest) * (len(levels) - 1))] for size in sizes)


def _linear(size: int, largest: int) -> float:
    return size / max(largest, 1)


def _logarithmic(size: int, largest: int) -> float:
    return math.log(max(size, 1)) / math.log(largest) if largest > 1 else 1.0
