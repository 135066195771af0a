"""Readers of single values: each checks a value from TOML or JSON and converts it to its type.

A reader raises `ValueError`; its text continues a sentence that begins with the key's name: "must be
..., not ...". Settings use readers, and so do the arguments of the language server's commands.
"""

from __future__ import annotations

import json
import math
import re
import signal
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypeGuard, TypeVar

from pollard.errors import OracleError
from pollard.quantities import parse_duration, parse_size
from pollard.settings.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable

W = TypeVar("W", bound=str)

_SIGNALS = {member.name: int(member) for member in signal.Signals}
_MAX_INTERVAL_SECONDS = 60.0
_MAX_VALUE_CHARACTERS = 40
_MAX_SHOWN_NUMBER = 2**53
_METHOD = re.compile(r"[\w$]+(?:/[\w$]+)+")
_K_OF_N = re.compile(r"\s*(\d+)\s*(?:of|/)\s*(\d+)\s*")


class WrongValueError(ValueError):
    """A value that its reader rejects; `wanted` says what it must be.

    Of a list, the first item for which `is_right` does not hold is named.
    """

    def __init__(
        self, wanted: str, value: object, is_right: Callable[[object], bool] | None = None
    ) -> None:
        self.wanted = wanted
        self.value = value
        found = described(value)
        if is_right is not None and isinstance(value, (list, tuple)):
            wrong = [item for item in value if not is_right(item)]
            found = f"a list with {described(wrong[0])}" if wrong else found
        super().__init__(f"must be {wanted}, not {found}")


def described(value: object) -> str:
    """Describe a value to users, on one short line."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return "a number that large" if abs(value) > _MAX_SHOWN_NUMBER else f"the number {value}"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, (list, tuple)):
        return "a list" if value else "an empty list"
    return "a date or time"


def quoted(text: str) -> str:
    """Return a text in quotes, on one short line; lone surrogates are replaced."""
    short = text if len(text) <= _MAX_VALUE_CHARACTERS else text[:_MAX_VALUE_CHARACTERS] + "…"
    return json.dumps(short, ensure_ascii=False).encode("utf-8", "replace").decode()


def is_whole(value: object, minimum: int) -> TypeGuard[int]:
    """Return whether a value is a whole number of at least `minimum`; a boolean is not."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= minimum


def text(value: object) -> str:
    """Read a text that is not empty."""
    if isinstance(value, str) and value.strip():
        return value
    raise WrongValueError("a text that is not empty", value)


def flag(value: object) -> bool:
    """Read true or false."""
    if isinstance(value, bool):
        return value
    raise WrongValueError("true or false", value)


def warm(value: object) -> bool | Literal["auto", "protocol"]:
    """Read true, false, "auto" or "protocol"."""
    if isinstance(value, bool) or value == "auto" or value == "protocol":
        return value
    raise WrongValueError('true, false, "auto" or "protocol"', value)


def texts(value: object) -> tuple[str, ...]:
    """Read a list of texts, or one text instead of a list of one."""
    items = value if isinstance(value, (list, tuple)) else [value]
    if all(map(_is_filled, items)):
        return tuple(items)
    raise WrongValueError("a text or a list of texts", value, _is_filled)


def _is_filled(item: object) -> bool:
    return isinstance(item, str) and bool(item.strip())


def diagnostic(value: object) -> str:
    """Read a diagnostic such as "ruff:F821"."""
    from pollard.oracle.diagnostics.wanted import wanted_from  # noqa: PLC0415 (settings load without it)

    read = text(value)
    try:
        wanted_from(read)
    except OracleError as error:
        message = f'must be a diagnostic such as "ruff:F821". {error}'
        raise ValueError(message) from error
    return read


def method(value: object) -> str:
    """Read the name of a request of the Language Server Protocol, such as "textDocument/hover"."""
    name = text(value)
    if _METHOD.fullmatch(name):
        return name
    raise ValueError('must be a request of the protocol, such as "textDocument/hover"')


def diagnostics(value: object) -> tuple[str, ...]:
    """Read a diagnostic, or a list of them."""
    return tuple(map(diagnostic, texts(value)))


def command(value: object) -> str | tuple[str, ...]:
    """Read a command: a list of arguments, or one text for the shell."""
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, (list, tuple)) and value and all(map(_is_text, value)):
        return tuple(value)
    wanted = "a list of texts (the program and its arguments) or one text"
    raise WrongValueError(wanted, value, _is_text)


def _is_text(item: object) -> bool:
    return isinstance(item, str)


def formatter(value: object) -> str | tuple[str, ...]:
    """Read a command; "none" is the empty tuple."""
    if value == "none":
        return ()
    read = command(value)
    if not isinstance(read, str) and not read[0].strip():
        message = "names no program; its first text must be one"
        raise ValueError(message)
    return read


def strategy(value: object) -> str | tuple[str, ...]:
    """Read a preset's name or a list of passes."""
    if isinstance(value, str) and value.strip():
        return value
    wanted = "a preset's name or a list of passes"
    if isinstance(value, (list, tuple)) and value:
        if all(isinstance(item, str) and item.strip() for item in value):
            return tuple(value)
        wanted += ", all of them texts"
    raise WrongValueError(wanted, value)


