"""The criteria of an oracle, and suggestions for them.

`Criteria` decides whether a run is interesting: conditions on exit code, signal and output, each
of which can be negated (`not_...`).

`suggestions` helps to set up an oracle. From one run on the failing file it proposes criteria: the
line that tells of the failure as a regular expression, the signal or exit code, and a few more lines.
The expression must also match for a smaller file, so parts that change between runs or candidates
(paths, numbers, addresses) become patterns.
"""

from __future__ import annotations

import functools
import re
import signal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.oracle.diagnostics.wanted import wanted_from
from pollard.oracle.variable_parts import COLOUR, VARIABLE_PARTS, generalised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pollard.oracle.signature import Signature
    from pollard.oracle.verdict import Outcome


_SHELL_SIGNAL_BASE = 128
_SIGNAL_NAMES = {int(known): known.name for known in signal.Signals}
_PATTERN_KEYS = ("stdout", "stderr", "output")


@functools.lru_cache(maxsize=256)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Criteria:
    """Conditions that must all hold; without any, the condition is exit code 0.

    Numbers are alternatives. Patterns are regular expressions that are searched anywhere in the
    stream; `^` and `$` match at line ends, and bytes that are not UTF-8 read as U+FFFD. `output`
    matches either stream. A death by signal n equals an exit with 128 + n, because a shell turns
    one into the other. Each `diagnostic` ("TOOL:CODE MESSAGE") must be reported, and no
    `not_diagnostic` may be, by a tool that did its work. With `exceeds` the run must be stopped because
    it reached its limit: "timeout" or "memory".

    Raises `OracleError` for an invalid regular expression or an unknown tool.
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
    diagnostic: tuple[str, ...] = ()
    exceeds: str | None = None
    not_diagnostic: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for text in (*self.diagnostic, *self.not_diagnostic):
            wanted_from(text)
        for stream in _PATTERN_KEYS:
            for name in (stream, f"not_{stream}"):
                _check_pattern(name, getattr(self, name))

    @property
    def empty(self) -> bool:
        """Whether there is no condition, so that exit code 0 decides."""
        return self == Criteria()

    @property
    def has_pattern(self) -> bool:
        """Whether a pattern must match what the oracle prints."""
        return any(getattr(self, stream) is not None for stream in _PATTERN_KEYS)

    @property
    def needs_output(self) -> bool:
        """Whether a condition looks at what the oracle prints."""
        return bool(self.diagnostic or self.not_diagnostic) or any(
            getattr(self, prefix + stream) is not None
            for stream in _PATTERN_KEYS
            for prefix in ("", "not_")
        )

    def holds(self, outcome: Outcome) -> bool:
        """Return whether every condition holds for `outcome`."""
        return all(held for held, _ in self._conditions(outcome))

    def explain(self, outcome: Outcome) -> list[str]:
        """Return a line per condition: whether it held, what it requires, and what was seen."""
        return [f"{'held' if ok else 'FAILED'}: {why()}" for ok, why in self._conditions(outcome)]

    def printed_as_they_stand(self, outcome: Outcome) -> Iterator[tuple[str, str]]:
        """Yield the streams whose patterns are printed but do not match, with patterns that do."""
        for stream in _PATTERN_KEYS:
            text = getattr(self, stream)
            texts = _printed(stream, outcome) if text is not None else []
            if any(text in each for each in texts) and not any(map(_pattern(text).search, texts)):
                yield stream, _literal(text)

    def _conditions(self, outcome: Outcome) -> Iterator[tuple[bool, Callable[[], str]]]:
        if self.empty:
            yield _number_condition("exit code", (0,), _exit_status(outcome), wanted=True)
        for wanted, prefix in ((True, ""), (False, "not_")):
            for name, seen in (("exit_code", _exit_status), ("signal", signal_of)):
                numbers = getattr(self, prefix + name)
                if numbers:
                    label = name.replace("_", " ")
                    yield _number_condition(label, numbers, seen(outcome), wanted=wanted)
            for stream in _PATTERN_KEYS:
                text = getattr(self, prefix + stream)
                if text is not None:
                    yield _pattern_condition(stream, text, outcome, wanted=wanted)
        for text in self.diagnostic:
            yield _diagnostic_condition(text, outcome)
        for text in self.not_diagnostic:
            yield _no_diagnostic_condition(text, outcome)
        if self.exceeds is not None:
            yield _limit_condition(self.exceeds, outcome)


def _check_pattern(name: str, text: str | None) -> None:
    if text is None:
        return
    try:
        _pattern(text)
    except re.error as error:
        message = f"The oracle's {name} is not a regular expression: {error} in {text!r}."
        raise OracleError(message) from error


def _exit_status(outcome: Outcome) -> int | None:
    """Return what `$?` shows in a shell."""
    if outcome.signal is not None:
        return _SHELL_SIGNAL_BASE + outcome.signal
    return outcome.exit_code


def signal_of(outcome: Outcome) -> int | None:
    """Return the signal that ended a run, also if a shell turned it into an exit code."""
    if outcome.signal is None and (outcome.exit_code or 0) > _SHELL_SIGNAL_BASE:
        return (outcome.exit_code or 0) - _SHELL_SIGNAL_BASE
    return outcome.signal


def signal_name(outcome: Outcome) -> str | None:
    """Return the name of the signal that ended a run, such as "SIGSEGV"; None for unknown ones."""
    return _SIGNAL_NAMES.get(signal_of(outcome) or 0)


def _number_condition(
    name: str, numbers: tuple[int, ...], seen: int | None, *, wanted: bool
) -> tuple[bool, Callable[[], str]]:
    def why() -> str:
        must = "must" if wanted else "must not"
        value = "none" if seen is None else seen
        return f"{name} {must} be {' or '.join(map(str, numbers))}; it was {value}"

    return (seen in numbers) == wanted, why


def _pattern_condition(
    stream: str, text: str, outcome: Outcome, *, wanted: bool
) -> tuple[bool, Callable[[], str]]:
    found = any(_pattern(text).search(each) for each in _printed(stream, outcome))

    def why() -> str:
        must = "must" if wanted else "must not"
        return f"{stream} {must} match /{text}/; it {'did' if found else 'did not'}"

    return found == wanted, why


def _printed(stream: str, outcome: Outcome) -> list[str]:
    streams = ("stdout", "stderr") if stream == "output" else (stream,)
    return [getattr(outcome, name).decode("utf-8", "replace") for name in streams]


def _diagnostic_condition(text: str, outcome: Outcome) -> tuple[bool, Callable[[], str]]:
    diagnostic = wanted_from(text)

    def why() -> str:
        return f"the diagnostic {diagnostic} must be reported; it {diagnostic.seen(outcome)}"

    return diagnostic.found(outcome) is not None, why


def _no_diagnostic_condition(text: str, outcome: Outcome) -> tuple[bool, Callable[[], str]]:
    diagnostic = wanted_from(text)

    def why() -> str:
        return f"the diagnostic {diagnostic} must not be reported; it {diagnostic.seen(outcome)}"

    return diagnostic.is_missing(outcome), why


def _limit_condition(limit: str, outcome: Outcome) -> tuple[bool, Callable[[], str]]:
    exceeded = outcome.timed_out if limit == "timeout" else outcome.memory_exceeded

    def why() -> str:
        return f"the {limit} must be exceeded; it was{'' if exceeded else ' not'}"

    return exceeded, why


_MAX_SUGGESTED_LINES = 3
_MAX_LINE_CHARACTERS = 160
_MIN_LETTERS = 4
_STREAM_NAMES = (("stderr", "standard error"), ("stdout", "standard output"))

_VARIABLE_PART = re.compile("|".join(f"({pattern})" for pattern, _ in VARIABLE_PARTS))
# The source location or colour at the start of a message; a smaller file has another location.
_LOCATION_PREFIX = re.compile(
    "|".join(
        (
            r"^\S*(?:[/\\]\S*|\.\w+)(?::[0-9]+)+:\s+",  # input.c:12:5: as compilers have it
            r"^\S*(?:[/\\]\S*|\.\w+):\s+",
            f"^(?:{COLOUR.pattern})+",
        )
    )
)
_PATH = re.compile(r"(?:^|[\s\"'(=])(?:[A-Za-z]:)?[\w.@~+-]*(?:[/\\][\w.@~+-]+){2,}")
_SPECIAL_CHARACTER = re.compile(r"[\\.^$*+?{}\[\]|()]")
_UNPRINTABLE = re.compile(r"[^\x20-\x7e\xa0-\ud7ff\ue000-\ufffc\U00010000-\U0010ffff]+")

# How strongly a line looks like the message of the failure.
_CLUE_WEIGHTS = (
    (4, r"internal compiler error|\bpanic|assert|segmentation fault|segfault|\bfatal\b|\bbug\b"),
    (4, r"unreachable|\babort|core dumped|overflow|sanitizer|not printed|\bcrash"),
    (4, r"^\s*(?-i:[\w.]*(?:Error|Exception|Exit|Interrupt|Warning)\b)"),
    (3, r"\berror\b|exception|\bfail|unexpected|invalid"),
    (1, r"warning|cannot|could not|\bnot\b"),
    (-2, r"^\s*(?:at |\.\.\.|\||\d+ +\||file \"|#\d+ )|traceback|^please |bug report"),
    (-4, r"^\s*[0-9]+ (?:error|warning)s?\b"),
    (-1, r"^\s"),
)
_CLUES = tuple((weight, re.compile(pattern, re.IGNORECASE)) for weight, pattern in _CLUE_WEIGHTS)
_MIN_SURE_SCORE = 3


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One way to recognise the failure: for people, and as keys of an oracle's settings."""

    title: str
    detail: str
    definition: Mapping[str, str | int] = field(default_factory=dict)


