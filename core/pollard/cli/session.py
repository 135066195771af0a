"""One reduction on the command line: its events, its output, its end.

The reduction runs in a thread, so that the main thread can draw and handle signals.
"""

from __future__ import annotations

import sys
import time
from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pollard.cli import reports
from pollard.cli.console import (
    INTERRUPTED,
    NOT_INTERESTING,
    NOTHING_REDUCED,
    REDUCED,
    can_redraw,
    complain,
    interrupts,
    on_terminal,
    say,
)
from pollard.errors import Cancelled
from pollard.events import Measuring, Reduced, Started
from pollard.quantities import format_size
from pollard.reduction import NotInteresting, Reduction, Unstable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pollard.cli.output import Destination, Output
    from pollard.cli.progress import Display
    from pollard.events import Event, Result
    from pollard.oracle import AnyOracle
    from pollard.project.outcome import ProjectResult, ProjectStarted
    from pollard.reduction import Plan


T = TypeVar("T")
R_co = TypeVar("R_co", covariant=True)

# The display is redrawn this often. A wait must also be short because Python may handle a signal only
# after it: always on Windows, elsewhere if the signal arrives just before the wait.
_TICK_SECONDS = 0.1
_PATIENCE_SECONDS = 2


def in_thread(
    work: Callable[[], T], stop: Callable[[], None], tick: Callable[[], None] = lambda: None
) -> T:
    """Call *work* in a thread, and return its result or raise its error.

    Meanwhile *tick* is called every tenth of a second. If this thread fails, *stop* is called, and
    the error is raised when the work has ended.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="reduction") as pool:
        future = pool.submit(work)
        try:
            while not future.done():
                wait([future], _TICK_SECONDS)
                tick()
        except BaseException:
            stop()
            raise
        return future.result()


def waited_for(work: Callable[[], T], stop: Callable[[], None]) -> T:
    """Call *work*, which runs a command, in a thread; signals *stop* it.

    Says once, if it takes long, that the command still runs and how to end it.
    """
    begin, is_said = time.monotonic(), False

    def tick() -> None:
        nonlocal is_said
        if not is_said and time.monotonic() - begin >= _PATIENCE_SECONDS:
            is_said = True
            say(f"the command still runs after {_PATIENCE_SECONDS} s; Ctrl+C ends it")

    with interrupts(stop):
        return in_thread(work, stop, tick)


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """The reports that the user wants; `name` is the file as they wrote it."""

    name: str
    quiet: bool = False
    events: bool = False
    stats: Path | None = None
    report: Path | None = None


def new_display(options: ReportOptions, size: int) -> Display | None:
    """Return a display for an original of `size` bytes, if the user wants one and can see it."""
    events_on_terminal = options.events and sys.stdout.isatty()
    if options.quiet or events_on_terminal or not can_redraw():
        return None
    from pollard.cli.progress import Display  # noqa: PLC0415 (rich is slow to import)

    return Display(options.name, size)


def drawn_by(display: Display | None, work: Callable[[], T], stop: Callable[[], None]) -> T:
    """Call *work* in a thread, while this one draws and handles signals, which *stop* it."""
    with interrupts(stop, display.restore_terminal if display else lambda: None):
        if display is None:
            return in_thread(work, stop)
        with display:
            return in_thread(work, stop, display.tick)


R = TypeVar("R", bound="Result | ProjectResult")


class Carried(Protocol[R_co]):
    """A reduction, as far as a session carries it out."""

    def run(self) -> R_co:
        """Reduce and return the result."""

    def cancel(self) -> None:
        """Stop, from any thread."""


class AnySession(ABC, Generic[R]):
    """What the sessions of one file and of several files have in common."""

    def __init__(
        self,
        journal: Path | None,
        oracle: AnyOracle,
        output: Destination,
        options: ReportOptions,
        *,
        resumes: bool,
    ) -> None:
        self._journal = journal
        self._resumes = resumes
        self._oracle = oracle
        self._options = options
        self._notes_shown = 0
        self._destination = output
        self._display: Display | None = None
        #: The result, once the reduction has ended with one.
        self.result: R | None = None
        self._listeners: list[Callable[[Any], None]] = []
        if options.events:
            from pollard.cli.reports import EventWriter  # noqa: PLC0415

            self._listeners.append(EventWriter(options.name, output.label).on_event)

    def carry_out(self, reduction: Carried[R], size: int) -> int:
        """Reduce `size` bytes until done or interrupted; return the exit code.

        Raises PollardError for any other end; the best so far is on disk then.
        """
        try:
            return self._carry_out(reduction, size)
        finally:
            label = self._destination.label
            for place in self._destination.set_aside:
                say(f"{label} was changed meanwhile by somebody else; that version is in {place}")

    def _carry_out(self, reduction: Carried[R], size: int) -> int:
        self._display = new_display(self._options, size)
        if self._display is not None:
            self._listeners.append(self._display.on_event)
        try:
            result = drawn_by(self._display, reduction.run, reduction.cancel)
        except Cancelled:
            say(reports.early_interruption(self._destination, resumes=self._resumes))
            self._write_stats(lambda: self._stats_without_result(interrupted=True))
            return INTERRUPTED
        except (NotInteresting, Unstable) as error:
            self._withdraw()
            self._write_stats(lambda: self._stats_without_result(interrupted=False))
            complain(str(error))
            return NOT_INTERESTING
        except Exception:
            self._say_where_best_is()
            raise
        return self._finished(result)

    @abstractmethod
    def _write_result(self, result: R) -> bool:
        """Write the result; return whether it is smaller than the original."""

    @abstractmethod
    def _withdraw(self) -> None:
        """Take back what was written, since it is no result."""

    @abstractmethod
    def _say_where_best_is(self) -> None:
        """Say where the best is after an error during the search."""

    @abstractmethod
    def _stats(self, result: R) -> dict[str, Any]:
        """Return the statistics of a result."""

    @abstractmethod
    def _stats_without_result(self, *, interrupted: bool) -> dict[str, Any]:
        """Return the statistics of a reduction that ended before the search, or in vain."""

    def _tell_start(self, started: Started | ProjectStarted) -> None:
        if on_terminal() and not self._options.quiet:
            self._notes_shown = len(started.notes)
            if self._display is None:
                say(reports.opening(self._options.name, started))

    def _finished(self, result: R) -> int:
        self.result = result
        reduced, quiet = self._write_result(result), self._options.quiet
        self._write_stats(lambda: self._stats(result))
        if self._options.report is not None:
            self._write_report(self._options.report)
        for note in () if quiet else result.notes[self._notes_shown :]:
            say(note)
        if not quiet or result.cancelled:
            say(reports.closing(result, self._destination, reduced=reduced))
        for line in () if quiet or result.cancelled else reports.others_seen(result):
            say(line)
        if result.cancelled:
            return INTERRUPTED
        return REDUCED if reduced else NOTHING_REDUCED

    def _write_report(self, path: Path) -> None:
        from pollard.cli.report_files import report_now  # noqa: PLC0415 (rarely wanted)

        assert self._journal is not None  # the command line always keeps one
        report_now(self._journal, self._oracle, path)

    def statistics(self) -> dict[str, Any]:
        """Return the statistics of the result; {} if there is none."""
        return {} if self.result is None else self._stats(self.result)

    def _write_stats(self, statistics: Callable[[], dict[str, Any]]) -> None:
        if self._options.stats is not None:
            reports.write_stats(self._options.stats, statistics())


class Session(AnySession["Result"]):
    """Carries out a plan, reports to the user, and returns the exit code."""

    def __init__(self, plan: Plan, output: Output, options: ReportOptions) -> None:
        super().__init__(plan.journal, plan.oracle, output, options, resumes=plan.resume)
        self._plan = plan
        self._output = output
        self._reduction = Reduction(plan, self._on_event)
        self._start = time.monotonic()
        self._language: str | None = None

    def run(self) -> int:
        """Reduce; see `carry_out`."""
        return self.carry_out(self._reduction, len(self._plan.text))

    def _on_event(self, event: Event) -> None:
        """Handle an event, in the reduction's thread: write the file first, then inform listeners."""
        if isinstance(event, Started):
            self._on_start(event)
        elif isinstance(event, Reduced):
            self._output.write(event.text)
        elif isinstance(event, Measuring):
            self._on_measuring(event)
        for listener in self._listeners:
            listener(event)

    def _on_start(self, started: Started) -> None:
        self._language = started.language
        self._tell_start(started)
        if self._reduction.best != self._plan.text:  # the result of the interrupted reduction
            self._output.write(self._reduction.best)

    def _on_measuring(self, event: Measuring) -> None:
        if on_terminal() and not self._options.quiet and self._display is None:
            say(reports.measuring(event.what))

    def _write_result(self, result: Result) -> bool:
        reduced = result.text != self._plan.text
        if reduced or not result.cancelled:
            self._output.finish(result.text)
        return reduced

    def _withdraw(self) -> None:
        """Overwrite a reduced text that was already written."""
        if self._reduction.best != self._plan.text:
            self._output.write(self._plan.text)

    def _stats(self, result: Result) -> dict[str, Any]:
        return reports.stats(result, self._language)

    def _stats_without_result(self, *, interrupted: bool) -> dict[str, Any]:
        seconds, runs = time.monotonic() - self._start, self._reduction.check_runs
        return reports.stats_without_result(self._plan, runs, seconds, interrupted=interrupted)

    def _say_where_best_is(self) -> None:
        best = self._reduction.best
        if best != self._plan.text and self._output.has_best:
            say(f"the best so far, {format_size(len(best))}, is in {self._output.label}")
