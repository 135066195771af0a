"""Shows the demo: live on a terminal, line by line elsewhere, and a summary at the end."""

from __future__ import annotations

import contextlib
import os
import sys
from functools import partial
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from rich.live import Live
from rich.panel import Panel
from rich.syntax import Syntax
from rich.text import Text

from pollard.events import Size
from pollard.quantities import ASCII_LEVELS, BLOCK_LEVELS, format_duration, format_size, sparkline
from pollard.syntax.grammars import languages
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import splice
from pollard_server.demo.editor import Changed, drive
from pollard_server.demo.script import FAILURE, FILENAME, FUNCTION, LANGUAGE, count_lines, script
from pollard_server.protocol.notifications import ProgressParams

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from pollard_server.demo.editor import News

_INTERRUPTED = 130
_FRAME_LINES = 2
# The theme has the terminal's own colours, legible on any background.
_CODE = partial(Syntax, lexer=LANGUAGE, theme="ansi_dark", background_color="default")
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

    The reduction is shown live if `console` is a terminal and not `plain`, otherwise line by line.
    The result is the same for any number of `jobs`; None means one per core. Raises PollardError if
    the server cannot be started or fails.
    """
    live = console.is_terminal and not console.is_dumb_terminal and not plain
    # Texts are printed as they are: not cut, and without colours for numbers or markup.
    say = partial(console.print, soft_wrap=True, highlight=False, markup=False, emoji=False)
    original = script()
    lines = count_lines(original)
    say(f"{FILENAME}, a program of {lines} lines, dies in {FUNCTION}() with", style="bold")
    say(_INTRODUCTION)
    view, figures = View(original), None
    picture = Live(view, console=console, refresh_per_second=12, transient=True)
    sizes: list[int] = []  # of edits whose figures have not come yet

    def listen(news: News) -> None:
        view(news)
        if isinstance(news, lsp.ShowMessageRequestParams):
            _show_question(say, news)
        elif isinstance(news, lsp.ShowMessageParams):
            say(news.message, style="yellow")
        elif isinstance(news, Changed):
            sizes.append(len(news.text))
        while sizes and isinstance(news, ProgressParams) and not live:
            say(f"{sizes.pop(0):>6} bytes  {news.runs:>5} runs  {news.pass_}")

    with contextlib.suppress(KeyboardInterrupt), picture if live else contextlib.nullcontext():
        figures = drive(listen, jobs=jobs)
    stopped = figures is None or figures.state == "stopped"
    if figures is None or (stopped and view.text == original):
        say("Stopped before the first reduction.")
    else:
        if not live:
            say()
        _sum_up(say, original, view.text, figures)
    return _INTERRUPTED if stopped else 0


def _show_question(say: partial[None], question: lsp.ShowMessageRequestParams) -> None:
    """Print the question for consent as an editor would show it."""
    buttons = "  ".join(f"[{button.title}]" for button in question.actions or ())
    asked = indent(f"{question.message}\n{buttons}", "    ")
    say(f'Your editor would ask now:\n{asked}\nThe demo answers "Run once".\n')


def _sum_up(say: partial[None], original: bytes, text: bytes, figures: ProgressParams) -> None:
    """Print the result, its figures, and what to do next."""
    head = "The best so far" if figures.state == "stopped" else f"What matters of {FILENAME}"
    say(f"{head}:\n", style="bold")
    code = indent(text.decode("utf-8", "replace").strip("\n"), "    ")
    say(_CODE(code).highlight(code), end="")
    say(f"\nIt still dies in {FUNCTION}() with {FAILURE}.\n")
    grammar = languages.find(LANGUAGE).language
    tokens = [Size.of(Document(each, grammar)).tokens for each in (original, text)]
    for label, before, after in (
        ("", "before", "after"),
        ("lines (not blank)", count_lines(original), count_lines(text)),
        ("tokens", *tokens),
        ("bytes", len(original), len(text)),
    ):
        say(f"{label:<19}{before:>6}  {after:>5}")
    cost = f"{figures.runs} times in {format_duration(figures.seconds)}"
    say(f"\n{FILENAME} was run {cost}; {figures.guarded} more candidates")
    say(f"had syntax errors and were not run at all.\n{_NEXT}")


class View:
    """Follows a reduction, and draws its state whenever rich asks for it, from any thread.

    `height` is the maximum number of lines; without it, the picture fills the terminal.
    """

    def __init__(self, original: bytes, height: int | None = None) -> None:
        self.text = self._original = original
        self._height = height
        self._question, self._last_cut = "", ""
        self._where, self._effort, self._seconds = "starting the language server", "", 0.0
        self._samples = [(0.0, len(original))]
        self._focus = self._top = 0

    def __call__(self, news: News) -> None:
        """Update the picture with the editor's news."""
        if isinstance(news, ProgressParams):
            before = {"checking": "checking the oracle", "reducing": "first runs"}
            self._where = news.pass_ or before.get(news.state, news.message)
            self._effort = f"{news.runs} runs · {news.rate:.0f} runs/s · " if news.runs else ""
            self._seconds = news.seconds
        elif isinstance(news, lsp.ShowMessageRequestParams):
            command = next((line for line in news.message.splitlines() if "{file}" in line), "")
            command = command.replace(f"{Path(sys.executable).parent}{os.sep}", "")
            self._question = f'An editor asks first; here "Run once" allowed\n{command}\n'
        elif isinstance(news, Changed):
            start, _, _ = splice(self.text, news.text)
            self._focus = self.text.count(b"\n", 0, start)
            self._last_cut = f"last cut: {format_size(len(self.text) - len(news.text))} here"
            self.text = news.text
            self._samples.append((self._seconds, len(news.text)))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the text above, the status below."""
        status = self._status(options)
        height = (self._height or options.size.height - 1) - len(status.split())
        rows = max(height - _FRAME_LINES, 1)
        yield self._panel(min(rows, self._original.count(b"\n")), options)
        yield status

    def _panel(self, rows: int, options: ConsoleOptions) -> Panel:
        """Draw as many lines of the text as fit, scrolled so that the latest cut is in sight."""
        lines = self.text.decode("utf-8", "replace").splitlines()
        if not self._top <= self._focus < self._top + rows:
            self._top = self._focus - rows // 2
        self._top = max(min(self._top, len(lines) - rows), 0)
        # The pointer is not an ASCII character.
        has_pointer = self._last_cut and not options.ascii_only
        code = _CODE(
            "\n".join(lines),
            line_numbers=True,
            line_range=(self._top + 1, self._top + rows),
            highlight_lines={self._focus + 1} if has_pointer else set(),
        )
        title = f"{FILENAME}: {count_lines(self.text)} of {count_lines(self._original)} lines"
        height = rows + _FRAME_LINES
        return Panel(code, title=title, subtitle=self._last_cut, border_style="cyan", height=height)

    def _status(self, options: ConsoleOptions) -> Text:
        """Write the command that was allowed, the size, the runs, and the size over time."""
        dot, levels = ("|", ASCII_LEVELS) if options.ascii_only else ("·", BLOCK_LEVELS)
        size, total = len(self.text), len(self._original)
        width = max(options.max_width - 3, 1)  # leaves room for the "^C" that terminals write
        return Text.assemble(
            (self._question, "dim"),
            (format_size(size), "bold green"),
            f" of {format_size(total)}",
            (f" {dot} {100 - round(100 * size / total)} % removed\n", "green"),
            (self._effort.replace("·", dot), "dim"),
            (f"{self._where}\n", "cyan"),
            (sparkline(self._samples, self._seconds, width, levels, linear=True), "green"),
            no_wrap=True,
            overflow="crop",
        )
