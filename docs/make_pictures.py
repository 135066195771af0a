"""Draws docs/demo.svg, the README's picture: the demo's live view at its start, midway and at its end.

Run it from a checkout in which pollard is installed:  python docs/make_pictures.py
It runs the real demo (about half a minute); nothing in the picture is made up.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from pollard_server.demo.editor import Changed, drive
from pollard_server.demo.script import script
from pollard_server.demo.show import View

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pollard_server.demo.editor import News

_PICTURE = Path(__file__).with_name("demo.svg")
_ROWS = 36
_COLUMNS = 150
_MIDWAY = 0.4
_FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def main() -> None:
    """Let the server reduce the demo's script, and draw three moments of it."""
    told: list[News] = []
    original = script()
    drive(told.append)
    midway = next(
        place
        for place, news in enumerate(told, 1)
        if isinstance(news, Changed) and len(news.text) < _MIDWAY * len(original)
    )
    moments = [_view(original, told[:place]) for place in (0, midway, len(told))]
    _PICTURE.write_text(_without_downloads(_drawn(moments)), encoding="utf-8")


def _view(original: bytes, told: Iterable[News]) -> View:
    view = View(original, height=_ROWS)
    for news in told:
        view(news)
    return view


def _drawn(moments: Sequence[View]) -> str:
    console = Console(width=_COLUMNS, record=True, file=io.StringIO(), force_terminal=True)
    grid = Table.grid(expand=True, padding=(0, 1))
    for _ in moments:
        grid.add_column(ratio=1)
    grid.add_row(*moments)
    console.print(grid)
    return console.export_svg(title="pollard demo", unique_id="pollard-demo")


def _without_downloads(svg: str) -> str:
    """Take out the web fonts: the picture has to look right offline, and tell nobody of its readers.

    Blanks are marked as such, since some renderers drop those at the ends of a piece of text.
    """
    svg = svg.replace("<svg ", '<svg xml:space="preserve" ', 1)
    svg = re.sub(r"@font-face\s*\{[^}]*\}", "", svg)
    svg = re.sub(r"font-family:[^;]*;", f"font-family: {_FONTS};", svg)
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


if __name__ == "__main__":
    main()
