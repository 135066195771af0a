"""What the display on a terminal says about the result to expect."""

from __future__ import annotations

import pytest
from rich.console import Console

from pollard.cli.progress import Display
from pollard.events import Counts, Progress, Size, Started
from pollard.forecast import Outlook


@pytest.mark.parametrize(
    ("outlook", "first_line"),
    [
        (Outlook(85, 0.5), "3.1 kB of 3.1 kB · about 85 B expected"),
        (Outlook(85, 0.01), "3.1 kB of 3.1 kB · likely final"),
        (Outlook(None, 0.5), "3.1 kB of 3.1 kB"),
    ],
)
def test_the_forecast_stands_beside_the_size(outlook: Outlook, first_line: str) -> None:
    display = Display("bug.c", 3100)
    display._dot = "·"
    display.on_event(Started(Size(3100, 3000, 500), "c", "default", 1, 10.0))
    display.on_event(Progress(3100, 3100, "heavy", Counts(runs=1), outlook))
    console = Console(width=80)
    with console.capture() as shown:
        console.print(display._drawing())
    assert first_line in [line.strip() for line in shown.get().splitlines()]
