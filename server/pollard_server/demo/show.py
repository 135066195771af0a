"""Shows the demo: live on a terminal, line by line elsewhere, and a summary at the end."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from rich.console import Group
from rich.live import Live
from rich.padding import Padding
from rich.panel import Panel
from rich.syntax import Syntax
from rich.text import Text

from pollard.events import Size
from pollard.journal import splice
from pollard.quantities import ASCII_LEVELS, BLOCK_LEVELS, format_duration, format_size, sparkline
from pollard.syntax.grammars import languages
from pollard.syntax.tree.document import Document
from pollard_server.demo.editor import Changed, drive
from pollard_server.demo.script import FAILURE, FILENAME, FUNCTION, LANGUAGE, count_lines, script
from pollard_server.protocol.notifications import ProgressParams

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from pollard_server.demo.editor import Ending, News

_INTERRUPTED = 130
_FRAMES_PER_SECOND = 12
_FRAME_LINES = 2
_THEME = "ansi_dark"  # the terminal's own colours, legible on any background
_INTRODUCTION = f"""\
    {FAILURE}
Pollard's language server now looks for the lines that matter; this demo is its
editor. Ctrl-C stops it.
"""
_NEXT = """
Now a file of your own:  pollard reduce FILE -- COMMAND
COMMAND is run on smaller and smaller versions of FILE; let it exit with 0 as
long as the failure is there. What it makes of the file as it is now:
pollard check FILE -- COMMAND

