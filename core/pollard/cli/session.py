"""One reduction on the command line: its events, its output, its end.

The reduction runs in a thread, so that the main thread can draw and handle signals.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

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

    from pollard.cli.output import Output
    from pollard.cli.progress import Display
    from pollard.events import Event, Result
    from pollard.reduction import Plan


T = TypeVar("T")

# The display is redrawn this often. A wait must also be short because Python may handle a signal only
# after it: always on Windows, elsewhere if the signal arrives just before the wait.
_TICK_SECONDS = 0.1


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


class Session:
    """Carries out a plan, reports to the user, and returns the exit code."""

    def __init__(self, plan: Plan, output: Output, options: ReportOptions) -> None:
        self._plan = plan
        self._output = output
        self._options = options
        self._reduction = Reduction(plan, self._on_event)
        self._start = time.monotonic()
        self._language: str | None = None
        self._notes_shown = 0
        self._display = new_display(options, len(plan.text))
        self._listeners: list[Callable[[Event], None]] = []
        if options.events:
            from pollard.cli.reports import EventWriter  # noqa: PLC0415

            self._listeners.append(EventWriter(options.name, output.label).on_event)
        if self._display is not None:
            self._listeners.append(self._display.on_event)

    def run(self) -> int:
        """Reduce until done or interrupted; return the exit code.

        Raises PollardError for any other end; the best text so far is on disk then.
        """
        try:
            result = drawn_by(self._display, self._reduction.run, self._reduction.cancel)
        except Cancelled:
            say(reports.interruption("", self._output))
            self._write_stats_without_result(interrupted=True)
            return INTERRUPTED
        except (NotInteresting, Unstable) as error:
            return self._not_reducible(error)
        except Exception:
            self._say_where_best_is()
            raise
        return self._finished(result)

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
        if on_terminal() and not self._options.quiet:
            self._notes_shown = len(started.notes)
            if self._display is None:
                say(reports.opening(self._options.name, started))
        if self._reduction.best != self._plan.text:  # the result of the interrupted reduction
            self._output.write(self._reduction.best)

    def _on_measuring(self, event: Measuring) -> None:
        if on_terminal() and not self._options.quiet and self._display is None:
            say(reports.measuring(event.what))

    def _finished(self, result: Result) -> int:
        reduced = result.text != self._plan.text
        if reduced or not result.cancelled:
            self._output.finish(result.text)
        if self._options.stats is not None:
            reports.write_stats(self._options.stats, reports.stats(result, self._language))
        if self._options.report is not None:
            self._write_report(self._options.report)
        if not self._options.quiet:
            for note in result.notes[self._notes_shown :]:
                say(note)
        if not self._options.quiet or result.cancelled:
            say(reports.closing(result, self._output, reduced=reduced))
        if not self._options.quiet and not result.cancelled:
            for line in reports.others_seen(result):
                say(line)
        if result.cancelled:
            return INTERRUPTED
        return REDUCED if reduced else NOTHING_REDUCED

    def _write_report(self, path: Path) -> None:
        from pollard.cli.report_files import report_now  # noqa: PLC0415 (rarely wanted)

        assert self._plan.journal is not None  # the command line always keeps one
        report_now(self._plan.journal, self._plan.oracle, path)

    def _not_reducible(self, error: NotInteresting | Unstable) -> int:
        """Explain why FILE cannot be reduced, and overwrite a reduced text that was already written."""
        if self._reduction.best != self._plan.text:
            self._output.write(self._plan.text)
        self._write_stats_without_result(interrupted=False)
        complain(str(error))
        return NOT_INTERESTING

    def _write_stats_without_result(self, *, interrupted: bool) -> None:
        if self._options.stats is not None:
            seconds = time.monotonic() - self._start
            statistics = reports.stats_without_result(
                self._plan, self._reduction.check_runs, seconds, interrupted=interrupted
            )
            reports.write_stats(self._options.stats, statistics)

    def _say_where_best_is(self) -> None:
        """Say where the best text is after an error during the search."""
        best = self._reduction.best
        if best != self._plan.text and self._output.keeps_best:
            say(f"the best so far, {format_size(len(best))}, is in {self._output.label}")
