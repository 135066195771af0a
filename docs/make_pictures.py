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

from pollard.demo.script import FILENAME, plan
from pollard.demo.view import View
from pollard.events import Reduced
from pollard.reduction import Reduction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pollard.events import Event

_PICTURE = Path(__file__).with_name("demo.svg")
_ROWS = 36
_COLUMNS = 150
_MIDWAY = 0.4
_FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def main() -> None:
    """Reduce the demo's script, and draw three moments of it."""
    events: list[Event] = []
    original = plan().text
    Reduction(plan(), events.append).run()
    midway = next(
        place
        for place, event in enumerate(events, 1)
        if isinstance(event, Reduced) and len(event.text) < _MIDWAY * len(original)
    )
    moments = [_view(original, events[:place]) for place in (0, midway, len(events))]
    _PICTURE.write_text(_without_downloads(_drawn(moments)), encoding="utf-8")


def _view(original: bytes, events: Iterable[Event]) -> View:
    view = View(FILENAME, original, height=_ROWS)
    for event in events:
        view(event)
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