def suggestions(
    run: Outcome, text: bytes = b"", signature: Signature | None = None
) -> list[Suggestion]:
    """Return criteria for which a run like `run` is interesting, the likeliest first.

    `text` is the file of that run, and `signature` its failure (see `pollard.oracle.failures`). Lines
    that quote the file, name a path or lead to the failure are left out. A run that timed out
    suggests nothing, since no criterion can require a timeout.
    """
    if run.timed_out:
        return []
    lines = sorted(_lines(run, text.decode("utf-8", "replace")), key=lambda line: -line.score)
    telling = None if signature is None else _telling(signature, lines)
    lines = [each for each in lines if each is not telling and each.score >= 0]
    same = [] if signature is None or telling is None else [_same_failure(signature, telling)]
    sure = [line for line in lines[:1] if not same and line.score >= _MIN_SURE_SCORE]
    others = [line for line in lines if not line.has_path and line not in sure]
    return [
        *same,
        *_signals(run),
        *(line.suggestion for line in sure),
        *_exit_codes(run),
        *(line.suggestion for line in others[: _MAX_SUGGESTED_LINES - len(sure)]),
    ]


def _telling(signature: Signature, lines: list[_Line]) -> _Line | None:
    """Return the line that tells of a failure, preferably with both its kind and its message.

    The message alone proves little: a short one, such as "x", is in many lines.
    """
    kind = signature.kind.casefold()

    def likeness(line: _Line) -> tuple[int, int]:
        has_kind = kind in line.text.casefold()
        has_message = bool(signature.message) and signature.message in generalised(line.text)
        return has_kind + has_message, line.score

    telling = [line for line in lines if likeness(line)[0]]
    return max(telling, key=likeness, default=None)


