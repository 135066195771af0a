"""One reduction of a directory or several files on the command line: its events, output and end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.cli import reports
from pollard.cli.console import (
    INTERRUPTED,
    NOT_INTERESTING,
    NOTHING_REDUCED,
    REDUCED,
    complain,
    on_terminal,
    say,
)
from pollard.cli.session import drawn_by, new_display
from pollard.errors import Cancelled
from pollard.file_tree import weight
from pollard.project.outcome import FilesReduced, ProjectEvent, ProjectResult, ProjectStarted
from pollard.project.project_reduction import ProjectReduction
from pollard.reduction import NotInteresting, Unstable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pollard.cli.folders.folder_output import FolderOutput
    from pollard.cli.session import ReportOptions
    from pollard.project.project_plan import ProjectPlan


class FolderSession:
    """Carries out a plan, reports to the user, and returns the exit code."""

    def __init__(self, plan: ProjectPlan, output: FolderOutput, options: ReportOptions) -> None:
        self._plan = plan
        self._output = output
        self._options = options
        self._reduction = ProjectReduction(plan, self._on_event)
        self._notes_shown = 0
        self._display = new_display(options, weight(plan.tree))
        self._listeners: list[Callable[[ProjectEvent], None]] = []
        if options.events:
            self._listeners.append(reports.EventWriter(options.name, output.label).on_event)
        if self._display is not None:
            self._listeners.append(self._display.on_event)

    def run(self) -> int:
        """Reduce until done or interrupted; return the exit code.

        Raises PollardError for any other end; the best tree so far is on disk then.
        """
        try:
            result = drawn_by(self._display, self._reduction.run, self._reduction.cancel)
        except Cancelled:
            say(reports.interruption("", self._output))
            self._write_stats_without_result(interrupted=True)
            return INTERRUPTED
        except (NotInteresting, Unstable) as error:
            self._output.discard()
            self._write_stats_without_result(interrupted=False)
            complain(str(error))
            return NOT_INTERESTING
        except Exception:
            self._keep_best()
            raise
        return self._finished(result)

    def _on_event(self, event: ProjectEvent) -> None:
        """Handle an event, in the reduction's thread: write the tree first, then inform listeners."""
        if isinstance(event, ProjectStarted):
            self._on_start(event)
        elif isinstance(event, FilesReduced):
            self._output.write(event.tree)
        for listener in self._listeners:
            listener(event)

    def _on_start(self, started: ProjectStarted) -> None:
        if on_terminal() and not self._options.quiet:
            self._notes_shown = len(started.notes)
            if self._display is None:
                say(reports.opening(self._options.name, started))
        if self._reduction.best != self._plan.tree:  # the result of the interrupted reduction
            self._output.write(self._reduction.best)

    def _write_stats_without_result(self, *, interrupted: bool) -> None:
        if self._options.stats is not None:
            result = self._reduction.without_result(interrupted=interrupted)
            statistics = reports.stats_of_files(result, interesting=False)
            reports.write_stats(self._options.stats, statistics)

    def _write_report(self, path: Path) -> None:
        from pollard.cli.report_files import report_now  # noqa: PLC0415 (rarely wanted)

        assert self._plan.journal is not None  # the command line always keeps one
        report_now(self._plan.journal, self._plan.each.oracle, path)

    def _keep_best(self) -> None:
        if self._reduction.best != self._plan.tree:
            self._output.finish(self._reduction.best)
            say(f"the best so far is in {self._output.label}")

    def _finished(self, result: ProjectResult) -> int:
        reduced = result.tree != self._plan.tree
        if reduced or not result.cancelled:
            self._output.finish(result.tree)
        if self._options.stats is not None:
            reports.write_stats(self._options.stats, reports.stats_of_files(result))
        if self._options.report is not None:
            self._write_report(self._options.report)
        if not self._options.quiet:
            for note in result.notes[self._notes_shown :]:
                say(note)
        if not self._options.quiet or result.cancelled:
            say(reports.closing(result, self._output, reduced=reduced))
        if result.cancelled:
            return INTERRUPTED
        return REDUCED if reduced else NOTHING_REDUCED
