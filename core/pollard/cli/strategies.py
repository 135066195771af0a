"""`pollard strategies`: the passes, and the presets made of them."""

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
    """List the passes and the strategies made of them.

    --strategy takes a preset, or passes joined by +; a * after a pass repeats it until nothing
    changes any more.
    """
    from pollard.passes.strategy import PASSES, PRESETS  # noqa: PLC0415 (not for --help)

    click.echo("Passes")
    _print((name, _first_line(inspect.getdoc(function))) for name, function in PASSES.items())
    click.echo("\nPresets")
    _print((name, ", then ".join(steps)) for name, steps in PRESETS.items())


def _first_line(text: str | None) -> str:
    return _SOURCE.sub("", (text or "").partition("\n")[0])


def _print(rows: Iterable[tuple[str, str]]) -> None:
    for name, text in rows:
        click.echo(f"  {name:<15} {text}")