The same happens in any editor with a language server client:  pollard serve"""


def run(console: Console, *, plain: bool = False, jobs: int | None = None) -> int:
    """Let the language server reduce the bundled script; return 0, or 130 after Ctrl-C.

    It is shown live if `console` is a terminal and not `plain`, otherwise with a line for each edit.
    The result is the same for any number of `jobs`; None means one per core.
    Raises PollardError if the server cannot be started or fails.
    """
    live = console.is_terminal and not console.is_dumb_terminal and not plain
    original = script()
    lines = count_lines(original)
    _say(console, f"{FILENAME}, a program of {lines} lines, dies in {FUNCTION}() with", "bold")
    _say(console, _INTRODUCTION)
    view, ending = View(original), None
    picture = Live(view, console=console, refresh_per_second=_FRAMES_PER_SECOND, transient=True)
    sizes: list[int] = []  # of edits whose figures have not come yet

    def listen(news: News) -> None:
        view(news)
        _repeat(console, news)
        if not live:
            _print_edits(console, news, sizes)

    with contextlib.suppress(KeyboardInterrupt), picture if live else contextlib.nullcontext():
        ending = drive(listen, jobs=jobs)
    stopped = ending is None or ending.figures.state == "stopped"
    if ending is None or (stopped and ending.text == original):
        _say(console, "Stopped before the first reduction.")
    else:
        _sum_up(console, original, ending, live=live)
    return _INTERRUPTED if stopped else 0


def _say(console: Console, text: str = "", style: str = "") -> None:
    """Print a text as it is: not cut, and without colours for numbers or markup."""
    console.print(Text(text, style), soft_wrap=True)


def _repeat(console: Console, news: News) -> None:
    """Print what an editor would show in a message."""
    if isinstance(news, lsp.ShowMessageRequestParams):
        question = news.message.replace("\n", "\n    ")
        buttons = "  ".join(f"[{button.title}]" for button in news.actions or ())
        _say(console, f"Your editor would ask now:\n    {question}\n    {buttons}")
        _say(console, 'The demo answers "Run once".\n')
    elif isinstance(news, lsp.ShowMessageParams):
        _say(console, news.message, "yellow")


def _print_edits(console: Console, news: News, sizes: list[int]) -> None:
    """Print a line for each edit."""
    if isinstance(news, Changed):
        sizes.append(len(news.text))
    elif isinstance(news, ProgressParams):
        for size in sizes:
            _say(console, f"{size:>6} bytes  {news.runs:>5} runs  {news.pass_}")
        sizes.clear()


def _sum_up(console: Console, original: bytes, ending: Ending, *, live: bool) -> None:
    """Print the result, its figures, and what to do next."""
    head = "The best so far" if ending.figures.state == "stopped" else f"What matters of {FILENAME}"
    _say(console, f"{head}:\n" if live else f"\n{head}:\n", "bold")
    code = ending.text.decode("utf-8", "replace").strip("\n")
    if live:
        syntax = Syntax(code, LANGUAGE, theme=_THEME, background_color="default")
        console.print(Padding(syntax, (0, 4)))
    else:
        _say(console, "\n".join(f"    {line}".rstrip() for line in code.splitlines()))
    _say(console, f"\nIt still dies in {FUNCTION}() with {FAILURE}.\n")
    _compare(console, original, ending.text)
    figures = ending.figures
    cost = f"{figures.runs} times in {format_duration(figures.seconds)}"
    _say(console, f"\n{FILENAME} was run {cost}; {figures.guarded} more candidates")
    _say(console, f"had syntax errors and were not run at all.\n{_NEXT}")


def _compare(console: Console, *texts: bytes) -> None:
    """Print the sizes of the text before and after the reduction."""
    sizes = [Size.of(Document(text, languages.find(LANGUAGE).language)) for text in texts]
    rows: dict[str, list[object]] = {
        "": ["before", "after"],
        "lines (not blank)": [count_lines(text) for text in texts],
        "tokens": [size.tokens for size in sizes],
        "bytes": [size.bytes for size in sizes],
    }
    for label, (before, after) in rows.items():
        _say(console, f"{label:<19}{before:>6}  {after:>5}")


class View:
    """Follows a reduction, and draws its state whenever rich asks for it, from any thread.

    `height` is the maximum number of lines; without it, the picture fills the terminal.
    """

    def __init__(self, original: bytes, height: int | None = None) -> None:
        self._original = self._text = original
        self._height = height
        self._where, self._effort, self._seconds = "starting the language server", "", 0.0
        self._asked: list[str] = []
        self._samples = [(0.0, len(original))]
        self._cut, self._focus, self._top = "", 0, 0

    def __call__(self, news: News) -> None:
        """Update the picture with the editor's news."""
        if isinstance(news, ProgressParams):
            before = {"checking": "checking the oracle", "reducing": "first runs"}
            self._where = news.pass_ or before.get(news.state, news.message)
            self._effort = f"{news.runs} runs · {news.rate:.0f} runs/s · " if news.runs else ""
            self._seconds = news.seconds
        elif isinstance(news, lsp.ShowMessageRequestParams):
            self._asked = ['An editor asks first; here "Run once" allowed', _command(news.message)]
        elif isinstance(news, Changed):
            start, end, new = splice(self._text, news.text)
            self._focus = self._text.count(b"\n", 0, start)
            self._cut = f"last cut: {format_size(end - start - len(new))} here"
            self._text = news.text
            self._samples.append((self._seconds, len(news.text)))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the text above, the status below."""
        height, status = self._height or options.size.height - 1, self._status(options)
        rows = max(height - len(status) - _FRAME_LINES, 1)
        yield Group(self._panel(min(rows, self._original.count(b"\n")), options), *status)

    def _panel(self, rows: int, options: ConsoleOptions) -> Panel:
        """Draw as many lines of the text as fit, scrolled so that the latest cut is in sight."""
        lines = self._text.decode("utf-8", "replace").splitlines()
        if not self._top <= self._focus < self._top + rows:
            self._top = self._focus - rows // 2
        self._top = max(min(self._top, len(lines) - rows), 0)
        pointed = self._cut and not options.ascii_only  # the pointer is not an ASCII character
        code = Syntax(
            "\n".join(lines),
            LANGUAGE,
            theme=_THEME,
            background_color="default",
            line_numbers=True,
            line_range=(self._top + 1, self._top + rows),
            highlight_lines={self._focus + 1} if pointed else set(),
        )
        count, total = count_lines(self._text), count_lines(self._original)
        title, height = f"{FILENAME}: {count} of {total} lines", rows + _FRAME_LINES
        return Panel(
            code, title=title, subtitle=self._cut or None, border_style="cyan", height=height
        )

    def _status(self, options: ConsoleOptions) -> list[Text]:
        """Write the command that was allowed, the size, the runs, and the size over time."""
        left, total = len(self._text), len(self._original)
        removed, levels = f" · {100 - round(100 * left / total)} % removed", BLOCK_LEVELS
        effort = self._effort
        if options.ascii_only:
            removed, effort, levels = (
                removed.replace("·", "|"),
                effort.replace("·", "|"),
                ASCII_LEVELS,
            )
        width = max(options.max_width - 3, 1)  # leaves room for the "^C" that terminals write
        history = sparkline(self._samples, self._seconds, width, levels, linear=True)
        lines = [
            *(Text(line, "dim") for line in self._asked),
            Text(format_size(left), "bold green")
            + f" of {format_size(total)}"
            + Text(removed, "green"),
            Text(effort, "dim") + Text(self._where, "cyan"),
            Text(history, "green"),
        ]
        for line in lines:
            line.no_wrap, line.overflow = True, "crop"
        return lines


def _command(question: str) -> str:
    """Return the oracle's command in a question, without the interpreter's folder."""
    line = next((line.strip() for line in question.splitlines() if "{file}" in line), "")
    return f"    {line.replace(f'{Path(sys.executable).parent}{os.sep}', '')}"