def jobs(value: object) -> int | Literal["auto"]:
    """Read a number of workers from 1, or "auto"."""
    if value == "auto":
        return "auto"
    if is_whole(value, 1):
        return value
    raise WrongValueError('a whole number, 1 or more, or "auto"', value)


def one_of(*words: W) -> Callable[[object], W]:
    """Return a reader of one of some words."""
    quoted_words = [quoted(word) for word in words]
    wanted = f"{', '.join(quoted_words[:-1])} or {quoted_words[-1]}"

    def read(value: object) -> W:
        for word in words:
            if value == word:
                return word
        raise WrongValueError(wanted, value)

    return read


speculation = one_of("eager", "frugal", "off")
"""Read how far the search runs ahead of verdicts."""

mode = one_of("live", "final")
"""Read how a buffer follows a reduction."""

same_failure = one_of("strict", "kind", "off")
"""Read how closely a candidate's failure must agree with the original's."""

kind = one_of("command", "lsp")
"""Read whether a command runs for each candidate, or is a language server."""

executor_kind = one_of("local", "dask")
"""Read where runs take place."""

exceeds = one_of("timeout", "memory")
"""Read the limit that a run must exceed."""

sandbox_level = one_of("strict", "default", "off")
"""Read how far runs are confined."""


def positive(value: object) -> int:
    """Read a whole number from 1."""
    if is_whole(value, 1):
        return value
    raise WrongValueError("a whole number, 1 or more", value)


def max_runs(value: object) -> int | None:
    """Read a number of runs; "none" is 0, which stands for no limit."""
    if value == "none":
        return 0
    if is_whole(value, 1):
        return value
    raise WrongValueError('a whole number, 1 or more, or "none"', value)


def duration(value: object) -> float:
    """Read seconds; "none" is infinity."""
    if value == "none":
        return math.inf
    seconds = parse_duration(value) if isinstance(value, str) else value
    if _is_number(seconds) and 0 < seconds < math.inf:
        return float(seconds)
    raise WrongValueError('a duration above zero such as "10s", or "none"', value)


def interval(value: object) -> float:
    """Read seconds from a text with a unit, or from a number of milliseconds."""
    seconds = value / 1000 if _is_number(value) else None
    if isinstance(value, str) and value.strip()[-1:].isalpha():
        seconds = parse_duration(value)
    if seconds is not None and 0 < seconds <= _MAX_INTERVAL_SECONDS:
        return seconds
    raise WrongValueError('a time up to one minute such as "250ms", or in milliseconds', value)


def memory(value: object) -> int:
    """Read bytes; "none" is 0, which stands for no limit."""
    return 0 if value == "none" else size(value)


def size(value: object) -> int:
    """Read a number of bytes from 1."""
    number = parse_size(value) if isinstance(value, str) else value
    if is_whole(number, 1):
        return number
    raise WrongValueError('a size such as "512MB"', value)


def exit_codes(value: object) -> tuple[int, ...]:
    """Read one exit code or a list of them."""
    items = value if isinstance(value, (list, tuple)) else [value]
    if items and all(is_whole(item, 0) for item in items):
        return tuple(items)
    wanted = "an exit code or a list of them (a signal goes under 'signal')"
    raise WrongValueError(wanted, value, lambda item: is_whole(item, 0))


def signals(value: object) -> tuple[int, ...]:
    """Read one signal or a list of them, by number or by name with or without its "SIG"."""
    items = value if isinstance(value, (list, tuple)) else [value]
    if not items:
        raise WrongValueError("a signal or a list of them", value)
    return tuple(map(_signal, items))


def regex(value: object) -> str:
    """Read a regular expression."""
    if not isinstance(value, str):
        raise WrongValueError("a regular expression", value)
    try:
        re.compile(value)
    except re.error as error:
        message = f"is not a regular expression Python understands: {error}"
        raise ValueError(message) from error
    return value


def runs_required(value: object) -> tuple[int, int]:
    """Read "2 of 3" or [2, 3]: the interesting runs required, and the runs in all."""
    match = _K_OF_N.fullmatch(value) if isinstance(value, str) else None
    pair = [int(match[1]), int(match[2])] if match else value
    if (
        isinstance(pair, (list, tuple))
        and len(pair) == 2
        and all(is_whole(item, 1) for item in pair)
        and pair[0] <= pair[1]
    ):
        return pair[0], pair[1]
    raise WrongValueError('"2 of 3" or [2, 3]', value)


def _signal(value: object) -> int:
    if is_whole(value, 1) and value < 128:
        return value
    if not isinstance(value, str):
        raise WrongValueError('a signal such as "SIGSEGV", or its number', value)
    name = value.upper() if value.upper().startswith("SIG") else f"SIG{value.upper()}"
    if name not in _SIGNALS:
        meant = suggestion(name, _SIGNALS)
        message = f"names the signal {value!r}, which this system does not have{meant}"
        raise ValueError(message)
    return _SIGNALS[name]


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
