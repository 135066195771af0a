"""What the demo says at its end: the lines that matter, the figures, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from pollard.events import Size
from pollard.quantities import format_duration
from pollard.syntax.grammars import languages
from pollard.syntax.tree.document import Document
from pollard_server.demo.script import FAILURE, FILENAME, FUNCTION, LANGUAGE
from pollard_server.demo.view import count_lines

if TYPE_CHECKING:
    from rich.console import Console

    from pollard_server.demo.news import Ending

_NEXT = """\
Now a file of your own:  pollard reduce FILE -- COMMAND
COMMAND is run on smaller and smaller versions of FILE; let it exit with 0 as
long as the failure is there. What it makes of the file as it is now:
pollard check FILE -- COMMAND

The same happens in any editor with a language server client:  pollard serve"""


def say(console: Console, line: str = "", style: str = "") -> None:
    """Print a line as it is, without cutting or colouring what looks like markup or numbers."""
    console.print(Text(line, style), soft_wrap=True)


def tell(console: Console, original: bytes, ending: Ending, *, plain: bool) -> None:
    """Print what a reduction came to."""
    head = "The best so far" if ending.stopped else f"What matters of {FILENAME}"
    say(console, f"{head}:", "bold")
    say(console)
    _show(console, ending.text, plain=plain)
    say(console)
    say(console, f"It still dies in {FUNCTION}() with {FAILURE}.")
    say(console)
    console.print(_figures(original, ending.text))
    say(console)
    for line in (*_effort(ending), "", *_NEXT.splitlines()):
        say(console, line)


def _show(console: Console, text: bytes, *, plain: bool) -> None:
    code = text.decode("utf-8", "replace").strip("\n")
    if plain:
        for line in code.splitlines():
            say(console, f"    {line}".rstrip())
    else:
        syntax = Syntax(code, "python", theme="ansi_dark", background_color="default")
        console.print(Padding(syntax, (0, 4)))


def _figures(original: bytes, reduced: bytes) -> Table:
    table = Table("", "before", "after", box=None, padding=(0, 2, 0, 0), header_style="")
    for column in table.columns[1:]:
        column.justify = "right"
    texts = (original, reduced)
    language = languages.find(LANGUAGE).language
    sizes = [Size.of(Document(text, language)) for text in texts]
    table.add_row("lines (not blank)", *(str(count_lines(text)) for text in texts))
    table.add_row("tokens", *(str(size.tokens) for size in sizes))
    table.add_row("bytes", *(str(size.bytes) for size in sizes))
    return table


def _effort(ending: Ending) -> tuple[str, str]:
    figures = ending.figures
    cost = f"{figures.runs} times in {format_duration(figures.seconds)}"
    return (
        f"{FILENAME} was run {cost}; {figures.guarded} more candidates",
        "had syntax errors and were not run at all.",
    )
