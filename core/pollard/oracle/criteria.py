"""When an outcome counts: conditions on exit code, signal and output, each also as "must not"."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.oracle.errors import OracleError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pollard.oracle.verdict import Outcome

_SHELL_SIGNAL_BASE = 128
_STREAMS = ("stdout", "stderr", "output")


@functools.lru_cache(maxsize=256)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Criteria:
    """Conditions of which all must hold; with none at all, exit code 0 is the condition.

    Numbers are alternatives (any of them). Patterns are regular expressions searched anywhere in
    the stream, `^` and `$` matching at line ends, bytes that are not UTF-8 reading as U+FFFD;
    `output` is found in either stream. A death by signal n and an exit with 128 + n are the same
    here, because a shell between us and the program turns one into the other.

    Raises `OracleError` for a pattern that is not a regular expression.
    """

    exit_code: tuple[int, ...] = ()
    signal: tuple[int, ...] = ()
    stdout: str | None = None
    stderr: str | None = None
    output: str | None = None
    not_exit_code: tuple[int, ...] = ()
    not_signal: tuple[int, ...] = ()
    not_stdout: str | None = None
    not_stderr: str | None = None
    not_output: str | None = None

    def __post_init__(self) -> None:
        for stream in _STREAMS:
            for name in (stream, f"not_{stream}"):
                _check_pattern(name, getattr(self, name))

    @property
    def empty(self) -> bool:
        """Whether no condition was given, so that exit code 0 decides."""
        return self == Criteria()

    @property
    def needs_output(self) -> bool:
        """Whether what the oracle prints has to be kept to decide."""
        return any(
            getattr(self, prefix + stream) is not None
            for stream in _STREAMS
            for prefix in ("", "not_")
        )

    def holds(self, outcome: Outcome) -> bool:
        """Whether every condition holds for `outcome`."""
        return all(held for held, _ in self._conditions(outcome))

    def explain(self, outcome: Outcome) -> list[str]:
        """One line per condition: whether it held, what was wanted and what was seen."""
        return [f"{'held' if ok else 'FAILED'}: {why()}" for ok, why in self._conditions(outcome)]

    def _conditions(self, outcome: Outcome) -> Iterator[tuple[bool, Callable[[], str]]]:
        if self.empty:
            yield _number("exit code", (0,), _exit_status(outcome), wanted=True)
        for wanted, prefix in ((True, ""), (False, "not_")):
            for name, seen in (("exit_code", _exit_status), ("signal", signal_of)):
                numbers = getattr(self, prefix + name)
                if numbers:
                    label = name.replace("_", " ")
                    yield _number(label, numbers, seen(outcome), wanted=wanted)
            for stream in _STREAMS:
                text = getattr(self, prefix + stream)
                if text is not None:
                    yield _search(stream, text, outcome, wanted=wanted)


def _check_pattern(name: str, text: str | None) -> None:
    if text is None:
        return
    try:
        _pattern(text)
    except re.error as error:
        message = f"The oracle's {name} is not a regular expression: {error} in {text!r}."
        raise OracleError(message) from error


def _exit_status(outcome: Outcome) -> int | None:
    """What a shell's `$?` would show."""
    if outcome.signal is not None:
        return _SHELL_SIGNAL_BASE + outcome.signal
    return outcome.exit_code


def signal_of(outcome: Outcome) -> int | None:
    """Return the signal that ended a run, also if a shell in between made an exit code of it."""
    if outcome.signal is None and (outcome.exit_code or 0) > _SHELL_SIGNAL_BASE:
        return (outcome.exit_code or 0) - _SHELL_SIGNAL_BASE
    return outcome.signal


def _number(
    name: str, numbers: tuple[int, ...], seen: int | None, *, wanted: bool
) -> tuple[bool, Callable[[], str]]:
    def why() -> str:
        listed = " or ".join(map(str, numbers))
        return f"{name} {'must' if wanted else 'must not'} be {listed}; it was {_shown(seen)}"

    return (seen in numbers) == wanted, why


def _search(
    stream: str, text: str, outcome: Outcome, *, wanted: bool
) -> tuple[bool, Callable[[], str]]:
    streams = ("stdout", "stderr") if stream == "output" else (stream,)
    printed = (getattr(outcome, name).decode("utf-8", "replace") for name in streams)
    found = any(_pattern(text).search(each) for each in printed)

    def why() -> str:
        must = "must" if wanted else "must not"
        return f"{stream} {must} match /{text}/; it {'did' if found else 'did not'}"

    return found == wanted, why


def _shown(number: int | None) -> str:
    return "none" if number is None else str(number)
