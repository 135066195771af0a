"""The sections of the page that are tables and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.quantities import format_duration, format_size
from pollard.report.html.coloured import result_text
from pollard.report.html.comparison import comparison
from pollard.report.html.elements import (
    paragraph,
    preformatted,
    section,
    shown_text,
    table,
)
from pollard.report.printable import printable_output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.engine.statistics import PassStatistics
    from pollard.report.report_model import FileInReport, Report


def result_section(report: Report) -> str:
    """Return the result: a single file, or each file that is left."""
    if not report.is_directory:
        return section("result", "Result", result_text(report.files[0], "Result"))
    parts = [_file_table(report)]
    for file in report.files:
        if file.result is not None:
            name = shown_text(file.name)
            parts += [f"<h3>{name}</h3>", result_text(file, name)]
    return section("result", "Result", *parts)


def _file_table(report: Report) -> str:
    rows = [
        (
            file.name,
            "removed" if file.result is None else "kept",
            format_size(file.original_bytes),
            "" if file.result is None else format_size(len(file.result)),
        )
        for file in report.files
    ]
    kept = sum(file.result is not None for file in report.files)
    caption = f"{kept:,} of {len(report.files):,} files are needed."
    return table(caption, ("file", "outcome", "original", "result"), rows)


def failure_section(report: Report) -> str:
    """Return the failure, its command and its output."""
    parts = [paragraph(report.failure)] if report.failure else []
    if report.command:
        parts += ["<h3>Command</h3>", preformatted(shown_text(report.command), "Command")]
    parts.append("<h3>Output</h3>")
    output = printable_output(report.output)
    parts.append(
        preformatted(shown_text(output), "Output")
        if output
        else paragraph("The command printed nothing, or was not run again for the result.")
    )
    return section("failure", "Failure", *parts)


def facts_section(report: Report) -> str:
    """Return sizes, cost and versions."""
    parts = [table("The reduction", ("what", "value"), _facts(report))]
    if report.versions:
        items = "".join(f"<li>{shown_text(version)}</li>" for version in report.versions)
        parts.append(f"<h3>Versions</h3>\n<ul>{items}</ul>")
    parts += [paragraph(note) for note in report.notes]
    return section("facts", "Sizes and versions", *parts)


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    before, after = report.original_bytes, report.result_bytes
    share = f" ({after / before:.1%} of the original)" if before else ""
    yield "original", f"{before:,} bytes"
    yield "result", f"{after:,} bytes{share}"
    yield "runs of the command", f"{report.runs:,}"
    yield "time", format_duration(report.seconds)
    yield "accepted candidates", f"{len(report.steps):,}"
    if report.strategy:
        yield "strategy", f"{report.strategy}, {report.jobs} job{'s' if report.jobs != 1 else ''}"
    if report.began:
        yield "began", report.began.replace("T", " ").replace("Z", " UTC")


def passes_section(report: Report) -> str:
    """Return the table of passes."""
    if not report.passes:
        unknown = "The figures of the passes are known once the reduction has ended."
        missing = unknown if report.state else "No pass had anything to do."
        return section("passes", "Passes", paragraph(missing))
    columns = ("pass", "rounds", "runs", "accepted", "success rate", "saved", "time")
    caption = (
        "What each pass cost and achieved. Runs include verdicts that were already known; passes "
        "without any are left out."
    )
    rows = [_pass_row(each) for each in report.passes if each.runs or each.accepted]
    return section("passes", "Passes", table(caption, columns, rows))


def _pass_row(of: PassStatistics) -> tuple[str, ...]:
    rate = f"{of.accepted / of.runs:.0%}" if of.runs else "–"
    saved = f"{of.bytes_saved:,} bytes"
    seconds = format_duration(of.seconds)
    return (of.name, f"{of.rounds:,}", f"{of.runs:,}", f"{of.accepted:,}", rate, saved, seconds)


def others_section(report: Report) -> str:
    """Return the other failures that were seen; "" if there were none."""
    if not report.others:
        return ""
    rows = [(each.failure, f"{each.runs:,}", format_size(each.size)) for each in report.others]
    caption = "Failures of another kind that candidates showed; they were not followed."
    columns = ("failure", "candidates", "smallest text")
    return section("others", "Other failures", table(caption, columns, rows))


def comparison_section(report: Report) -> str:
    """Return the differences to the original."""
    left = [file for file in report.files if file.result is not None]
    parts: list[str] = []
    for file in left:
        parts += [f"<h3>{shown_text(file.name)}</h3>"] if report.is_directory else []
        parts.append(_compared(file))
    return section("comparison", "Difference to the original", *parts)


def _compared(file: FileInReport) -> str:
    if file.result == file.original:
        return paragraph("The file is as it was.")
    return comparison(file)
