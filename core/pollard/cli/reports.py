"""Events as JSON, one object a line on standard output, for programs that watch.

What a reduction came to: the lines for people and the statistics for programs.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pollard import __version__
from pollard.cli.output import OutputError
from pollard.events import Counts, Finished, PassEnded, Progress, Reduced, Result, Size, Started
from pollard.files import write_atomically
from pollard.quantities import format_duration, format_size
from pollard.syntax.tree.document import Document

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pollard.cli.output import Output
    from pollard.events import Event
    from pollard.reduction import Plan


_COUNTS = (
    "runs",
    "check_runs",
    "wasted_runs",
    "guarded",
    "cache_hits",
    "invalid",
    "timeouts",
    "reductions",
    "seconds",
    "oracle_seconds",
)


def opening(name: str, started: Started) -> str:
    """Return the line with which a reduction begins, and its notes."""
    facts = [
        format_size(started.original.bytes),
        started.language or "no grammar",
        f"strategy {started.strategy}",
        f"{started.jobs} job{'s' if started.jobs != 1 else ''}",
        f"timeout {format_duration(started.timeout)}",
    ]
    return "\n".join([f"{name}: {', '.join(facts)}", *started.notes])


def closing(result: Result, output: Output, *, reduced: bool) -> str:
    """Return the lines with which a reduction ends."""
    size = format_size(result.reduced.bytes)
    if result.cancelled:
        return interruption(size, output) if reduced else interruption("", output)
    counts = result.counts
    cost = ", ".join([f"{counts.runs} runs", *counts.unresolved, format_duration(counts.seconds)])
    if not reduced:
        return f"nothing could be reduced: {size}, {cost}"
    kept = f"; the original is in {output.kept}" if output.kept else ""
    return (
        f"{format_size(result.original.bytes)} -> {size}, {cost}\nwritten to {output.place}{kept}"
    )


def interruption(size: str, output: Output) -> str:
    """Return what to say of an interrupted reduction; `size` is empty if nothing was reduced."""
    if not size:
        return "interrupted: nothing was reduced yet; go on with --resume"
    kept = f" (the original is in {output.kept})" if output.kept else ""
    return f"interrupted: best so far, {size}, is in {output.place}{kept}; go on with --resume"


def stats(result: Result, language: str | None) -> dict[str, Any]:
    """Return the statistics of a reduction, as they stand in STATS.json."""
    counts = asdict(result.counts)
    return {
        "original": asdict(result.original),
        "reduced": asdict(result.reduced),
        **{name: counts[name] for name in _COUNTS},
        "strategy": result.strategy,
        "jobs": result.jobs,
        "interesting": result.interesting,
        "interrupted": result.cancelled,
        "language": language,
        "notes": list(result.notes),
        "passes": [asdict(one) for one in result.passes],
        "version": __version__,
    }


def refusal(plan: Plan, seconds: float, *, interrupted: bool) -> dict[str, Any]:
    """Return the statistics of a file that was not seen to be interesting: nothing was tried."""
    size = Size.of(Document(plan.text, plan.grammar.language if plan.grammar else None))
    strategy = plan.strategy.name if plan.strategy else "default"
    runs = max(plan.checks, plan.oracle.runs_required[1])
    counts = Counts(check_runs=runs, seconds=seconds)
    result = Result(plan.text, size, size, counts, strategy, plan.jobs, cancelled=interrupted)
    language = plan.grammar.name if plan.grammar else None
    return {**stats(result, language), "interesting": False}


def write_stats(path: Path, statistics: Mapping[str, Any]) -> None:
    """Write STATS.json at once and whole; raises OutputError."""
    try:
        write_atomically(path.resolve(), json.dumps(statistics, indent=2).encode() + b"\n")
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}; the result itself is complete."
        raise OutputError(message) from error


_PERIOD = 0.1


class EventWriter:
    """Writes each event as it happens; of progress, which comes with every run, ten a second.

    A text is never written: it is in the file named `output` when its event is.
    """

    def __init__(self, file: str, output: str) -> None:
        self._file = file
        self._output = output
        self._language: str | None = None
        self._last = 0.0

    def tell(self, event: Event) -> None:
        """Write an event; raises BrokenPipeError if nobody reads."""
        if isinstance(event, Started):
            self._language = event.language
            self._write("started", file=self._file, output=self._output, **asdict(event))
        elif isinstance(event, Progress) and time.monotonic() - self._last >= _PERIOD:
            self._last = time.monotonic()
            self._write("progress", **asdict(event), rate=round(event.rate, 3))
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

    def _write(self, name: str, /, **fields: Any) -> None:
        sys.stdout.write(json.dumps({"event": name, **fields}) + "\n")
        sys.stdout.flush()
