"""The reduction of a file's companions on the command line, after that of the file itself."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from pollard.cli.console import NOTHING_REDUCED, REDUCED, say
from pollard.cli.folders.folder_output import FolderOutput
from pollard.cli.folders.folder_session import FolderSession
from pollard.cli.output import InPlace, Output, beside
from pollard.oracle import CommandOracle
from pollard.project.project_plan import original_place
from pollard.project.result_folder import free_place

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pollard.cli.session import ReportOptions
    from pollard.file_tree import FileTree
    from pollard.project.outcome import ProjectResult
    from pollard.project.project_journal import ProjectJournal
    from pollard.project.project_plan import ProjectPlan


class CompanionsSession(FolderSession):
    """Reduces companions into the folder OUT.files, or in place if the file was reduced so."""

    def __init__(
        self, plan: ProjectPlan, output: Output, options: ReportOptions, stats: Mapping[str, Any]
    ) -> None:
        """`output` is that of the file, and `stats` are its statistics."""
        self._stats_of_file = stats
        options = replace(options, name=plan.name, report=None)
        super().__init__(plan, _place(plan, output), options)

    def run_after(self, code: int) -> int:
        """Reduce after the file with the exit code `code`; return the exit code for both."""
        own = self.run()
        return code if own == NOTHING_REDUCED and code == REDUCED else own

    def _finished(self, result: ProjectResult) -> int:
        code = super()._finished(replace(result, others=()))  # nothing keeps them
        gone = [each.path for each in result.by_file if each.reduced is None]
        if gone and not (self._options.quiet or result.cancelled):
            say(f"not needed: {', '.join(gone)}")
        if isinstance(self._output, _CompanionsInPlace):
            for file in self._output.changed:
                say(f"the original of {file.label} is in {file.original_copy}")
        return code

    def _stats(self, result: ProjectResult) -> dict[str, Any]:
        companions = {
            "runs": result.counts.runs,
            "files": [asdict(each) for each in result.by_file],
        }
        return {**self._stats_of_file, "companions": companions}

    def _stats_without_result(self, *, interrupted: bool) -> dict[str, Any]:
        return self._stats(self._reduction.without_result(interrupted=interrupted))


class _CompanionsInPlace(FolderOutput):
    """The companions themselves, of each of which a copy is made before; unneeded ones stay."""

    can_resume = False

    def __init__(self, plan: ProjectPlan, oracle: CommandOracle) -> None:
        places = {path: original_place(oracle, path) for path in plan.tree}
        self._files = {
            path: InPlace(places[path], entry.content)
            for path, entry in plan.tree.items()
            if entry.is_file
        }

    @property
    def label(self) -> str:
        """The files in messages: those that were overwritten, before that all."""
        return ", ".join(each.label for each in self.changed or self._files.values())

    @property
    def set_aside(self) -> list[Path]:
        """Nothing, since a file that somebody else changed is left alone."""
        return []

    @property
    def changed(self) -> list[InPlace]:
        """The files that were overwritten."""
        return [each for each in self._files.values() if each.original_copy]

    def check(self, interrupted: ProjectJournal | None = None) -> None:  # noqa: ARG002 (for folders)
        """Raise OutputError if a file cannot be written."""
        for file in self._files.values():
            file.check()

    def write(self, tree: FileTree) -> None:
        """Write nothing before the end."""

    def finish(self, tree: FileTree) -> None:
        """Write the files that are left. Raises OutputError."""
        for path, output in self._files.items():
            if path in tree:
                output.finish(tree[path].content)

    def discard(self) -> None:
        """Do nothing, since nothing was written."""


def _place(plan: ProjectPlan, output: Output) -> FolderOutput:
    """Return where the companions go. Raises OutputError for an unwritable place, before any run."""
    oracle = plan.each.oracle
    assert isinstance(oracle, CommandOracle)
    if isinstance(output, InPlace):
        place: FolderOutput = _CompanionsInPlace(plan, oracle)
    else:
        own = output.path if output.keeps_best else beside(output.file, "reduced")
        place = FolderOutput(free_place(own, "files"))
    place.check()
    return place
