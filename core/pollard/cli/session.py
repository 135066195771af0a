"""One reduction for the command line: what it listens to, where it writes, how it ends.

Work in a thread of its own, so that the main thread can draw and hear signals meanwhile.
"""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from pollard.cli import reports as report
from pollard.cli.exits import (
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
from pollard.events import Reduced, Started
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

#: Seconds between two ticks: what is drawn changes at most ten times a second. Python hears signals
#: only between two waits: on Windows always, elsewhere if one arrives just before the wait.
TICK = 0.1


class Worker(Generic[T]):
    """Calls `work` in a thread; `wait` returns what it returned or raises what it raised."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._results: list[T] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="reduction", daemon=True)

    def wait(self, stop: Callable[[], None], tick: Callable[[], None] = lambda: None) -> T:
        """Do the work, calling `tick` every `TICK` seconds; `stop` is called if that fails."""
        self._thread.start()
        try:
            while self._thread.is_alive():
                self._thread.join(TICK)
                tick()
        except BaseException:
            stop()
            self._thread.join()
            raise
        if self._error is not None:
            raise self._error
        return self._results[0]

    def _run(self) -> None:
        try:
            self._results.append(self._work())
        except BaseException as error:
            self._error = error  # raised again in the thread that waits


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user wants to see of a reduction; `shown` is what they called the file."""

    shown: str
    quiet: bool = False
    events: bool = False
    stats: Path | None = None


class Session:
    """Carries out a plan before a user's eyes and returns the exit code."""

    def __init__(self, plan: Plan, output: Output, wishes: Wishes) -> None:
        self._plan = plan
        self._output = output
        self._wishes = wishes
        self._reduction = Reduction(plan, self._tell)
        self._began = time.monotonic()
        self._language: str | None = None
        self._notes_told = 0
        self._display = self._new_display()
        self._listeners: list[Callable[[Event], None]] = []
        if wishes.events:
            from pollard.cli.reports import EventWriter  # noqa: PLC0415 (only if wanted)

            self._listeners.append(EventWriter(wishes.shown, output.place).tell)
        if self._display is not None:
            self._listeners.append(self._display.tell)

    def run(self) -> int:
        """Reduce to the end, or to an interruption.

        Raises PollardError for what ends it otherwise; the best so far is on disk then.
        """
        try:
            result = self._watched()
        except Cancelled:
            say(report.interruption("", self._output))
            self._write_refusal(interrupted=True)
            return INTERRUPTED
        except (NotInteresting, Unstable) as error:
            return self._refused(error)
        except Exception:
            self._tell_best()
            raise
        return self._finished(result)

    def _watched(self) -> Result:
        """Let the reduction run in its thread, while this one draws and hears signals."""
        display, stop = self._display, self._reduction.cancel
        worker = Worker(self._reduction.run)
        with interrupts(stop, display.leave if display else lambda: None):
            if display is None:
                return worker.wait(stop)
            with display:
                return worker.wait(stop, display.tick)

    def _tell(self, event: Event) -> None:
        """Hear of an event in the reduction's thread: first the file, then those who watch."""
        if isinstance(event, Started):
            self._open(event)
        elif isinstance(event, Reduced):
            self._output.write(event.text)
        for listener in self._listeners:
            listener(event)

    def _open(self, started: Started) -> None:
        self._language = started.language
        if on_terminal() and not self._wishes.quiet:
            self._notes_told = len(started.notes)
            if self._display is None:
                say(report.opening(self._wishes.shown, started))
        if self._reduction.best != self._plan.text:  # what an interrupted reduction had found
            self._output.write(self._reduction.best)

    def _new_display(self) -> Display | None:
        mixed = self._wishes.events and sys.stdout.isatty()
        if self._wishes.quiet or mixed or not can_redraw():
            return None
        from pollard.cli.progress import Display  # noqa: PLC0415 (rich takes its time to load)

        return Display(self._wishes.shown, len(self._plan.text))

    def _finished(self, result: Result) -> int:
        reduced = result.text != self._plan.text
        if reduced or not result.cancelled:
            self._output.finish(result.text)
        if self._wishes.stats is not None:
            report.write_stats(self._wishes.stats, report.stats(result, self._language))
        if not self._wishes.quiet:
            for note in result.notes[self._notes_told :]:
                say(note)
        if not self._wishes.quiet or result.cancelled:
            say(report.closing(result, self._output, reduced=reduced))
        if result.cancelled:
            return INTERRUPTED
        return REDUCED if reduced else NOTHING_REDUCED

    def _refused(self, error: NotInteresting | Unstable) -> int:
        """Say why there is nothing to reduce; what was found before that became clear is undone."""
        if self._reduction.best != self._plan.text:
            self._output.write(self._plan.text)
        self._write_refusal(interrupted=False)
        complain(str(error))
        return NOT_INTERESTING

    def _write_refusal(self, *, interrupted: bool) -> None:
        if self._wishes.stats is not None:
            seconds = time.monotonic() - self._began
            refusal = report.refusal(self._plan, seconds, interrupted=interrupted)
            report.write_stats(self._wishes.stats, refusal)

    def _tell_best(self) -> None:
        """Say where the best so far is when something went wrong in the middle."""
        best = self._reduction.best
        if best != self._plan.text and self._output.written:
            say(f"the best so far, {format_size(len(best))}, is in {self._output.place}")
