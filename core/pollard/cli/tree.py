"""`pollard tree`: a file as Pollard sees it, to understand what a reduction can and cannot do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pollard.syntax.branches import Branch
    from pollard.syntax.document import Document
    from pollard.syntax.edits import Edit
    from pollard.syntax.units import Reach

_PREVIEW = 40
_DEEPEST_INDENT = 40
# Bytes parsed to find out what can go; beyond, branches of the same shape are taken to be alike.
_BUDGET = 5_000_000
_PARSE_COST = 8_000


@click.command("tree", short_help="Show FILE as Pollard sees it: levels, kinds, what can go.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-l", "--language", metavar="L", help="FILE's language, if its name does not tell.")
@click.option("--depth", metavar="N", type=click.IntRange(0), help="Show only levels 0 to N.")
def command(file: Path, language: str | None, depth: int | None) -> None:
    """Show FILE as Pollard sees it, one node a line: its level, kind, size and text.

    A node marked with - can be removed and leaves a file that parses; a comma before or after the
    mark says that the token before or after it goes too, like the comma of a list. Whether the
    failure stays is for the oracle to say.
    """
    from pollard.cli import subject  # noqa: PLC0415 (not for --help)
    from pollard.syntax.document import Document  # noqa: PLC0415
    from pollard.syntax.fitting import fitting  # noqa: PLC0415

    text = subject.read_file(file)
    grammar = subject.grammar_for(file, text, language)
    if grammar is None and not subject.is_plain(language) and (grammar := fitting(text)):
        click.echo(
            f"No grammar knows {file}: it is read by that of {grammar.name}, which fits it best.",
            err=True,
        )
    if grammar is None:
        raise subject.FileError(
            f"No installed grammar knows {file}: it is reduced by lines and characters; name its "
            "language with --language."
        )
    for line in _lines(Document(text, grammar.language), depth):
        click.echo(line)


def _lines(document: Document, depth: int | None) -> Iterator[str]:
    from pollard.syntax.branches import Preprocessing, root_branch  # noqa: PLC0415

    reach = _finder(document)
    errors = document.errors
    yield f"{'errors' if errors != 1 else 'error'}: {errors}" if errors else "no syntax errors"
    stack = [(0, root_branch(document.root, Preprocessing(), document))]
    while stack:
        level, branch = stack.pop()
        yield _line(level, branch, reach(branch) if branch.parent else None, document.text)
        if depth is None or level < depth:
            stack.extend((level + 1, child) for child in reversed(branch.children))


def _finder(document: Document) -> Callable[[Branch], Reach | None]:
    from pollard.syntax.borders import IslandGuard  # noqa: PLC0415 (not for --help)
    from pollard.syntax.units import UnitFinder  # noqa: PLC0415 (the same)

    islands = IslandGuard()

    def accepts(edit: Edit) -> bool:
        edited = document.edited((edit,))
        fits = not edited.has_more_errors_than(document.errors)
        return fits and not islands.rejects(document, (edit,), edited)

    return UnitFinder(accepts, max(len(document.text), _PARSE_COST), _BUDGET).reach


def _line(level: int, branch: Branch, reach: Reach | None, text: bytes) -> str:
    indent = "  " * min(level, _DEEPEST_INDENT)
    kind = "token" if branch.is_token else branch.node.type
    size = branch.end - branch.start
    return f"{_mark(reach):<3} {level:>3} {indent}{kind} {size} B {_preview(branch, text)}"


def _mark(reach: Reach | None) -> str:
    if reach is None:
        return ""
    left, right = reach.value
    return f"{',' if left else ''}-{',' if right else ''}"


def _preview(branch: Branch, text: bytes) -> str:
    head = text[branch.start : min(branch.end, branch.start + 4 * _PREVIEW)]
    words = " ".join(head.decode("utf-8", "replace").split())
    return f"{words[:_PREVIEW]!r}{'...' if len(words) > _PREVIEW else ''}"
