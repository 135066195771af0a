"""`pollard check`: run the oracle on the original and explain what it saw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pollard.cli.exits import NOT_INTERESTING
from pollard.cli.options import OracleRequest, takes_oracle

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.oracle import Check


@click.command("check", short_help="Run the oracle on FILE and explain what it saw.")
@takes_oracle
def check(file: Path, language: str | None, checks: int | None, **options: Any) -> int:
    """Run the oracle on FILE, which stays as it is, and explain what it saw.

    \b
    Examples:
      pollard check crash.c -- gcc -O2 -c {file}
      pollard check crash.c --oracle gcc-ice

    Exit codes: 0 interesting, 2 usage or settings, 3 not interesting or flaky.
    """  # noqa: D301
    checked = _checked(file, language, checks, OracleRequest.taken_from(options))
    click.echo(checked.describe())
    if not checked.interesting:
        return NOT_INTERESTING
    from pollard.quantities import format_duration  # noqa: PLC0415 (not for --help)

    click.echo(f"timeout of each run: {format_duration(checked.timeout)}")
    return 0


def _checked(file: Path, language: str | None, checks: int | None, request: OracleRequest) -> Check:
    from pollard.cli import target as subject  # noqa: PLC0415 (not for --help)
    from pollard.cli.exits import interrupts  # noqa: PLC0415
    from pollard.cli.session import Worker  # noqa: PLC0415
    from pollard.executors import check_oracle  # noqa: PLC0415
    from pollard.oracle import CancelToken  # noqa: PLC0415
    from pollard.settings import settings_for  # noqa: PLC0415
    from pollard.syntax.grammars.languages import grammar_for  # noqa: PLC0415

    text = subject.read_file(file)
    settings = settings_for(file).override({"checks": checks})
    grammar = grammar_for(file.name, text, language)
    oracle = subject.oracle_for(request, settings, file, grammar.name if grammar else None)
    token = CancelToken()
    worker = Worker(
        lambda: check_oracle(oracle, file.name, text, runs=settings.checks, cancelled=token)
    )
    with interrupts(token.set):
        return worker.wait(token.set)