def _same_failure(signature: Signature, line: _Line) -> Suggestion:
    title = f"The same failure: {_displayed(str(signature))}"
    return Suggestion(title, line.suggestion.detail, line.suggestion.definition)


def pattern_of(line: str) -> str:
    """Return a regular expression that finds `line`, also as a smaller candidate prints it.

    It covers at most 160 characters, without a source location at the start. Unprintable
    characters, such as a tab, match anything.
    """
    parts: list[str] = []
    position = 0
    short = _LOCATION_PREFIX.sub("", line)[:_MAX_LINE_CHARACTERS]
    for match in _VARIABLE_PART.finditer(short):
        assert match.lastindex is not None
        _, expression = VARIABLE_PARTS[match.lastindex - 1]
        parts += [_literal(short[position : match.start()]), expression]
        position = match.end()
    return "".join([*parts, _literal(short[position:])])


@dataclass(frozen=True, slots=True)
class _Line:
    """A printed line, without the source location at its start when it is searched for a path."""

    score: int
    text: str
    suggestion: Suggestion

    @property
    def has_path(self) -> bool:
        return _PATH.search(_LOCATION_PREFIX.sub("", self.text)) is not None


def _lines(run: Outcome, source: str) -> Iterator[_Line]:
    """Yield each distinct line that is worth suggesting, standard error first."""
    seen: set[str] = set()
    for stream, name in _STREAM_NAMES:
        printed = getattr(run, stream).decode("utf-8", "replace")
        for line in printed.splitlines():
            short = line.strip()
            pattern = pattern_of(short)
            if pattern in seen or not _is_enough(pattern) or not re.search(pattern, printed):
                continue
            seen.add(pattern)
            detail = f"on {name}, found by /{pattern}/"
            suggestion = Suggestion(f"It prints: {_displayed(short)}", detail, {stream: pattern})
            yield _Line(_score(line, source), short, suggestion)


def _signals(run: Outcome) -> Iterator[Suggestion]:
    """Yield the signal that ended the run, if any."""
    name = signal_name(run)
    if name is not None:
        detail = f"signal {signal_of(run)}"
        yield Suggestion(f"It is ended by {name}", detail, {"signal": name})


def _exit_codes(run: Outcome) -> Iterator[Suggestion]:
    code = run.exit_code
    if code is None:
        return
    detail = "other failures may exit with it, too" if code else "successful runs exit with it, too"
    yield Suggestion(f"It exits with {code}", detail, {"exit_code": code})


def _score(line: str, source: str) -> int:
    quoted = line.strip(" \t|0123456789^~>")
    if len(quoted) > _MIN_LETTERS and quoted in source:
        return -3
    return sum(weight for weight, clue in _CLUES if clue.search(line))


def _literal(text: str) -> str:
    return _UNPRINTABLE.sub(".*?", _SPECIAL_CHARACTER.sub(r"\\\g<0>", text))


def _is_enough(pattern: str) -> bool:
    """Return whether an expression has enough fixed letters not to match nearly every line."""
    fixed = pattern
    for _, expression in VARIABLE_PARTS:
        fixed = fixed.replace(expression, "")
    return sum(char.isalpha() for char in fixed) >= _MIN_LETTERS


def _displayed(line: str) -> str:
    visible = _UNPRINTABLE.sub(" ", COLOUR.sub("", line))
    return visible if len(visible) <= _MAX_LINE_CHARACTERS else f"{visible[:_MAX_LINE_CHARACTERS]}…"
