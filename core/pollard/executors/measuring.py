"""Measures how often a text fails: of a flaky original also under each remedy, and of a result."""

from __future__ import annotations

import contextlib
import math
import subprocess
import time
from typing import TYPE_CHECKING

from pollard.errors import Cancelled, OracleError
from pollard.executors.process import Runner
from pollard.oracle.checking.flakiness import MAX_ERROR, Attempt, Flakiness, Frequency
from pollard.oracle.checking.remedies import kinds_for
from pollard.oracle.predicate import Predicate

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.oracle.checking.check import Check
    from pollard.oracle.checking.remedies import Remedy, RemedyKind
    from pollard.oracle.command import CommandOracle
    from pollard.oracle.executor import Cancellable, Executor
    from pollard.oracle.failures.comparing import OriginalFailure
    from pollard.oracle.shares import Share

_RESULT_RUNS = 20
_MAX_RESULT_SECONDS = 30.0
_PLAIN_RUNS = 10
_MAX_PLAIN_SECONDS = 20.0
_MIN_CERTAIN_RUNS = 10
_MAX_RUNS_OF_REMEDY = 60  # a failure that is nearly certain can hardly be told from a certain one
_MAX_SECONDS = 60.0
_PROBE_SECONDS = 5.0


class _Budget:
    """The wall time that measuring may take; a run that would probably exceed it is not started."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def allows(self, seconds: float) -> bool:
        """Return whether there is time for a run that takes as long as the last one."""
        return time.monotonic() + seconds <= self._end


class Measurement:
    """Counts the runs on one text that show the failure of the original.

    `last` is the latest frequency, also one that was cut short by an exception.
    """

    def __init__(
        self,
        text: bytes,
        failure: OriginalFailure,
        budget: _Budget,
        cancelled: Cancellable | None = None,
    ) -> None:
        self.last = Frequency(0, 0)
        self._text = text
        self._failure = failure
        self._budget = budget
        self._cancelled = cancelled
        self._last_seconds = 0.0

    def frequency(self, executor: Executor, runs: int, *, until_miss: bool = False) -> Frequency:
        """Return the frequency in up to `runs` runs, fewer at the end of the budget.

        With `until_miss` the first run without the failure is the last one. Raises `Cancelled` and
        `OracleError`.
        """
        self.last = Frequency(0, 0)
        while self.last.runs < runs and self._budget.allows(self._last_seconds):
            hit = self._hits(executor)
            self.last += Frequency(int(hit), 1)
            if until_miss and not hit:
                break
        return self.last

    def _hits(self, executor: Executor) -> bool:
        run = executor.run(self._text, cancelled=self._cancelled, capture=True)
        self._last_seconds = run.seconds
        return self._failure.is_shown_by(run)


def frequency_of_result(
    executor: Executor, text: bytes, failure: OriginalFailure, cancelled: Cancellable
) -> Frequency:
    """Measure how often a result fails, in 20 runs or 30 s; a cancellation only ends it earlier."""
    measurement = Measurement(text, failure, _Budget(_MAX_RESULT_SECONDS), cancelled)
    with contextlib.suppress(Cancelled):
        measurement.frequency(executor, _RESULT_RUNS)
    return measurement.last


def measure_flakiness(
    executor: Executor,
    filename: str,
    text: bytes,
    checked: Check,
    *,
    cancelled: Cancellable | None = None,
    share: Share | None = None,
    on_step: Callable[[str], None] = lambda _: None,
) -> Flakiness:
    """Measure how often a flaky original fails, as it is (for 20 s) and under remedies (for 60 s).

    A remedy is given up after its first run without the failure. `on_step` is called with what is
    being measured, for people. Raises `Cancelled`.
    """
    oracle = checked.oracle
    failure = checked.original_failure
    on_step("how often the file fails")
    plain = checked.frequency + Measurement(
        text, failure, _Budget(_MAX_PLAIN_SECONDS), cancelled
    ).frequency(executor, _PLAIN_RUNS - checked.frequency.runs)
    if isinstance(oracle, Predicate) or oracle.stays or oracle.cluster:
        return Flakiness(plain)  # remedies are tried on this machine
    needed = _needed_hits(plain.rate)
    if needed > _MAX_RUNS_OF_REMEDY:
        return Flakiness(plain)
    measurement = Measurement(text, failure, _Budget(_MAX_SECONDS), cancelled)
    trials = _Trials(oracle, filename, executor.timeout, share, measurement, needed)
    attempts: list[Attempt] = []
    for kind in kinds_for(oracle, filename):
        on_step(f"how often the file fails with {kind.title}")
        seen, remedy = trials.of(kind)
        attempts += seen
        if remedy is not None:
            return Flakiness(plain, tuple(attempts), remedy)
    return Flakiness(plain, tuple(attempts))


def _needed_hits(rate: float) -> int:
    """Return how many interesting runs in a row are hardly a coincidence at the plain rate."""
    return math.ceil(math.log(MAX_ERROR) / math.log(rate))


class _Trials:
    """Runs the original under remedies until one of them seems to make the failure certain."""

    def __init__(
        self,
        oracle: CommandOracle,
        filename: str,
        timeout: float,
        share: Share | None,
        measurement: Measurement,
        needed: int,
    ) -> None:
        self._oracle = oracle
        self._filename = filename
        self._timeout = timeout
        self._share = share
        self._measurement = measurement
        self._needed = needed

    def of(self, kind: RemedyKind) -> tuple[list[Attempt], Remedy | None]:
        """Try the remedies of a kind; return what was seen, and the one that makes it certain."""
        titles: list[str] = []
        rejected = Frequency(0, 0)
        for remedy in kind.remedies if _works(kind.remedies[0]) else ():
            seen = self._frequency(remedy)
            if seen.hits == seen.runs >= self._needed:
                certain = Attempt(remedy.title, seen)
                return [*_attempt(kind, titles, rejected), certain], remedy
            rejected += seen
            titles.append(remedy.title)
            if seen.hits > 0 or not seen.runs:  # chance has another cause, or time is over
                break
        return _attempt(kind, titles, rejected), None

    def _frequency(self, remedy: Remedy) -> Frequency:
        runs = max(self._needed, _MIN_CERTAIN_RUNS)
        remedied = remedy.applied(self._oracle)
        try:
            with Runner(
                remedied, self._filename, timeout=self._timeout, share=self._share
            ) as runner:
                return self._measurement.frequency(runner, runs, until_miss=True)
        except OracleError:
            return Frequency(0, 0)


def _attempt(kind: RemedyKind, titles: list[str], frequency: Frequency) -> list[Attempt]:
    """Return the remedies of a kind that did not help as one attempt; none without a run."""
    title = titles[0] if len(titles) == 1 else kind.title
    return [Attempt(title, frequency)] if frequency.runs else []


def _works(remedy: Remedy) -> bool:
    """Return whether the remedy's program runs another one here; a container may forbid it."""
    try:
        done = subprocess.run(
            [*remedy.prefix, "true"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
