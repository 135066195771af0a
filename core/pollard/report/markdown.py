"""A bug report in Markdown: the result, the command that shows the failure, and the versions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.quantities import format_size
from pollard.report.printable import printable, printable_output, printable_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.report.report_model import FileInReport, Report

# Longer results do not belong into an issue tracker's text field.
_MAX_SHOWN_BYTES = 50_000
_MAX_OUTPUT_LINES = 60


def markdown(report: Report) -> str:
    """Return the report as Markdown for an issue tracker."""
    return printable("\n\n".join(_parts(report))) + "\n"


def _parts(report: Report) -> Iterator[str]:
    yield _opening(report)
    if report.command:
        yield _fenced(report.command, "sh")
    if report.failure:
        yield from ("The failure:", _fenced(report.failure))
    if report.output:
        yield from ("The output:", _fenced(_last_lines(printable_output(report.output))))
    yield from (_shown(file, named=report.is_directory) for file in report.files if _is_left(file))
    if report.state:
        yield report.state
    yield from ("## Versions", "\n".join(f"- {version}" for version in report.versions))
    yield report.summary


def _opening(report: Report) -> str:
    what = (
        "The files below show the failure, in the directory"
        if report.is_directory
        else ("The file below,")
    )
    verb = "" if report.is_directory else ", shows the failure"
    run = "Save them and run:" if report.is_directory else "Save it and run:"
    return f"{what} {_code(report.name)}{verb}. {run if report.command else ''}".rstrip()


def _is_left(file: FileInReport) -> bool:
    return file.result is not None


def _last_lines(output: str) -> str:
    lines = output.splitlines()
    if len(lines) <= _MAX_OUTPUT_LINES:
        return output
    return "\n".join(["...", *lines[-_MAX_OUTPUT_LINES:]])


def _shown(file: FileInReport, *, named: bool) -> str:
    """Return the text of a result, or a sentence if it is too long; its name if there are several."""
    content = file.result or b""
    heading = f"{_code(file.name)}:\n\n" if named else ""
    if len(content) > _MAX_SHOWN_BYTES:
        return f"{heading}The file has {format_size(len(content))}; it is attached."
    return heading + _fenced(printable_text(content, file.encoding), file.language or "")


def _code(name: str) -> str:
    """Return a file's name as code within a line."""
    line = name.replace("\n", "\\n")
    fence = "`" * (_longest_row(line) + 1)
    return f"{fence} {line} {fence}" if "`" in line else f"{fence}{line}{fence}"


def _longest_row(text: str) -> int:
    """Return the length of the longest row of backticks."""
    return max((len(row) for row in re.findall("`+", text)), default=0)


def _fenced(text: str, language: str = "") -> str:
    """Return a code block whose fence is longer than any row of backticks in the text."""
    fence = "`" * max(_longest_row(text) + 1, 3)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
