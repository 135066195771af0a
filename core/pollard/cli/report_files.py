"""Writing a report to a file whose name says in which form: a page of HTML, or Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.cli.output import OutputError
from pollard.cli.reports import write

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.report.report_model import Report

_PAGES = (".html", ".htm")
_MARKDOWN = (".md", ".markdown")


def require_report_name(path: Path) -> None:
    """Raise OutputError unless the name of a report's file says in which form it is wanted."""
    if path.suffix.lower() not in (*_PAGES, *_MARKDOWN):
        raise OutputError(f"{path}: name a report that ends in .html or in .md.")


def write_report(path: Path, report: Report) -> None:
    """Write a report in the form that its name says. Raises OutputError."""
    write(path, _written(path, report))


def _written(path: Path, report: Report) -> str:
    if path.suffix.lower() in _PAGES:
        from pollard.report.html.page import page  # noqa: PLC0415 (loads Pygments and leather)

        return page(report)
    from pollard.report.markdown import markdown  # noqa: PLC0415 (only for Markdown)

    return markdown(report)
