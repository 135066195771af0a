"""Shows the demo: live on a terminal, line by line anywhere else."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rich.live import Live

from pollard_server.demo.drive import drive
from pollard_server.demo.news import Asked, Changed, Warned
from pollard_server.demo.outcome import say, tell
from pollard_server.demo.process import SERVER
from pollard_server.demo.script import FAILURE, FILENAME, FUNCTION, script
from pollard_server.demo.view import View, count_lines
from pollard_server.notifications import ProgressParams

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console

    from pollard_server.demo.news import Ending, Listener, News

_INTERRUPTED = 130
_FRAMES_PER_SECOND = 12
_INTRODUCTION = """\
Pollard's language server now looks for the lines that matter; this demo is its
editor. Ctrl-C stops it."""


def run(
    console: Console,
    *,
    plain: bool = False,
    jobs: int | None = None,
    command: Sequence[str] = SERVER,
) -> int:
    """Let the language server reduce the bundled script; return 0, or 130 after Ctrl-C.

    It is shown live if `console` is a terminal and not `plain`, else by a line per edit. The result is
    the same for any number of `jobs`; None is one a core. `command` starts the server. Raises
    PollardError if that cannot be started or does not do its work.
    """
    live = console.is_terminal and not console.is_dumb_terminal and not plain
    original = script()
    lines = count_lines(original)
    say(console, f"{FILENAME}, a program of {lines} lines, dies in {FUNCTION}() with", "bold")
    say(console, f"    {FAILURE}")
    for line in _INTRODUCTION.splitlines():
        say(console, line)
    say(console)
    course = partial(drive, jobs=jobs, command=command)
    try:
        ending = _live(console, original, course) if live else course(_line_by_line(console))
    except KeyboardInterrupt:  # before the course minds Ctrl-C itself
        ending = None
    if ending is None or (ending.stopped and ending.text == original):
        say(console, "Stopped before the first reduction.")
        return _INTERRUPTED
    if not live:
        say(console)
    tell(console, original, ending, plain=not live)
    return _INTERRUPTED if ending.stopped else 0


def _live(
    console: Console, original: bytes, course: Callable[[Listener], Ending | None]
) -> Ending | None:
    view = View(FILENAME, original)

    def listen(news: News) -> None:
        view(news)
        _repeat(console, news)

    with Live(view, console=console, refresh_per_second=_FRAMES_PER_SECOND, transient=True):
        return course(listen)


def _line_by_line(console: Console) -> Listener:
    sizes: list[int] = []  # of edits that wait for figures, which come a moment later

    def listen(news: News) -> None:
        _repeat(console, news)
        if isinstance(news, Changed):
            sizes.append(len(news.text))
        elif isinstance(news, ProgressParams):
            for size in sizes:
                say(console, f"{size:>6} bytes  {news.runs:>5} runs  {news.pass_}")
            sizes.clear()

    return listen


def _repeat(console: Console, news: News) -> None:
    """Print what an editor would put before the user's eyes."""
    if isinstance(news, Asked):
        say(console, "Your editor would ask now:")
        for line in news.question.splitlines():
            say(console, f"    {line}")
        say(console, f"    {'  '.join(f'[{button}]' for button in news.buttons)}")
        say(console, f'The demo answers "{news.answer}".')
        say(console)
    elif isinstance(news, Warned):
        say(console, news.message, "yellow")
