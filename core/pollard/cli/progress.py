"""The live display of a reduction on a terminal: a few lines that are drawn again and again."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from pollard.cli.reports import opening
from pollard.events import Progress, Reduced, Started
from pollard.quantities import ASCII, BLOCKS, format_duration, format_size, sparkline

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pollard.events import Event

_WIDEST = 60
_MOST_POINTS = 2_000


class Display:
    """Draws on standard error. `tell` may be called in any thread, all else in the main thread."""

    def __init__(self, shown: str, size: int) -> None:
        """`shown` is what the user called the file, `size` that of the original in bytes."""
        self._console = Console(file=sys.stderr, force_terminal=True, highlight=False)
        unicode = _encodes(BLOCKS + "·", self._console.encoding)
        self._levels, self._dot = (BLOCKS, "·") if unicode else (ASCII, "|")
        self._live = Live(
            console=self._console, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )
        self._shown = shown
        self._original = size
        self._began = time.monotonic()
        self._progress: Progress | None = None
        self._opening = ""
        self._points = [(0.0, size)]

    def tell(self, event: Event) -> None:
        """Take note of an event; nothing is drawn before the next `tick`."""
        if isinstance(event, Started):
            self._opening = opening(self._shown, event)
        elif isinstance(event, Progress):
            self._progress = event
        elif isinstance(event, Reduced):
            self._points.append((time.monotonic() - self._began, len(event.text)))
            if len(self._points) > _MOST_POINTS:
                self._points = [*self._points[:-1:2], self._points[-1]]

    def tick(self) -> None:
        """Draw the present state; that the terminal is gone must not end the reduction."""
        with contextlib.suppress(OSError):
            self._live.update(self._drawing(), refresh=True)

    def leave(self) -> None:
        """Bring the terminal in order without waiting for anything."""
        self._console.show_cursor(True)

    def __enter__(self) -> Display:
        self._live.start()
        self.tick()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._live.stop()

    def _drawing(self) -> RenderableType:
        elapsed = time.monotonic() - self._began
        if not self._opening:
            return Text(f"checking {self._shown} ({_clock(elapsed)})", style="dim")
        size = Text(format_size(self._points[-1][1]), style="bold")
        size.append(f" of {format_size(self._original)}", style="not bold")
        facts = Text(f" {self._dot} ".join(self._facts(elapsed)), no_wrap=True, overflow="crop")
        width = min(self._console.width - 1, _WIDEST)
        line = sparkline(self._points, elapsed, width, self._levels)
        return Group(
            Text(self._opening, style="dim"),
            size,
            Text(line, style="green", no_wrap=True, overflow="crop"),
            facts,
        )

    def _facts(self, elapsed: float) -> list[str]:
        """Return what is known, without what nobody needs at the start."""
        progress = self._progress
        if progress is None:
            return ["0 runs", _clock(elapsed)]
        counts = progress.counts
        return [
            f"{counts.runs} runs",
            f"{progress.rate:.1f}/s" if progress.rate < 10 else f"{progress.rate:.0f}/s",
            progress.where,
            f"{counts.guarded} guarded",
            *counts.unresolved,
            _clock(elapsed),
        ]


def _clock(seconds: float) -> str:
    """Return a duration without fractions, which would only flicker."""
    return f"{seconds:.0f} s" if seconds < 59.5 else format_duration(seconds)


def _encodes(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
