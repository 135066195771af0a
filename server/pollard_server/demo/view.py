"""The live picture of a reduction: the buffer as it is now, and how far it has come."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group
from rich.panel import Panel
from rich.syntax import Syntax
from rich.text import Text

from pollard.journal import splice
from pollard.quantities import ASCII, BLOCKS, format_size, sparkline
from pollard_server.demo.news import Asked, Changed
from pollard_server.notifications import ProgressParams

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from pollard_server.demo.news import News

# The terminal's own colours, so that it can be read on any background.
_THEME = "ansi_dark"
_FRAME_LINES = 2
# Before the first pass is at work.
_BEFORE = {"checking": "checking the oracle", "reducing": "first runs"}


class View:
    """Listens to a reduction and draws its state whenever it is asked to, from any thread.

    `height` is the most lines of the picture; without one, as many as the terminal has.
    """

    def __init__(self, name: str, original: bytes, height: int | None = None) -> None:
        self._name = name
        self._original = original
        self._text = original
        self._height = height
        self._where = "starting the language server"
        self._figures: ProgressParams | None = None
        self._asked: tuple[str, ...] = ()
        self._samples = [(0.0, len(original))]
        self._cut = ""
        self._focus = 0
        self._top = 0

    def __call__(self, news: News) -> None:
        """Take note of what the editor has seen."""
        if isinstance(news, ProgressParams):
            self._figures = news
            self._where = news.pass_ or _BEFORE.get(news.state, news.message)
        elif isinstance(news, Asked):
            self._asked = (f'An editor asks first; here "{news.answer}" allowed', _command(news))
        elif isinstance(news, Changed):
            start, end, new = splice(self._text, news.text)
            self._focus = self._text.count(b"\n", 0, start)
            self._cut = f"last cut: {format_size(end - start - len(new))} here"
            self._text = news.text
            self._samples.append((self._seconds, len(news.text)))

    @property
    def _seconds(self) -> float:
        return self._figures.seconds if self._figures else 0.0

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the text above, the status below."""
        height = self._height or options.size.height - 1
        below = [
            *self._consent(),
            self._size(options),
            self._effort(options),
            self._history(options),
        ]
        yield Group(self._panel(max(height - len(below) - _FRAME_LINES, 1), options), *below)

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

    def _consent(self) -> list[Text]:
        """Write which command runs all the time, and who allowed it."""
        return [Text(line, "dim", no_wrap=True, overflow="crop") for line in self._asked]

    def _size(self, options: ConsoleOptions) -> Text:
        """Write what is left, and the share that is gone."""
        left, total = len(self._text), len(self._original)
        status = Text(no_wrap=True, overflow="crop")
        status.append(format_size(left), "bold green").append(f" of {format_size(total)}")
        return status.append(f"{_dot(options)}{100 - round(100 * left / total)} % removed", "green")

    def _effort(self, options: ConsoleOptions) -> Text:
        """Write runs, rate and pass."""
        status, dot = Text(no_wrap=True, overflow="crop"), _dot(options)
        figures = self._figures
        if figures is not None and figures.runs:
            status.append(f"{figures.runs} runs{dot}{figures.rate:.0f} runs/s{dot}", "dim")
        return status.append(self._where, "cyan")

    def _history(self, options: ConsoleOptions) -> Text:
        """Draw the size over time, up to now."""
        levels = ASCII if options.ascii_only else BLOCKS
        # Terminals write "^C" behind it, which must not begin a line.
        width = max(options.max_width - 3, 1)
        line = sparkline(self._samples, self._seconds, width, levels, linear=True)
        return Text(line, "green", no_wrap=True, overflow="crop")


def _command(asked: Asked) -> str:
    """Return the oracle's command as the question has it, but without the interpreter's folder."""
    lines = (line.strip() for line in asked.question.splitlines() if "{file}" in line)
    return "    " + next(lines, "").replace(f"{Path(sys.executable).parent}{os.sep}", "")


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
