"""Reports in files whose names say in which form: a page of HTML, or Markdown; `pollard report`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pollard.cli.console import say
from pollard.cli.options import PATH_TYPE
from pollard.cli.output import OutputError, require_writable
from pollard.errors import PollardError

if TYPE_CHECKING:
    from pollard.oracle import AnyOracle
    from pollard.report.finding import PastReduction
    from pollard.report.report_model import Report

_MAX_LISTED = 50
_PAGES = (".html", ".htm")
_MARKDOWN = (".md", ".markdown")


def require_report_name(path: Path) -> None:
    """Raise OutputError unless the name of a report's file says in which form it is wanted."""
    if path.suffix.lower() not in (*_PAGES, *_MARKDOWN):
        raise OutputError(f"{path}: name a report that ends in .html or in .md.")


def write_report_on(journal: Path, path: Path) -> None:
    """Write a report on the reduction with a journal, in the form that the name of `path` says.

    Raises OutputError, and NoReportError if the journal cannot be read.
    """
    from pollard.cli.reports import write  # noqa: PLC0415 (not for --help)
    from pollard.report.project_report import report_of  # noqa: PLC0415

    write(path, _written(path, report_of(journal)))


def report_now(journal: Path, oracle: AnyOracle, path: Path) -> None:
    """Write a report at the end of a reduction, with the version of the oracle's program.

    Raises as `write_report_on`.
    """
    from pollard.executors.program_version import program_version  # noqa: PLC0415 (not for --help)
    from pollard.oracle import CommandOracle  # noqa: PLC0415
    from pollard.report.account import Account  # noqa: PLC0415

    account = Account.read(journal)
    if account is not None and isinstance(oracle, CommandOracle):
        account.with_version(program_version(oracle)).write(journal)
    write_report_on(journal, path)


def _written(path: Path, report: Report) -> str:
    if path.suffix.lower() in _PAGES:
        from pollard.report.html.page import page  # noqa: PLC0415 (loads Pygments and leather)

        return page(report)
    from pollard.report.markdown import markdown  # noqa: PLC0415 (only for Markdown)

    return markdown(report)


@click.command("report", short_help="Write a report on a past reduction.")
@click.argument("where", required=False, metavar="[REDUCTION]")
@click.option(
    "-o",
    "--out",
    metavar="REPORT",
    type=PATH_TYPE,
    help="Write a page there (.html), or Markdown (.md). [default: NAME.report.html]",
)
@click.option("--list", "listing", is_flag=True, help="List the reductions that can be named.")
def report(where: str | None, out: Path | None, listing: bool) -> int:
    """Write a report on a past reduction, from the command line or from an editor.

    REDUCTION is a file that was reduced, a number of `pollard report --list`, or the directory of a
    journal. Without it, the newest reduction is meant.

    \b
    Examples:
      pollard report
      pollard report crash.c -o crash.html
      pollard report 2 -o crash.md
    """  # noqa: D301 (\\b is for click)
    from pollard.report.finding import past_reductions, reduction_named  # noqa: PLC0415

    if listing:
        if where or out:
            raise click.UsageError("--list takes neither a REDUCTION nor -o.")
        _list(past_reductions())
        return 0
    _report_on(reduction_named(where or "", Path(where or "")), out)
    return 0


def _report_on(reduction: PastReduction, out: Path | None) -> None:
    chosen = out or Path(f"{Path(reduction.place).name}.report.html")
    require_report_name(chosen)
    if chosen.resolve() == Path(reduction.place).resolve():
        raise OutputError(f"{chosen} is the file that was reduced; choose another with -o.")
    require_writable(chosen, "choose another file with -o")
    write_report_on(reduction.directory, chosen)
    say(f"the report on {reduction.place} is in {chosen}")


def _list(reductions: list[PastReduction]) -> None:
    if not reductions:
        raise PollardError("There is no reduction on this machine yet to report on.")
    from pollard.quantities import format_size  # noqa: PLC0415 (not for --help)

    for number, one in enumerate(reductions[:_MAX_LISTED], 1):
        before, after = map(format_size, one.sizes)
        written = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.written))
        click.echo(f"{number:>3}  {written}  {before} -> {after}  {one.place}")
    if len(reductions) > _MAX_LISTED:
        click.echo(f"     and {len(reductions) - _MAX_LISTED} older ones")
