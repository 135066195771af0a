"""The live display of a reduction on a terminal: a few lines that are redrawn."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from pollard.cli.reports import measuring, opening
from pollard.events import Measuring, Progress, Reduced, Started
from pollard.project.outcome import FilesReduced, ProjectStarted
from pollard.quantities import (
    ASCII_LEVELS,
    BLOCK_LEVELS,
    count_of,
    format_duration,
    format_size,
    sparkline,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pollard.events import Event
    from pollard.project.outcome import ProjectEvent

_MAX_SPARKLINE_CHARACTERS = 60
_MAX_SAMPLES = 2_000


class Display:
    """Draws on standard error. `on_event` may be called in any thread, the rest in the main thread."""

    def __init__(self, name: str, size: int) -> None:
        """`name` is the file as the user wrote it, `size` the original's size in bytes."""
        self._console = Console(file=sys.stderr, force_terminal=True, highlight=False)
        unicode = _encodes(BLOCK_LEVELS + "·", self._console.encoding)
        self._levels, self._dot = (BLOCK_LEVELS, "·") if unicode else (ASCII_LEVELS, "|")
        self._live = Live(
            console=self._console, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )
        self._name = name
        self._original = size
        self._start = time.monotonic()
        self._progress: Progress | None = None
        self._opening = ""
        self._measuring = ""
        self._samples = [(0.0, size)]

    def on_event(self, event: Event | ProjectEvent) -> None:
        """Remember an event; the next `tick` draws it."""
        self._measuring = measuring(event.what) if isinstance(event, Measuring) else ""
        if isinstance(event, (Started, ProjectStarted)):
            self._opening = opening(self._name, event)
        elif isinstance(event, Progress):
            self._progress = event
        elif isinstance(event, (Reduced, FilesReduced)):
            self._samples.append((time.monotonic() - self._start, event.size))
            if len(self._samples) > _MAX_SAMPLES:
                self._samples = [*self._samples[:-1:2], self._samples[-1]]

    def tick(self) -> None:
        """Draw the current state; a closed terminal must not end the reduction."""
        with contextlib.suppress(OSError):
            self._live.update(self._drawing(), refresh=True)

    def restore_terminal(self) -> None:
        """Show the cursor again, without waiting for anything."""
        self._console.show_cursor(True)

    def __enter__(self) -> Display:
        self._live.start()
        self.tick()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._live.stop()

    def _drawing(self) -> RenderableType:
        elapsed = time.monotonic() - self._start
        if not self._opening:
            doing = self._measuring or f"checking {self._name}"
            return Text(f"{doing} ({_clock(elapsed)})", style="dim")
        size = Text(format_size(self._samples[-1][1]), style="bold")
        size.append(f" of {format_size(self._original)}{self._outlook()}", style="not bold")
        facts = Text(f" {self._dot} ".join(self._facts(elapsed)), no_wrap=True, overflow="crop")
        width = min(self._console.width - 1, _MAX_SPARKLINE_CHARACTERS)
        line = sparkline(self._samples, elapsed, width, self._levels)
        return Group(
            Text(self._opening, style="dim"),
            size,
            Text(line, style="green", no_wrap=True, overflow="crop"),
            facts,
        )

    def _outlook(self) -> str:
        """Return what is expected of the result, after the size; "" where nothing is."""
        outlook = str(self._progress.outlook) if self._progress else ""
        return f" {self._dot} {outlook}" if outlook else ""

    def _facts(self, elapsed: float) -> list[str]:
        """Return the figures of the bottom line; before the first run only two."""
        progress = self._progress
        if progress is None:
            return ["0 runs", _clock(elapsed)]
        counts = progress.counts
        return [
            count_of(counts.runs, "run"),
            f"{progress.rate:.1f}/s" if progress.rate < 10 else f"{progress.rate:.0f}/s",
            self._measuring or progress.where,
            f"{counts.guarded} guarded",
            *counts.unresolved,
            _clock(elapsed),
        ]


def _clock(seconds: float) -> str:
    """Return a duration without fractions, which would flicker."""
    return f"{seconds:.0f} s" if seconds < 59.5 else format_duration(seconds)


def _encodes(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
