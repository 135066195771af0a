"""The commands that show something and reduce nothing: check, languages, strategies and tree."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pollard.cli.console import NOT_INTERESTING, USAGE
from pollard.cli.options import (
    FilesCommand,
    OracleRequest,
    ProjectOptions,
    own_options,
    takes_oracle,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pollard.oracle import Check
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Reach
    from pollard.syntax.tree.document import Document
    from pollard.syntax.tree.edits import Edit


@click.command(
    "check", cls=FilesCommand, short_help="Run the oracle on FILE and explain what it saw."
)
@takes_oracle
def check(file: Path, language: str | None, checks: int | None, **options: Any) -> int:
    """Run the oracle on FILE, which stays as it is, and explain what it saw.

    \b
    Examples:
      pollard check crash.c -- gcc -O2 -c {file}
      pollard check crash.c --oracle gcc-ice

    Exit codes: 0 interesting, 2 usage or settings, 3 not interesting or flaky.
    """  # noqa: D301
    checked = _checked(file, language, checks, **options)
    click.echo(checked.describe())
    if not checked.interesting:
        from pollard.cli.target import hints_about  # noqa: PLC0415 (not for --help)

        for hint in hints_about(options["command"][1], own_options()):
            click.echo(hint)
        return USAGE if checked.error else NOT_INTERESTING
    from pollard.quantities import format_duration  # noqa: PLC0415 (not for --help)

    click.echo(f"timeout of each run: {format_duration(checked.timeout)}")
    return 0


def _checked(file: Path, language: str | None, checks: int | None, **options: Any) -> Check:
    request, project = OracleRequest.pop_from(options), ProjectOptions.pop_from(options)
    if file.is_dir() or request.more_files:
        from pollard.cli.folders.folders import check_project  # noqa: PLC0415 (not for --help)

        return check_project(file, checks, request, project)
    project.require_project()
    return _check_file(file, language, checks, request)


def _check_file(
    file: Path, language: str | None, checks: int | None, request: OracleRequest
) -> Check:
    from pollard.cli import target  # noqa: PLC0415 (not for --help)
    from pollard.cli.console import say  # noqa: PLC0415
    from pollard.cli.diagnosing import with_diagnostic_named  # noqa: PLC0415
    from pollard.cli.reports import measuring  # noqa: PLC0415
    from pollard.cli.sandbox import require_consent  # noqa: PLC0415
    from pollard.cli.session import waited_for  # noqa: PLC0415
    from pollard.executors import check_oracle  # noqa: PLC0415
    from pollard.oracle import CancelToken  # noqa: PLC0415
    from pollard.settings import settings_for  # noqa: PLC0415
    from pollard.syntax.encodings.encoding import text_of  # noqa: PLC0415
    from pollard.syntax.grammars.languages import grammar_for  # noqa: PLC0415

    text = target.read_file(file)
    changes = {"checks": checks, "executor": request.executor}
    settings = settings_for(file).override(changes)
    grammar = grammar_for(file.name, text_of(text), language)
    oracle = target.oracle_for(request, settings, file, grammar.name if grammar else None)
    oracle = with_diagnostic_named(oracle, file.name, text)
    require_consent(oracle, allowed=request.allow_unconfined)
    token = CancelToken()
    return waited_for(
        lambda: check_oracle(
            oracle,
            file.name,
            text,
            runs=settings.checks,
            cancelled=token,
            on_step=lambda what: say(measuring(what)),
        ),
        token.set,
    )


_COLUMNS = ("language", "also called", "extensions", "source", "package")


@click.command("languages", short_help="List the languages that Pollard can parse here.")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def languages(name: str | None, as_json: bool) -> int:
    """List the languages that Pollard can parse here; with NAME, those whose names contain it.

    A language that is parsed with a related language's grammar is listed under that language. The
    source is where the grammar comes from: a wheel of its own, the language pack, or
    tree-sitter-languages. Piped, the columns are separated by tabs.
    """
    rows = [row for row in _language_rows() if name is None or _is_named(row, name)]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
    elif not rows:
        click.echo(f"no installed grammar is for a language called {name!r}", err=True)
    else:
        _print_table([_cells(row) for row in rows])
    return 0 if rows else 1


def _language_rows() -> list[dict[str, Any]]:
    from pollard.syntax.grammars.language_facts import (  # noqa: PLC0415 (not for --help)
        aliases,
        extensions,
        relatives,
    )
    from pollard.syntax.grammars.languages import available  # noqa: PLC0415

    grammars = available()
    with_grammar = {grammar.name for grammar in grammars}
    read_by = {
        name: [
            other
            for other, relative in relatives().items()
            if relative == name and other not in with_grammar
        ]
        for name in with_grammar
    }
    return [
        {
            "name": grammar.name,
            "aliases": [*aliases(grammar.name), *read_by[grammar.name]],
            "extensions": [
                extension
                for extension, language in extensions().items()
                if language in (grammar.name, *read_by[grammar.name])
            ],
            "source": grammar.source,
            "package": grammar.package,
            "version": grammar.version,
        }
        for grammar in grammars
    ]


def _is_named(row: dict[str, Any], name: str) -> bool:
    from pollard.syntax.grammars.language_facts import canonical  # noqa: PLC0415 (not for --help)

    wanted = name.strip().lower()
    names = (row["name"], *row["aliases"])
    return canonical(wanted) in names or any(wanted in each for each in names)


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    extensions = " ".join(f".{extension}" for extension in row["extensions"])
    package = f"{row['package']} {row['version']}"
    return row["name"], " ".join(row["aliases"]), extensions, row["source"], package


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    if not sys.stdout.isatty():
        click.echo("\n".join("\t".join(row) for row in (_COLUMNS, *rows)))
        return
    from rich.console import Console  # noqa: PLC0415 (slow to import)
    from rich.table import Table  # noqa: PLC0415

    table = Table(*_COLUMNS, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    Console().print(table)


@click.command("strategies", short_help="List the passes and the strategies made of them.")
def strategies() -> None:
    """List the passes, the strategies made of them, and the list minimisers.

    --strategy takes a preset, or passes joined by +; a * after a pass repeats it until nothing
    changes any more. After a colon a pass may have a list minimiser with any of its suffixes, as in
    hddh:ddmin-complement-4*; passes that minimise no lists, such as hoist, take none.
    """
    from pollard.passes.catalogue import PASSES  # noqa: PLC0415 (not for --help)
    from pollard.passes.strategy import PRESETS  # noqa: PLC0415
    from pollard.search.registry import summaries  # noqa: PLC0415

    click.echo("Passes")
    _print_summaries((name, each.summary) for name, each in PASSES.items())
    click.echo("\nPresets")
    _print_summaries((name, ", then ".join(steps)) for name, steps in PRESETS.items())
    click.echo("\nList minimisers, for after a colon, and their suffixes")
    _print_summaries(summaries())


def _print_summaries(rows: Iterable[tuple[str, str]]) -> None:
    for name, text in rows:
        click.echo(f"  {name:<20} {text}")


_PREVIEW_CHARACTERS = 40
_MAX_INDENTED_LEVELS = 40
# Bytes to parse when finding what can be removed; beyond it, equal shapes count as equally removable.
_PARSE_BUDGET_BYTES = 5_000_000
_MIN_PARSE_COST_BYTES = 8_000


@click.command("tree", short_help="Show FILE as Pollard sees it: levels, kinds, what can go.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-l", "--language", metavar="L", help="FILE's language, if its name does not tell.")
@click.option("--depth", metavar="N", type=click.IntRange(0), help="Show only levels 0 to N.")
def tree(file: Path, language: str | None, depth: int | None) -> None:
    """Show FILE as Pollard sees it, one node a line: its level, kind, size and text.

    A node marked with - can be removed and leaves a file that parses; a comma before or after the
    mark says that the token before or after it goes too, like the comma of a list. Whether the
    failure stays is for the oracle to say.
    """
    from pollard.cli import target  # noqa: PLC0415 (not for --help)
    from pollard.syntax.encodings.encoding import text_of  # noqa: PLC0415
    from pollard.syntax.grammars.languages import grammar_for, is_plain  # noqa: PLC0415
    from pollard.syntax.tree.document import Document  # noqa: PLC0415
    from pollard.syntax.tree.fitting import fitting  # noqa: PLC0415

    text = text_of(target.read_file(file))
    grammar = grammar_for(file.name, text, language)
    if grammar is None and not is_plain(language) and (grammar := fitting(text)):
        click.echo(
            f"No grammar knows {file}: it is parsed with that of {grammar.name}, which fits best.",
            err=True,
        )
    if grammar is None:
        raise target.FileError(
            f"No installed grammar knows {file}: it is reduced by lines and characters; name its "
            "language with --language."
        )
    for line in _lines(Document(text, grammar.language), depth):
        click.echo(line)


def _lines(document: Document, depth: int | None) -> Iterator[str]:
    from pollard.syntax.branches.branches import Preprocessing, root_branch  # noqa: PLC0415

    reach = _reach_of(document)
    errors = document.errors
    yield f"{'errors' if errors != 1 else 'error'}: {errors}" if errors else "no syntax errors"
    stack = [(0, root_branch(document.root, Preprocessing(), document))]
    while stack:
        level, branch = stack.pop()
        yield _line(level, branch, reach(branch) if branch.parent else None, document.text)
        if depth is None or level < depth:
            stack.extend((level + 1, child) for child in reversed(branch.children))


def _reach_of(document: Document) -> Callable[[Branch], Reach | None]:
    from pollard.syntax.branches.units import UnitFinder  # noqa: PLC0415
    from pollard.syntax.islands.islands import IslandGuard  # noqa: PLC0415 (not for --help)

    islands = IslandGuard()

    def accepts(edit: Edit) -> bool:
        edited = document.edited((edit,))
        fits = not edited.has_more_errors_than(document.errors)
        return fits and not islands.rejects(document, (edit,), edited)

    return UnitFinder(
        accepts, max(len(document.text), _MIN_PARSE_COST_BYTES), _PARSE_BUDGET_BYTES
    ).reach


def _line(level: int, branch: Branch, reach: Reach | None, text: bytes) -> str:
    indent = "  " * min(level, _MAX_INDENTED_LEVELS)
    kind = "token" if branch.is_token else branch.node.type
    size = branch.end - branch.start
    return f"{_mark(reach):<3} {level:>3} {indent}{kind} {size} B {_preview(branch, text)}"


def _mark(reach: Reach | None) -> str:
    if reach is None:
        return ""
    left, right = reach.value
    return f"{',' if left else ''}-{',' if right else ''}"


def _preview(branch: Branch, text: bytes) -> str:
    start = text[branch.start : min(branch.end, branch.start + 4 * _PREVIEW_CHARACTERS)]
    words = " ".join(start.decode("utf-8", "replace").split())
    return f"{words[:_PREVIEW_CHARACTERS]!r}{'...' if len(words) > _PREVIEW_CHARACTERS else ''}"
