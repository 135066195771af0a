"""The server's reports on the reduction of a folder."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from pygls.uris import from_fs_path

from pollard.events import Progress
from pollard.oracle.failures.comparing import compared, has_changed
from pollard.project.outcome import (
    FilesReduced,
    ProjectStarted,
)
from pollard.quantities import count_of, format_duration, format_size
from pollard_server.jobs.reduction_reports import ReductionReports
from pollard_server.jobs.round import REPORT_SECONDS
from pollard_server.protocol.notifications import ShownFailure, ShownOtherFailure
from pollard_server.records import RecordedOther

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.project.outcome import (
        ProjectEvent,
        ProjectResult,
        ProjectSize,
    )


class FolderReports(ReductionReports):
    """Reports one reduction of a folder; all but the inherited methods are for the worker's thread."""

    _figured = float("-inf")

    def begin(self, size: int) -> None:
        """Announce the reduction of a folder, whose files are not read yet."""
        self.latest = replace(self.latest, files=0)
        super().begin(size)

    def on_event(self, event: ProjectEvent) -> None:
        """Report an event of the engine."""
        if isinstance(event, ProjectStarted):
            self._begun(event)
        elif isinstance(event, FilesReduced) or (isinstance(event, Progress) and self._is_due()):
            self._figures(event)

    def _is_due(self) -> bool:
        """Return whether figures may be reported again; runs can be very fast."""
        now = time.monotonic()
        due = now >= self._figured + REPORT_SECONDS
        self._figured = now if due else self._figured
        return due

    def _begun(self, event: ProjectStarted) -> None:
        failure, size = ShownFailure.of(event.failure), event.original
        self.latest = replace(
            self.latest, bytes=size.bytes, original_bytes=size.bytes, files=size.files
        )
        self.announce(failure, event.notes)

    def _figures(self, event: FilesReduced | Progress) -> None:
        if isinstance(event, FilesReduced):
            self.latest = replace(self.latest, files=event.files)
            self.figures(event.counts, event.size, event.where)
        else:
            self.figures(event.counts, event.bytes, event.where)

    def ended(self, result: ProjectResult, place: Path | None) -> None:
        """Report the end; `place` is the folder with the result, None if nothing was reduced."""
        changed = bool(compared(result.original_failure, result.failure)) and has_changed(
            result.original_failure, result.failure
        )
        self.latest = replace(
            self._counted(result.counts),
            state="stopped" if result.cancelled else "done",
            bytes=result.reduced.bytes,
            files=result.reduced.files,
            message=_summary(result, place),
            result=from_fs_path(str(place)) if place else None,
            original_failure=ShownFailure.of(result.original_failure),
            failure=ShownFailure.of(result.failure),
            failure_changed=changed and not result.cancelled,
            others=ShownOtherFailure.all_of(map(RecordedOther.of, result.others)),
        )
        self.log_notes(result.notes)

    def warn_of_changes(self, set_aside: list[Path]) -> None:
        """Say where what somebody else changed in the result is now."""
        for place in set_aside:
            self._warn(
                f"The result of {self._name} was changed meanwhile; the changed files are in {place}."
            )


def _summary(result: ProjectResult, place: Path | None) -> str:
    counts = result.counts
    sizes = f"{_described(result.original)} → {_described(result.reduced)}"
    runs = ", ".join([count_of(counts.runs, "run"), *counts.unresolved])
    costs = f"{sizes}, {runs}, {format_duration(counts.seconds)}"
    where = f"; the result is in {place}" if place else "; nothing was reduced"
    return f"{'stopped: ' if result.cancelled else ''}{costs}{where}"


def _described(size: ProjectSize) -> str:
    return f"{count_of(size.files, 'file')} with {format_size(size.bytes)}"
