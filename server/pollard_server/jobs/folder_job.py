"""One reduction of a folder, into a new folder beside it. No buffer is touched."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.api.several_files import project_plan_of
from pollard.errors import PollardError
from pollard.journal import claimed, journal_directory
from pollard.journal.journal import read_header
from pollard.oracle.command import names_file
from pollard.project.leaving_out import LeftOut
from pollard.project.project_files import read_directory
from pollard.project.project_journal import ProjectHeader, ProjectJournal
from pollard.project.reduction import ProjectReduction
from pollard.project.result_folder import ResultFolder, free_place
from pollard.reduction import NotInteresting, Unstable
from pollard.system import write_atomically
from pollard_server.jobs.folder_reports import FolderReports
from pollard_server.jobs.job_thread import JobThread
from pollard_server.jobs.permits import fetch_settings, request_permit
from pollard_server.jobs.planning import parsed_strategy
from pollard_server.jobs.reported_job import ReportedJob
from pollard_server.records.folder_record import other_files, record_oracle

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.file_tree import FileTree
    from pollard.project.outcome import ProjectEvent, ProjectResult
    from pollard.project.project_plan import ProjectPlan
    from pollard.settings import Settings
    from pollard_server.client.reporting import Token
    from pollard_server.jobs.folder_target import FolderTarget
    from pollard_server.jobs.job_thread import Services
    from pollard_server.protocol.arguments import ReduceFolderArguments
    from pollard_server.trust import Permit

# The file beside the journal with the path of the folder that has the result.
_PLACE_FILE = "result"


class FolderJob(ReportedJob):
    """Reduces a folder in a thread of its own; calls `ended` in the loop's thread at the end."""

    nothing_is_lost = "The folder itself is as it was."
    _reports: FolderReports

    def __init__(
        self,
        services: Services,
        target: FolderTarget,
        arguments: ReduceFolderArguments,
        token: Token | None,
        ended: Callable[[FolderJob], object],
        other: int | None = None,
    ) -> None:
        """`other` is the number of another failure of the latest reduction, to be reduced instead."""
        self.target = target
        self._other = other
        self._services = services
        self._arguments = arguments
        self._ended = ended
        self._worker = JobThread("reduction", self._work, lambda: services.client.post(self._end))
        self._reduction: ProjectReduction | None = None
        self._paused = False
        self._reports = FolderReports(services.client, self.id, target, token)

    @property
    def uri(self) -> str:
        """The URI of the folder."""
        return self.target.uri

    @property
    def paused(self) -> bool:
        """Whether the reduction waits for `resume`."""
        return self._paused

    # In the loop's thread:

    def start(self) -> None:
        """Start the worker thread."""
        self._reports.begin(0)
        self._worker.start()

    def stop(self) -> None:
        """End within half a second, with the best files so far; from any thread."""
        self._worker.stop()
        if self._reduction is not None:
            self._reduction.cancel()

    def abandon(self) -> None:
        """End now, from any thread: the editor is gone. The best so far stays on disk."""
        self.stop()

    def pause(self) -> None:
        """Start no further run of the oracle until `resume`."""
        self._paused = True
        if self._reduction is not None and not self._worker.stopping.is_set():
            self._reduction.pause()
        self._reports.pause("paused")

    def resume(self) -> None:
        """Go on."""
        self._paused = False
        if self._reduction is not None:
            self._reduction.resume()
        self._reports.resume()

    def _end(self) -> None:
        self._services.configuration.forget(self.target.settings_uri)
        self._reports.end()
        self._ended(self)

    def _set_reduction(self, reduction: ProjectReduction) -> None:
        """Let the user's actions reach the reduction, also those that came before it."""
        self._reduction = reduction
        if self._worker.stopping.is_set():
            reduction.cancel()
        elif self._paused:
            reduction.pause()

    # In the worker's thread:

    def _work(self) -> None:
        self.reporting_errors(self._reduce_and_write, self.target.name)

    def _reduce_and_write(self) -> None:
        try:
            self._reduce()
        except OSError as error:
            self._reports.failed(
                f"The result of {self.target.name} cannot be written: {error.strerror or error}; "
                "put that right and start again."
            )

    def _reduce(self) -> None:
        services, target, worker = self._services, self.target, self._worker
        settings = fetch_settings(services, worker, target)
        name, other = self._arguments.oracle, self._other
        permit = request_permit(services, worker, target, settings, name, on_files=True)
        home, resume = journal_directory(target.folder), self._arguments.resume
        if resume or other is not None:
            target = replace(target, main=_recorded_main(home))
        plan = replace(_plan(target, settings.settings, permit), name=target.name)
        if other is not None:
            plan, home = replace(plan, tree=other_files(home, other)), home / _word(other)
        # Another process, such as an editor's or `pollard reduce`, may have the folder's journal.
        with claimed(home, resume=resume) as journal:
            record_oracle(journal, permit.oracle.name)
            plan = replace(plan, journal=journal, resume=resume, place=target.folder)
            folder = _result_folder(plan, target.folder, _word(other))
            with services.shares.share() as share:
                result = self._run(replace(plan, each=replace(plan.each, share=share)), folder)
        # Only now, so that whoever starts again at once gets the journal.
        self._reports.ended(result, folder.path if result.tree != plan.tree else None)

    def _run(self, plan: ProjectPlan, folder: ResultFolder) -> ProjectResult:
        """Run the engine, and keep the folder up to date. Raises PollardErrors and OSError."""

        def on_event(event: ProjectEvent) -> None:
            best = reduction.best
            if best is not plan.tree:  # with the first event, that of the interrupted reduction
                folder.write(best)
            self._reports.on_event(event)

        reduction = ProjectReduction(plan, on_event)
        self._worker.wait_for(self._services.call_on_loop(lambda: self._set_reduction(reduction)))
        try:
            result = reduction.run()
            _keep(folder, result.tree, plan.tree)
        except (NotInteresting, Unstable):
            folder.discard()
            raise
        except PollardError:
            _keep(folder, reduction.best, plan.tree)
            raise
        finally:
            self._reports.warn_of_changes(folder.set_aside)
        return result


