"""Carries out the reduction of several files: checks them, searches, and confirms the result."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.errors import Cancelled
from pollard.executors import open_tree_executor
from pollard.oracle import Shares
from pollard.project.outcome import ProjectResult, ProjectSize, ProjectStarted
from pollard.project.phases.tree_subject import Canceller, TreeSubject
from pollard.project.reduction.new_tree_runs import NewTreeRuns
from pollard.project.reduction.tree_original import check_original_tree
from pollard.project.reduction.tree_search import TreeSearch
from pollard.project.tree_standing import TreeStanding

if TYPE_CHECKING:
    from pollard.file_tree import FileTree
    from pollard.project.phases.tree_subject import CheckedTree
    from pollard.project.project_plan import ProjectPlan
    from pollard.project.tree_standing import Listener

_EMPTY = "No file is needed: make sure that the oracle looks at the copy of the files, {dir}."


class ProjectReduction:
    """Carries out a plan; `listener` is called, in the thread of `run`, with every event."""

    def __init__(self, plan: ProjectPlan, listener: Listener = lambda _: None) -> None:
        self.plan = plan
        self._canceller = Canceller()
        self._share = plan.each.share or Shares(plan.each.jobs).share()
        self._standing = TreeStanding(plan, listener)
        self._search: TreeSearch | None = None

    @property
    def best(self) -> FileTree:
        """The smallest tree so far that was seen to be interesting; may be read from any thread."""
        return self._standing.known

    def cancel(self) -> None:
        """Stop, from any thread: `run` returns within half a second with the best so far."""
        self._canceller.cancel()

    def pause(self) -> None:
        """Start no further oracle run until `resume` is called; from any thread."""
        self._share.pause()
        self._standing.clock.pause()

    def resume(self) -> None:
        """Go on after `pause`, from any thread."""
        self._standing.clock.go_on()
        self._share.resume()

    def run(self) -> ProjectResult:
        """Reduce and return the result.

        Raises NotInteresting if the oracle does not hold for the original, Cancelled if it was
        cancelled before the search began, Unstable if the oracle holds for no accepted tree any more,
        and OracleError if it cannot be run.
        """
        with ExitStack() as stack:
            subject = self._open_subject(stack)
            stack.callback(self._standing.close)
            self._start(subject.original)
            new_runs, cancelled = self._search_and_confirm(subject, stack)
            result = replace(
                self._result(self.best, cancelled=cancelled),
                original_failure=subject.original.failure.told,
                failure=None if cancelled else new_runs.failure,
            )
            self._standing.finish(result, new_runs.confirmed)
            return result

    def _open_subject(self, stack: ExitStack) -> TreeSubject:
        """Check the original, and return it as what the search begins with."""
        plan, standing = self.plan, self._standing
        executor = open_tree_executor(plan.each.oracle, plan.main, share=self._share)
        stack.callback(executor.close)
        original = check_original_tree(executor, plan, standing, cancelled=self._canceller.token)
        return TreeSubject(plan, original, standing, self._canceller, self._share)

    def _start(self, original: CheckedTree) -> None:
        each, executor = self.plan.each, original.executor
        started = ProjectStarted(
            original=ProjectSize.of(self.plan.tree),
            strategy=each.chosen_strategy().name,
            jobs=each.jobs,
            timeout=executor.timeout,
            failure=original.failure.told,
            notes=tuple(self._standing.notes),
        )
        self._standing.begin(started, executor.fingerprint() or "")

    def _search_and_confirm(
        self, subject: TreeSubject, stack: ExitStack
    ) -> tuple[NewTreeRuns, bool]:
        """Search, and confirm the result; return what confirmed it, and whether the user cancelled.

        If a script reads another failure at the end, search again with what it reads.
        """
        self._search, new_runs = TreeSearch(subject), NewTreeRuns(subject)
        try:
            self._search.run()
            hearing = new_runs.go_back_hearing()
            if hearing is None:
                subject.standing.settle()
                new_runs.confirm()
                new_runs.hear()
                return new_runs, False
        except Cancelled:
            return new_runs, True
        stack.callback(hearing.close)
        original = subject.original
        heard = replace(original, executor=hearing, failure=original.failure.as_heard)
        return self._search_and_confirm(replace(subject, original=heard), stack)

    def without_result(self, *, interrupted: bool) -> ProjectResult:
        """Return the result of a reduction that ended before the search, or without success."""
        return self._result(self.plan.tree, cancelled=interrupted)

    def _result(self, tree: FileTree, *, cancelled: bool) -> ProjectResult:
        each, standing = self.plan.each, self._standing
        if not tree:
            standing.notes.append(_EMPTY)
        return ProjectResult(
            tree=tree,
            original_tree=self.plan.tree,
            counts=standing.counts,
            strategy=each.chosen_strategy().name,
            jobs=each.jobs,
            cancelled=cancelled,
            ended_by=self._search.ended_by if self._search else None,
            notes=tuple(standing.notes),
            passes=standing.passes,
            others=standing.others,
        )
