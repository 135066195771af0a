"""When an outcome counts: conditions on exit code, signal and output, each also as "must not".

What could make a run interesting: its exit code, its signal, and the lines that it printed.

Somebody who sets an oracle up has seen one run on the file that fails and picks from these. A line
becomes a regular expression that still matches when the file has become smaller: what changes from
run to run or from candidate to candidate (paths, numbers, addresses) stands for any of its kind.
"""

from __future__ import annotations

import functools
import re
import signal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pollard.errors import OracleError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

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


_MOST_LINES = 12
_LONGEST = 160
_FEWEST_LETTERS = 4
_STREAMS_SUGGESTIONS = (("stderr", "standard error"), ("stdout", "standard output"))

# What of a line is not the same next time, and the expression that stands for it, in this order.
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_VOLATILE = (
    (_COLOUR.pattern, r"\S*?"),
    (r"(?:[A-Za-z]:)?[\w.@~+-]*(?:[/\\][\w.@~+-]+)+", r"\S+"),  # a path
    (r"0[xX][0-9a-fA-F]+", "0[xX][0-9a-fA-F]+"),
    (r"(?<!\w)(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{8,}(?!\w)", "[0-9a-f]+"),  # a hash
    (r"(?<![\w.])[0-9]+(?:\.[0-9]+)*(?![\w])", r"[\d.]+"),
)
_TOKEN = re.compile("|".join(f"({pattern})" for pattern, _ in _VOLATILE))
# Where a message begins with the place it is about, that place may be gone in a smaller file.
_PLACE = re.compile(
    "|".join(
        (
            r"^\S*(?:[/\\]\S*|\.\w+)(?::[0-9]+)+:\s+",  # input.c:12:5: as compilers have it
            r"^\S*(?:[/\\]\S*|\.\w+):\s+",
            f"^(?:{_COLOUR.pattern})+",
        )
    )
)
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")
_UNPRINTABLE = re.compile(r"[^\x20-\x7e\xa0-\ud7ff\ue000-\ufffc\U00010000-\U0010ffff]+")

# How much a line looks as if it told of the failure.
_TELLING = (
    (4, r"internal compiler error|\bpanic|assert|segmentation fault|segfault|\bfatal\b|\bbug\b"),
    (4, r"unreachable|\babort|core dumped|overflow|sanitizer|not printed|\bcrash"),
    (4, r"^\s*(?-i:[\w.]*(?:Error|Exception|Exit|Interrupt|Warning)\b)"),
    (3, r"\berror\b|exception|\bfail|unexpected|invalid"),
    (1, r"warning|cannot|could not|\bnot\b"),
    (-2, r"^\s*(?:at |\.\.\.|\||\d+ +\||file \"|#\d+ )|traceback|^please |bug report"),
    (-4, r"^\s*[0-9]+ (?:error|warning)s?\b"),
    (-1, r"^\s"),
)
_CLUES = tuple((weight, re.compile(pattern, re.IGNORECASE)) for weight, pattern in _TELLING)
_SURE = 3


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One way to tell the failure: for people, and as the keys of an oracle's table of settings."""

    title: str
    detail: str
    definition: Mapping[str, str | int] = field(default_factory=dict)


def suggestions(run: Outcome, text: bytes = b"") -> list[Suggestion]:
    """Return what could make a run like `run` interesting, the likeliest first.

    `text` is the file it saw: a line that only quotes it comes last. A run that was cut off for
    taking too long suggests nothing, since no criterion can ask for that.
    """
    if run.timed_out:
        return []
    lines = sorted(_lines(run, text.decode("utf-8", "replace")), key=lambda line: -line.score)
    sure = [line.suggestion for line in lines if line.score >= _SURE]
    others = [line.suggestion for line in lines if line.score < _SURE]
    return [*_signals(run), *[*sure, *_exit_codes(run), *others][:_MOST_LINES]]


def pattern_of(line: str) -> str:
    """Return a regular expression that finds `line`, and the same line of a smaller candidate.

    The place that it begins with does not count, and at most 160 characters do. What cannot be
    printed, such as a tab, stands for anything.
    """
    parts: list[str] = []
    position = 0
    short = _PLACE.sub("", line)[:_LONGEST]
    for token in _TOKEN.finditer(short):
        parts += [_literal(short[position : token.start()]), _VOLATILE[token.lastindex - 1][1]]  # type: ignore[operator]
        position = token.end()
    return "".join([*parts, _literal(short[position:])])


@dataclass(frozen=True, slots=True)
class _Line:
    score: int
    suggestion: Suggestion


def _lines(run: Outcome, source: str) -> Iterator[_Line]:
    """Yield one for each line worth the choice: once each, standard error first."""
    seen: set[str] = set()
    for stream, name in _STREAMS_SUGGESTIONS:
        printed = getattr(run, stream).decode("utf-8", "replace")
        for line in printed.splitlines():
            short = line.strip()
            pattern = pattern_of(short)
            if pattern in seen or not _is_enough(pattern) or not re.search(pattern, printed):
                continue
            seen.add(pattern)
            detail = f"on {name}, found by /{pattern}/"
            suggestion = Suggestion(f"It prints: {_shown(short)}", detail, {stream: pattern})
            yield _Line(_score(line, source), suggestion)


def _signals(run: Outcome) -> Iterator[Suggestion]:
    """Yield the signal that ended it, also when a shell in between made an exit code of it."""
    number = signal_of(run)
    names = {int(known): known.name for known in signal.Signals}
    if number in names:
        name = names[number]
        yield Suggestion(f"It is ended by {name}", f"signal {number}", {"signal": name})


def _exit_codes(run: Outcome) -> Iterator[Suggestion]:
    code = run.exit_code
    if code is None:
        return
    detail = "other mistakes may end with the same" if code else "also what nothing is wrong with"
    yield Suggestion(f"It exits with {code}", detail, {"exit_code": code})


def _score(line: str, source: str) -> int:
    quoted = line.strip(" \t|0123456789^~>")
    if len(quoted) > _FEWEST_LETTERS and quoted in source:
        return -3
    return sum(weight for weight, clue in _CLUES if clue.search(line))


def _literal(text: str) -> str:
    return _UNPRINTABLE.sub(".*?", _SPECIAL.sub(r"\\\g<0>", text))


def _is_enough(pattern: str) -> bool:
    """Say whether an expression has so many letters of its own that not every line matches it."""
    fixed = pattern
    for _, stands in _VOLATILE:
        fixed = fixed.replace(stands, "")
    return sum(char.isalpha() for char in fixed) >= _FEWEST_LETTERS


def _shown_suggestions(line: str) -> str:
    visible = _UNPRINTABLE.sub(" ", _COLOUR.sub("", line))
    return visible if len(visible) <= _LONGEST else f"{visible[:_LONGEST]}…"
