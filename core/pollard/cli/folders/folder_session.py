"""One reduction of a directory or several files on the command line: its events, output and end."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from pollard.cli import reports
from pollard.cli.console import say
from pollard.cli.output import OutputError
from pollard.cli.session import AnySession
from pollard.file_tree import weight
from pollard.project.outcome import FilesReduced, ProjectEvent, ProjectResult, ProjectStarted
from pollard.project.reduction import ProjectReduction

if TYPE_CHECKING:
    from pollard.cli.folders.folder_output import FolderOutput
    from pollard.cli.session import ReportOptions
    from pollard.project.project_plan import ProjectPlan


class FolderSession(AnySession[ProjectResult]):
    """Carries out a plan, reports to the user, and returns the exit code."""

    def __init__(self, plan: ProjectPlan, output: FolderOutput, options: ReportOptions) -> None:
        oracle = plan.each.oracle
        super().__init__(plan.journal, oracle, output, options, resumes=plan.resume)
        self._plan = plan
        self._output = output
        self._reduction = ProjectReduction(plan, self._on_event)

    def run(self) -> int:
        """Reduce; see `carry_out`."""
        return self.carry_out(self._reduction, weight(self._plan.tree))

    def _on_event(self, event: ProjectEvent) -> None:
        """Handle an event, in the reduction's thread: write the tree first, then inform listeners."""
        if isinstance(event, ProjectStarted):
            self._tell_start(event)
            if self._reduction.best != self._plan.tree:  # the result of the interrupted reduction
                self._output.write(self._reduction.best)
        elif isinstance(event, FilesReduced):
            self._output.write(event.tree)
        for listener in self._listeners:
            listener(event)

    def _write_result(self, result: ProjectResult) -> bool:
        reduced = result.tree != self._plan.tree
        if reduced or not result.cancelled:
            self._output.finish(result.tree)
        return reduced

    def _withdraw(self) -> None:
        self._output.discard()

    def _stats(self, result: ProjectResult) -> dict[str, Any]:
        return reports.stats_of_files(result)

    def _stats_without_result(self, *, interrupted: bool) -> dict[str, Any]:
        result = self._reduction.without_result(interrupted=interrupted)
        return reports.stats_of_files(result, interesting=False)

    def _say_where_best_is(self) -> None:
        if self._reduction.best != self._plan.tree:
            with contextlib.suppress(OutputError):  # as the error that is told may say
                self._output.finish(self._reduction.best)
                say(f"the best so far is in {self._output.label}")