def _word(other: int | None) -> str:
    """Return what follows the folder's name in the name of the result."""
    return "reduced" if other is None else f"other-{other}"


def _keep(folder: ResultFolder, best: FileTree, original: FileTree) -> None:
    if best != original:
        folder.finish(best)


def _plan(target: FolderTarget, settings: Settings, permit: Permit) -> ProjectPlan:
    """Return the plan, with all files of the folder. Raises PollardError."""
    oracle, left_out = permit.oracle, LeftOut.by()
    if oracle.is_server:
        raise PollardError(
            f"The oracle {oracle.name!r} asks a language server about one file; choose another oracle."
        )
    needs_main = oracle.stdin or names_file(oracle.command)
    project = read_directory(target.folder, left_out)
    if needs_main and target.main not in project.tree:
        raise PollardError(
            f"The oracle {oracle.name!r} runs on one file of {target.name}; go to that file and start "
            "again."
        )
    return project_plan_of(
        settings,
        project,
        oracle,
        strategy=parsed_strategy(settings.strategy),
        main=target.main if needs_main else None,
        notes=left_out.notes,
    )


def _recorded_main(journal: Path) -> bytes | None:
    """Return the main file of the reduction that is resumed. Raises JournalError if there is none."""
    return os.fsencode(read_header(journal, ProjectHeader).main) or None


def _result_folder(plan: ProjectPlan, original: Path, word: str) -> ResultFolder:
    """Return the folder for the result: that of the interrupted reduction, or a new one.

    A folder in which somebody changed something is left alone. Raises JournalError if there is nothing
    to resume, and OSError.
    """
    assert plan.journal is not None
    file = plan.journal / _PLACE_FILE
    if plan.resume:
        interrupted = ProjectJournal.read(plan.journal, plan.tree)
        if file.is_file():
            earlier = ResultFolder(Path(os.fsdecode(file.read_bytes())))
            if earlier.is_empty or earlier.replaces(interrupted):
                return earlier
    folder = ResultFolder(free_place(original, word))
    write_atomically(file, os.fsencode(folder.path))
    return folder
