"""Reports of a reduction: lines for people; statistics and events as JSON for programs."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pollard import __version__
from pollard.cli.output import OutputError
from pollard.events import (
    Counts,
    Finished,
    Measuring,
    PassEnded,
    Progress,
    Reduced,
    Result,
    Size,
    Started,
)
from pollard.oracle.checking.flakiness import compared_frequencies
from pollard.oracle.failures.comparing import compared
from pollard.project.outcome import (
    FilesReduced,
    ProjectEvent,
    ProjectFinished,
    ProjectResult,
    ProjectSize,
    ProjectStarted,
)
from pollard.quantities import count_of, format_duration, format_size
from pollard.syntax.tree.document import Document
from pollard.system import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pollard.cli.output import Destination
    from pollard.events import Event
    from pollard.oracle import OtherFailure
    from pollard.project.outcome import OtherTree
    from pollard.reduction import Plan


_GO_ON = "; go on with --resume"
_MAX_FILES_SHOWN = 20


def measuring(what: str) -> str:
    """Return the line about runs that measure how often a text fails."""
    return f"measuring {what} ..."


def opening(name: str, started: Started | ProjectStarted) -> str:
    """Return the first line of a reduction, followed by its notes."""
    size = format_size(started.original.bytes)
    if isinstance(started, ProjectStarted):
        facts = [f"{started.original.files} files with {size}"]
    else:
        facts = [size, started.language or "no grammar"]
    facts += [
        f"strategy {started.strategy}",
        count_of(started.jobs, "job"),
        f"timeout {format_duration(started.timeout)}",
    ]
    failure = [f"this failure: {started.failure}"] if started.failure else []
    return "\n".join([f"{name}: {', '.join(facts)}", *failure, *started.notes])


def closing(result: Result | ProjectResult, output: Destination, *, reduced: bool) -> str:
    """Return the last lines of a reduction; of several files, with one for each that is left."""
    size, counts = _described(result.reduced), result.counts
    if result.cancelled:
        return interruption(size if reduced else "", output)
    cost = ", ".join(
        [count_of(counts.runs, "run"), *counts.unresolved, format_duration(counts.seconds)]
    )
    further = _GO_ON if result.ended_by and output.can_resume else ""
    if not reduced:
        outcome = "nothing was reduced yet" if result.ended_by else "nothing could be reduced"
        return f"{outcome}: {size}, {cost}{further}"
    copy = f"; the original is in {output.original_copy}" if output.original_copy else ""
    return "\n".join(
        [
            f"{_described(result.original)} -> {size}, {cost}",
            *(_lines_of_files(result) if isinstance(result, ProjectResult) else []),
            f"written to {output.label}{copy}{further}",
            *compared(result.original_failure, result.failure),
            *(_frequencies(result) if isinstance(result, Result) else []),
        ]
    )


def _described(size: Size | ProjectSize) -> str:
    if isinstance(size, Size):
        return format_size(size.bytes)
    return f"{count_of(size.files, 'file')} with {format_size(size.bytes)}"


def _frequencies(result: Result) -> list[str]:
    return compared_frequencies(result.original_frequency, result.frequency)


def _lines_of_files(result: ProjectResult) -> list[str]:
    left = [each for each in result.by_file if each.reduced is not None]
    lines = [
        f"  {each.path}: {format_size(each.original)} -> {format_size(each.reduced or 0)}"
        for each in left[:_MAX_FILES_SHOWN]
    ]
    return lines + ([f"  and {len(left) - len(lines)} more"] if len(left) > len(lines) else [])


def others_seen(result: Result | ProjectResult) -> list[str]:
    """Return lines about the other failures that candidates showed; none if there were none."""
    others: Sequence[OtherFailure | OtherTree] = result.others
    if not others:
        return []
    noun = "failure" if len(others) == 1 else "failures"
    return [
        f"{len(others)} other {noun} seen; reduce one with --other N:",
        *(
            f"  {number}: {other.failure}, {format_size(other.bytes)}"
            for number, other in enumerate(others, 1)
        ),
    ]


def early_interruption(output: Destination, *, resumes: bool) -> str:
    """Return the line about an interruption before the search, of which nothing is recorded yet."""
    return interruption("", output) if resumes else "interrupted: nothing was reduced yet"


def interruption(size: str, output: Destination) -> str:
    """Return the line about an interrupted reduction; `size` is "" if nothing was reduced."""
    further = _GO_ON if output.can_resume else ""
    if not size:
        return f"interrupted: nothing was reduced yet{further}"
    copy = f" (the original is in {output.original_copy})" if output.original_copy else ""
    return f"interrupted: best so far, {size}, is in {output.label}{copy}{further}"


def stats(result: Result, language: str | None) -> dict[str, Any]:
    """Return the statistics of a reduction, as in STATS.json."""
    return {
        **_common_stats(result, interesting=result.interesting),
        "original_frequency": result.original_frequency and asdict(result.original_frequency),
        "frequency": result.frequency and asdict(result.frequency),
        "others": _stats_of_others(result),
        "language": language,
        **_last_stats(result),
    }


def stats_of_files(result: ProjectResult, *, interesting: bool = True) -> dict[str, Any]:
    """Return the statistics of a reduction of several files, as in STATS.json."""
    return {
        **_common_stats(result, interesting=interesting),
        "others": _stats_of_others(result),
        "files": [asdict(each) for each in result.by_file],
        **_last_stats(result),
    }


def _common_stats(result: Result | ProjectResult, *, interesting: bool) -> dict[str, Any]:
    return {
        "original": asdict(result.original),
        "reduced": asdict(result.reduced),
        **asdict(result.counts),
        "busy_workers": round(result.counts.busy_workers, 2),
        "strategy": result.strategy,
        "jobs": result.jobs,
        "interesting": interesting,
        "interrupted": result.cancelled,
        "ended_by": result.ended_by,
        "original_failure": result.original_failure and asdict(result.original_failure),
        "failure": result.failure and asdict(result.failure),
    }


def _stats_of_others(result: Result | ProjectResult) -> list[dict[str, Any]]:
    return [
        {**asdict(other.failure), "bytes": other.bytes, "runs": other.runs}
        for other in result.others
    ]


def _last_stats(result: Result | ProjectResult) -> dict[str, Any]:
    return {
        "notes": list(result.notes),
        "passes": [asdict(each) for each in result.passes],
        "version": __version__,
    }


def stats_without_result(
    plan: Plan, check_runs: int, seconds: float, *, interrupted: bool
) -> dict[str, Any]:
    """Return the statistics of a reduction that ended before the search, with nothing tried."""
    encoding = plan.chosen_encoding()
    language = plan.grammar.language if plan.grammar else None
    size = Size.of(Document(encoding.decoded(plan.text), language), encoding)
    strategy = plan.strategy.name if plan.strategy else "default"
    counts = Counts(check_runs=check_runs, seconds=seconds)
    result = Result(plan.text, size, size, counts, strategy, plan.jobs, cancelled=interrupted)
    name = plan.grammar.name if plan.grammar else None
    return {**stats(result, name), "interesting": False}


def write_stats(path: Path, statistics: Mapping[str, Any]) -> None:
    """Write STATS.json atomically. Raises OutputError."""
    write(path, json.dumps(statistics, indent=2) + "\n")


def write(path: Path, report: str) -> None:
    """Write a report atomically. Raises OutputError."""
    try:
        write_atomically(path.resolve(), report.encode())
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}; the result itself is complete."
        raise OutputError(message) from error


_PROGRESS_SECONDS = 0.1


class EventWriter:
    """Writes events on standard output as JSON, one per line; progress at most ten times a second.

    Events contain no text: when one is written, the text is in the file named `output`.
    """

    def __init__(self, file: str, output: str) -> None:
        self._file = file
        self._output = output
        self._language: str | None = None
        self._last_progress = 0.0

    def on_event(self, event: Event | ProjectEvent) -> None:
        """Write an event. Raises BrokenPipeError if the reader is gone."""
        if isinstance(event, (ProjectStarted, FilesReduced, ProjectFinished)):
            self._write_about_files(event)
            return
        if isinstance(event, Measuring):
            self._write("measuring", what=event.what)
        elif isinstance(event, Started):
            self._language = event.language
            self._write("started", file=self._file, output=self._output, **asdict(event))
        elif isinstance(event, Progress):
            self._write_progress(event)
        elif isinstance(event, Reduced):
            self._write(
                "reduced",
                number=event.number,
                bytes=len(event.text),
                where=event.where,
                counts=asdict(event.counts),
                output=self._output,
            )
        elif isinstance(event, PassEnded):
            self._write("pass", **asdict(event.statistics))
        elif isinstance(event, Finished):
            outcome = stats(event.result, self._language)
            self._write("finished", output=self._output, **outcome)

    def _write_about_files(self, event: ProjectStarted | FilesReduced | ProjectFinished) -> None:
        if isinstance(event, ProjectStarted):
            self._write("started", file=self._file, output=self._output, **asdict(event))
        elif isinstance(event, FilesReduced):
            self._write(
                "reduced",
                number=event.number,
                files=event.files,
                bytes=event.size,
                where=event.where,
                counts=asdict(event.counts),
                output=self._output,
            )
        else:
            self._write("finished", output=self._output, **stats_of_files(event.result))

    def _write_progress(self, event: Progress) -> None:
        now = time.monotonic()
        if now - self._last_progress >= _PROGRESS_SECONDS:
            self._last_progress = now
            self._write("progress", **asdict(event), rate=round(event.rate, 3))

    def _write(self, name: str, /, **fields: Any) -> None:
        sys.stdout.write(json.dumps({"event": name, **fields}) + "\n")
        sys.stdout.flush()
