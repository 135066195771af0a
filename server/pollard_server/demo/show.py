"""Runs the demo: live on a terminal, line by line anywhere else."""

from __future__ import annotations

import contextlib
import signal
import threading
from typing import TYPE_CHECKING

from pollard.demo.outcome import say, tell
from pollard.demo.script import FAILURE, FILENAME, FUNCTION, plan
from pollard.demo.view import View, count_lines
from rich.live import Live

from pollard.errors import Cancelled
from pollard.events import Reduced
from pollard.reduction import Reduction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console

    from pollard.events import Event, Result
    from pollard.reduction import Plan

_INTERRUPTED = 130
_FRAMES_PER_SECOND = 12


def run(console: Console, *, plain: bool = False, jobs: int = 1) -> int:
    """Reduce the bundled script, show it, and return the exit code: 0, or 130 after Ctrl-C.

    It is shown live if `console` is a terminal and not `plain`, else by a line per reduction. The
    result is the same for any number of `jobs`. Raises PollardError if this Python cannot run the
    script, or if no run can take place (a full disk, say).
    """
    demo = plan(jobs)
    live = console.is_terminal and not console.is_dumb_terminal and not plain
    lines = count_lines(demo.text)
    say(console, f"{FILENAME}, a program of {lines} lines, dies in {FUNCTION}() with", "bold")
    say(console, f"    {FAILURE}")
    say(console, "Pollard now looks for the lines that matter; Ctrl-C stops it.")
    say(console)
    try:
        result = _live(console, demo) if live else _line_by_line(console, demo)
    except Cancelled:
        say(console, "Stopped before the first reduction.")
        return _INTERRUPTED
    if not live:
        say(console)
    tell(console, demo.text, result, plain=not live)
    return _INTERRUPTED if result.cancelled else 0


def _live(console: Console, demo: Plan) -> Result:
    view = View(FILENAME, demo.text)
    with Live(view, console=console, refresh_per_second=_FRAMES_PER_SECOND, transient=True):
        return _reduce(demo, view)


def _line_by_line(console: Console, demo: Plan) -> Result:
    def listen(event: Event) -> None:
        if isinstance(event, Reduced):
            size, runs = len(event.text), event.counts.runs
            say(console, f"{size:>6} bytes  {runs:>5} runs  {event.where}")

    return _reduce(demo, listen)


def _reduce(demo: Plan, listen: Callable[[Event], None]) -> Result:
    reduction = Reduction(demo, listen)
    with _stopped_by_interrupt(reduction):
        return reduction.run()


@contextlib.contextmanager
def _stopped_by_interrupt(reduction: Reduction) -> Iterator[None]:
    """Turn Ctrl-C into a clean stop; only the main thread may do that, others leave it alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: reduction.cancel())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
