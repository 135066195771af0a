"""What the demo says at its end: the lines that matter, the figures, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.demo.script import FAILURE, FILENAME, FUNCTION
from pollard.demo.view import count_lines
from rich.padding import Padding
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from pollard.units import format_duration

if TYPE_CHECKING:
    from rich.console import Console

    from pollard.events import Result

_NEXT = """\
Now a file of your own:  pollard reduce FILE -- COMMAND
COMMAND is run on smaller and smaller versions of FILE; let it exit with 0 as
long as the failure is there. What it makes of the file as it is now:
pollard check FILE -- COMMAND"""


def say(console: Console, line: str = "", style: str = "") -> None:
    """Print a line as it is, without cutting or colouring what looks like markup or numbers."""
    console.print(Text(line, style), soft_wrap=True)


def tell(console: Console, original: bytes, result: Result, *, plain: bool) -> None:
    """Print what a reduction came to."""
    head = "The best so far" if result.cancelled else f"What matters of {FILENAME}"
    say(console, f"{head}:", "bold")
    say(console)
    _show(console, result.text, plain=plain)
    say(console)
    say(console, f"It still dies in {FUNCTION}() with {FAILURE}.")
    say(console)
    console.print(_figures(original, result))
    say(console)
    for line in (*_effort(result), "", *_NEXT.splitlines()):
        say(console, line)


def _show(console: Console, text: bytes, *, plain: bool) -> None:
    code = text.decode("utf-8", "replace").strip("\n")
    if plain:
        for line in code.splitlines():
            say(console, f"    {line}".rstrip())
    else:
        syntax = Syntax(code, "python", theme="ansi_dark", background_color="default")
        console.print(Padding(syntax, (0, 4)))


def _figures(original: bytes, result: Result) -> Table:
    table = Table("", "before", "after", box=None, padding=(0, 2, 0, 0), header_style="")
    for column in table.columns[1:]:
        column.justify = "right"
    before, after = result.original, result.reduced
    table.add_row("lines (not blank)", str(count_lines(original)), str(count_lines(result.text)))
    table.add_row("tokens", str(before.tokens), str(after.tokens))
    table.add_row("bytes", str(before.bytes), str(after.bytes))
    return table


def _effort(result: Result) -> tuple[str, str]:
    counts = result.counts
    cost = f"{counts.runs} times in {format_duration(counts.seconds)}"
    return (
        f"{FILENAME} was run {cost}; {counts.guarded} more candidates",
        "had syntax errors and were not run at all.",
    )
