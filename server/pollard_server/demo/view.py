"""The live picture of a reduction: the text as it is now, and how far it has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.panel import Panel
from rich.syntax import Syntax
from rich.text import Text

from pollard.events import Progress, Reduced
from pollard.journal import splice
from pollard.sparkline import ASCII, BLOCKS, sparkline
from pollard.units import format_size

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from pollard.events import Counts, Event

# The terminal's own colours, so that it can be read on any background.
_THEME = "ansi_dark"
_STATUS_LINES = 3
_FRAME_LINES = 2


class View:
    """Listens to a reduction and draws its state whenever it is asked to, from any thread.

    `height` is the most lines of the picture; without one, as many as the terminal has.
    """

    def __init__(self, name: str, original: bytes, height: int | None = None) -> None:
        self._name = name
        self._original = original
        self._text = original
        self._height = height
        self._where = "first runs"
        self._counts: Counts | None = None
        self._samples = [(0.0, len(original))]
        self._cut = ""
        self._focus = 0
        self._top = 0

    def __call__(self, event: Event) -> None:
        """Take note of an event of the reduction."""
        if isinstance(event, Progress | Reduced):
            self._where, self._counts = event.where, event.counts
        if isinstance(event, Reduced):
            start, end, new = splice(self._text, event.text)
            self._focus = self._text.count(b"\n", 0, start)
            self._cut = f"last cut: {format_size(end - start - len(new))} here"
            self._text = event.text
            self._samples.append((event.counts.seconds, len(event.text)))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the text above, the status below."""
        height = self._height or options.size.height - 1
        yield Group(
            self._panel(max(height - _STATUS_LINES - _FRAME_LINES, 1), options),
            self._size(options),
            self._effort(options),
            self._history(options),
        )

    def _panel(self, rows: int, options: ConsoleOptions) -> Panel:
        """Draw as much of the text as there is room for, with the latest cut in sight."""
        lines = self._text.decode("utf-8", "replace").splitlines()
        rows = min(rows, self._original.count(b"\n"))
        top = self._top = _scrolled(self._top, self._focus, rows, len(lines))
        pointed = self._cut and not options.ascii_only  # the pointer is no ASCII character
        code = Syntax(
            "\n".join(lines),
            "python",
            theme=_THEME,
            background_color="default",
            line_numbers=True,
            line_range=(top + 1, top + rows),
            highlight_lines={self._focus + 1} if pointed else set(),
        )
        return Panel(
            code,
            title=f"{self._name}: {count_lines(self._text)} of {count_lines(self._original)} lines",
            subtitle=self._cut or None,
            border_style="cyan",
            height=rows + _FRAME_LINES,
        )

    def _size(self, options: ConsoleOptions) -> Text:
        """Write what is left, and the share that is gone."""
        left, total = len(self._text), len(self._original)
        status = Text(no_wrap=True, overflow="crop")
        status.append(format_size(left), "bold green").append(f" of {format_size(total)}")
        return status.append(f"{_dot(options)}{100 - round(100 * left / total)} % removed", "green")

    def _effort(self, options: ConsoleOptions) -> Text:
        """Write runs, rate and pass."""
        status, dot = Text(no_wrap=True, overflow="crop"), _dot(options)
        if self._counts is not None:
            rate = self._counts.runs / self._counts.seconds if self._counts.seconds else 0.0
            status.append(f"{self._counts.runs} runs{dot}{rate:.0f} runs/s{dot}", "dim")
        return status.append(self._where, "cyan")

    def _history(self, options: ConsoleOptions) -> Text:
        """Draw the size over time, up to now."""
        levels = ASCII if options.ascii_only else BLOCKS
        now = self._counts.seconds if self._counts else 0.0
        line = sparkline(self._samples, now, max(options.max_width - 1, 1), levels, linear=True)
        return Text(line, "green", no_wrap=True, overflow="crop")


def _dot(options: ConsoleOptions) -> str:
    return " | " if options.ascii_only else " · "


def count_lines(text: bytes) -> int:
    """Return how many lines of a text are not blank."""
    return sum(1 for line in text.splitlines() if line.strip())


def _scrolled(top: int, focus: int, rows: int, count: int) -> int:
    """Return the first line to show: the old one, unless the focus would be out of sight."""
    if not top <= focus < top + rows:
        top = focus - rows // 2
    return max(min(top, count - rows), 0)
