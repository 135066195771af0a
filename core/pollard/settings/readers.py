"""Readers of single values: each takes what TOML or JSON gave and returns the typed value.

A reader raises `ValueError` with a text that follows the key's name: "must be ..., not ...".
"""

from __future__ import annotations

import math
import re
import signal
from typing import Literal, NoReturn, TypeGuard

from pollard.quantities import parse_duration, parse_size
from pollard.settings.problems import nearest

_SIGNALS = {member.name: int(member) for member in signal.Signals}
_LONGEST_INTERVAL = 60.0
_OF = re.compile(r"\s*(\d+)\s*(?:of|/)\s*(\d+)\s*")


def kind(value: object) -> str:
    """Return what a value is, in a user's words."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return f"the number {value}"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return "a table"
    return "a list" if isinstance(value, (list, tuple)) else "a date or time"


def text(value: object) -> str:
    """Read a text that is not empty."""
    if isinstance(value, str) and value.strip():
        return value
    return _refuse("a text", value)


def flag(value: object) -> bool:
    """Read true or false."""
    return value if isinstance(value, bool) else _refuse("true or false", value)


def texts(value: object) -> tuple[str, ...]:
    """Read a list of texts, or one text instead of a list of one."""
    items = value if isinstance(value, (list, tuple)) else [value]
    if all(isinstance(item, str) and item.strip() for item in items):
        return tuple(items)
    return _refuse("a text or a list of texts", value)


def command(value: object) -> str | tuple[str, ...]:
    """Read a command: a list of arguments, or one text for the shell."""
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, str) for item in value):
        return tuple(value)
    return _refuse("a list of texts (the program and its arguments) or one text", value)


def formatter(value: object) -> str | tuple[str, ...]:
    """Read a command; "none" is the empty one."""
    if value == "none":
        return ()
    read = command(value)
    if not isinstance(read, str) and not read[0].strip():
        message = "names no program; its first text must be one"
        raise ValueError(message)
    return read


def strategy(value: object) -> str | tuple[str, ...]:
    """Read a preset's name or a list of passes."""
    if isinstance(value, (list, tuple)) and value:
        return texts(value)
    return text(value) if isinstance(value, str) else _refuse("a preset's name or a list", value)


def jobs(value: object) -> int | Literal["auto"]:
    """Read a number of workers from 1, or "auto"."""
    if value == "auto":
        return "auto"
    return value if _is_whole(value, 1) else _refuse('a whole number or "auto"', value)


def positive(value: object) -> int:
    """Read a whole number from 1."""
    return value if _is_whole(value, 1) else _refuse("a whole number, 1 or more", value)


def duration(value: object) -> float:
    """Read seconds; "none" is infinity."""
    if value == "none":
        return math.inf
    seconds = parse_duration(value) if isinstance(value, str) else value
    if _is_number(seconds) and 0 < seconds < math.inf:
        return float(seconds)
    return _refuse('a duration above zero such as "10s", or "none"', value)


def interval(value: object) -> float:
    """Read seconds from a text with a unit, or from a number of milliseconds, as editors have it."""
    seconds = value / 1000 if _is_number(value) else None
    if isinstance(value, str) and value.strip()[-1:].isalpha():
        seconds = parse_duration(value)
    if seconds is not None and 0 < seconds <= _LONGEST_INTERVAL:
        return seconds
    return _refuse('a time up to one minute such as "250ms", or in milliseconds', value)


def mode(value: object) -> Literal["live", "final"]:
    """Read how a buffer follows a reduction."""
    if value == "live" or value == "final":
        return value
    return _refuse('"live" or "final"', value)


def memory(value: object) -> int:
    """Read bytes; "none" is 0, which stands for no limit."""
    return 0 if value == "none" else size(value)


def size(value: object) -> int:
    """Read a number of bytes from 1."""
    number = parse_size(value) if isinstance(value, str) else value
    return number if _is_whole(number, 1) else _refuse('a size such as "512MB"', value)


def exit_codes(value: object) -> tuple[int, ...]:
    """Read one exit code or a list of them."""
    items = value if isinstance(value, (list, tuple)) else [value]
    if items and all(_is_whole(item, 0) for item in items):
        return tuple(items)
    return _refuse("an exit code or a list of them (a signal goes under 'signal')", value)


def signals(value: object) -> tuple[int, ...]:
    """Read one signal or a list of them, by number or by name with or without its "SIG"."""
    items = value if isinstance(value, (list, tuple)) else [value]
    return tuple(map(_signal, items)) if items else _refuse("a signal or a list of them", value)


def regex(value: object) -> str:
    """Read a regular expression."""
    pattern = value if isinstance(value, str) else _refuse("a regular expression", value)
    try:
        re.compile(pattern)
    except re.error as error:
        message = f"is not a regular expression Python understands: {error}"
        raise ValueError(message) from error
    return pattern


def runs_required(value: object) -> tuple[int, int]:
    """Read "2 of 3" or [2, 3]: how many of how many runs must be interesting."""
    match = _OF.fullmatch(value) if isinstance(value, str) else None
    pair = [int(match[1]), int(match[2])] if match else value
    if (
        isinstance(pair, (list, tuple))
        and len(pair) == 2
        and all(_is_whole(item, 1) for item in pair)
        and pair[0] <= pair[1]
    ):
        return pair[0], pair[1]
    return _refuse('"2 of 3" or [2, 3]', value)


def _signal(value: object) -> int:
    if _is_whole(value, 1) and value < 128:
        return value
    if not isinstance(value, str):
        _refuse('a signal such as "SIGSEGV", or its number', value)
    name = value.upper() if value.upper().startswith("SIG") else f"SIG{value.upper()}"
    if name not in _SIGNALS:
        message = f"names the signal {value!r}, which this system has not{nearest(name, _SIGNALS)}"
        raise ValueError(message)
    return _SIGNALS[name]


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_whole(value: object, least: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _refuse(wanted: str, value: object) -> NoReturn:
    message = f"must be {wanted}, not {kind(value)}"
    raise ValueError(message)
