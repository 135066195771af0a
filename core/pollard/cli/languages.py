"""`pollard languages`: what can be parsed here, and where its grammar comes from."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

_TITLES = ("language", "also called", "extensions", "source", "package")


@click.command("languages", short_help="List the languages that Pollard can parse here.")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def command(name: str | None, as_json: bool) -> int:
    """List the languages that Pollard can parse here; with NAME, those whose names contain it.

    What has no grammar of its own, but is read by that of a relative, is listed as a name of that.
    The source is where the grammar comes from: a wheel of its own, the language pack, or
    tree-sitter-languages. Piped, the columns are separated by tabs.
    """
    rows = [row for row in _rows() if name is None or _is_called(row, name)]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
    elif not rows:
        click.echo(f"no installed grammar is for a language called {name!r}", err=True)
    else:
        _print([_cells(row) for row in rows])
    return 0 if rows else 1


def _rows() -> list[dict[str, Any]]:
    from pollard.syntax.file_types import EXTENSIONS  # noqa: PLC0415 (not for --help)
    from pollard.syntax.languages import available  # noqa: PLC0415
    from pollard.syntax.names import RELATIVES, aliases  # noqa: PLC0415

    grammars = available()
    own = {grammar.name for grammar in grammars}
    also = {
        name: [
            other for other, relative in RELATIVES.items() if relative == name and other not in own
        ]
        for name in own
    }
    return [
        {
            "name": grammar.name,
            "aliases": [*aliases(grammar.name), *also[grammar.name]],
            "extensions": [
                end
                for end, language in EXTENSIONS.items()
                if language in (grammar.name, *also[grammar.name])
            ],
            "source": grammar.source,
            "package": grammar.package,
            "version": grammar.version,
        }
        for grammar in grammars
    ]


def _is_called(row: dict[str, Any], name: str) -> bool:
    from pollard.syntax.names import canonical  # noqa: PLC0415 (not for --help)

    wanted = name.strip().lower()
    names = (row["name"], *row["aliases"])
    return canonical(wanted) in names or any(wanted in called for called in names)


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    extensions = " ".join(f".{extension}" for extension in row["extensions"])
    package = f"{row['package']} {row['version']}"
    return row["name"], " ".join(row["aliases"]), extensions, row["source"], package


def _print(rows: Sequence[Sequence[str]]) -> None:
    if not sys.stdout.isatty():
        click.echo("\n".join("\t".join(row) for row in (_TITLES, *rows)))
        return
    from rich.console import Console  # noqa: PLC0415 (only for people)
    from rich.table import Table  # noqa: PLC0415

    table = Table(*_TITLES, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    Console().print(table)
