"""The failure of a run: which of those that it printed counts, or how the run ended."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from pollard.oracle.criteria import signal_name
from pollard.oracle.diagnostics.wanted import wanted_from
from pollard.oracle.failures.printed import READER_GONE, failures_in
from pollard.oracle.signature import Failure, Severity, Signature

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.oracle.criteria import Criteria
    from pollard.oracle.verdict import Outcome

_STREAMS = ("stderr", "stdout")
_MAX_MATCHES = 1000
_LIMITS = {
    "timeout": Signature("time limit exceeded"),
    "memory": Signature("memory limit exceeded"),
}
_CRASH_SIGNALS = {"SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV", "SIGSYS"}


def read_signature(outcome: Outcome, criteria: Criteria) -> Signature | None:
    """Return the failure of a run, or None if nothing tells which failure it is.

    If the criteria look at output, only failures count whose lines a pattern matches. Where it matches
    none, the pattern itself says which failure is meant. Of several failures the most severe counts.
    If exit code 0 decides, errors that a program reports do not count: it did what it was to do. That
    nobody read its output to the end counts only if a pattern matches it. A diagnostic that the
    criteria ask for is the failure, and so is the limit that a run must exceed.
    """
    if outcome.timed_out or outcome.memory_exceeded:
        return _LIMITS.get(criteria.exceeds or "")
    if criteria.diagnostic:
        diagnostic = wanted_from(criteria.diagnostic[0]).signature(outcome)
        return diagnostic and replace(diagnostic, ending=_ending(outcome))
    exact = criteria.has_pattern
    if criteria.not_diagnostic and not exact:
        return None  # what the tool reports instead is not the failure
    return _signature(outcome, _failure(outcome, criteria), exact=exact)


def is_reported(outcome: Outcome, criteria: Criteria) -> bool:
    """Return whether the failure of a run is what a tool reports of the text, which it does not run."""
    if criteria.diagnostic:
        return True
    failure = _failure(outcome, criteria)
    return failure is not None and failure.severity is Severity.DIAGNOSTIC


def _failure(outcome: Outcome, criteria: Criteria) -> Failure | None:
    """Return the failure that a run printed and that the criteria mean, if any."""
    exact = criteria.has_pattern
    failures = [
        failure
        for stream in _STREAMS
        if (patterns := _pattern(criteria, stream)) or not exact
        for failure in _selected(_printed(outcome, stream), patterns)
    ]
    least = Severity.WARNING if exact or _status(outcome) else Severity.EXCEPTION
    return _principal([each for each in failures if each.severity >= least])


def crash_of(outcome: Outcome) -> Signature | None:
    """Return the crash that a run shows, whatever the criteria; None if it shows none."""
    if outcome.timed_out or outcome.memory_exceeded:
        return None
    failures = [each for name in _STREAMS for each in _selected(_printed(outcome, name), [])]
    failure = _principal([each for each in failures if each.severity is Severity.CRASH])
    signature = _signature(outcome, failure, exact=True)
    return signature if signature and signature.crash else None


def _signature(outcome: Outcome, failure: Failure | None, *, exact: bool) -> Signature | None:
    """Return the signature of `failure`, or of the run's ending if that says more."""
    ending = _ending(outcome)
    if failure is None or _outranks(ending, failure):
        known = ending and (not exact or ending.startswith("SIG"))
        crash = ending in _CRASH_SIGNALS
        return Signature(ending, crash=crash, ending=ending) if known else None
    crash = failure.severity is Severity.CRASH
    return Signature(
        failure.kind, failure.message, failure.where, failure.frames, crash=crash, ending=ending
    )


def _outranks(ending: str, failure: Failure) -> bool:
    """Return whether a signal says more than `failure`; an abort is how exceptions may end."""
    least = Severity.EXCEPTION if ending == "SIGABRT" else Severity.CRASH
    return ending in _CRASH_SIGNALS and failure.severity < least


def _ending(outcome: Outcome) -> str:
    name = signal_name(outcome)
    return name or (f"exit code {outcome.exit_code}" if outcome.exit_code else "")


def _status(outcome: Outcome) -> bool:
    return bool(outcome.exit_code) or outcome.signal is not None


def _printed(outcome: Outcome, stream: str) -> str:
    data: bytes = getattr(outcome, stream)
    return data.decode("utf-8", "replace")


def _pattern(criteria: Criteria, stream: str) -> list[str]:
    return [text for text in (getattr(criteria, stream), criteria.output) if text is not None]


def _principal(failures: list[Failure]) -> Failure | None:
    """Return the most severe failure; of equals its reader says whether the first or the last."""
    if not failures:
        return None
    first = max(failures, key=lambda failure: failure.severity)
    alike = [each for each in failures if each.reader == first.reader]
    return alike[-1] if first.principal == "last" else first


def _selected(text: str, patterns: list[str]) -> list[Failure]:
    """Return the failures in `text`; with patterns, those that have a line in a match of one.

    Without patterns, a program does not fail because nobody read its output to the end, and what it
    tells after that comes of it, such as the exceptions that the first one causes.
    """
    failures = failures_in(text)
    if not patterns:
        return [*takewhile(_has_readers, failures)]
    if not failures:
        return []
    spans = sorted(_matched_lines(text, patterns))
    return [each for each in failures if _overlaps(each, spans)]


def _has_readers(failure: Failure) -> bool:
    return READER_GONE.search(f"{failure.kind} {failure.message}") is None


def _matched_lines(text: str, patterns: list[str]) -> Iterator[tuple[int, int]]:
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for pattern in patterns:
        for match in islice(re.finditer(pattern, text, re.MULTILINE), _MAX_MATCHES):
            last = max(match.start(), match.end() - 1)
            yield bisect_right(starts, match.start()) - 1, bisect_right(starts, last) - 1


def _overlaps(failure: Failure, spans: list[tuple[int, int]]) -> bool:
    return any(first <= failure.last_line and failure.first_line <= last for first, last in spans)
