"""`pollard strategies`: the passes, the presets made of them, and what minimises their lists."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable

# Where a docstring names its paper: for those who read the code.
_SOURCE = re.compile(r"\s*\([^()]*\d{4}[^()]*\)")


@click.command("strategies", short_help="List the passes and the strategies made of them.")
def command() -> None:
    """List the passes, the strategies made of them, and the list minimisers.

    --strategy takes a preset, or passes joined by +; a * after a pass repeats it until nothing
    changes any more. After a colon a pass may have a list minimiser with any of its suffixes, as in
    hddh:ddmin-complement-4*; passes that minimise no lists, such as hoist, take none.
    """
    from pollard.passes.strategy import PASSES, PRESETS  # noqa: PLC0415 (not for --help)
    from pollard.search.families import described  # noqa: PLC0415

    click.echo("Passes")
    _print((name, _first_line(inspect.getdoc(function))) for name, function in PASSES.items())
    click.echo("\nPresets")
    _print((name, ", then ".join(steps)) for name, steps in PRESETS.items())
    click.echo("\nList minimisers, for after a colon, and their suffixes")
    _print(described())


def _first_line(text: str | None) -> str:
    return _SOURCE.sub("", (text or "").partition("\n")[0])


def _print(rows: Iterable[tuple[str, str]]) -> None:
    for name, text in rows:
        click.echo(f"  {name:<20} {text}")
