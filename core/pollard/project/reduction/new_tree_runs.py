"""New runs of trees that a search accepted, which confirm one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.events import Counts
from pollard.project.reduction.tree_original import (
    open_hearing_tree_executor,
    overheard_tree_run,
)
from pollard.reduction.confirmation import (
    GONE_BACK,
    SEARCHED_HEARING,
    Confirmation,
    confirming_runs,
    unstable,
)

if TYPE_CHECKING:
    from pollard.executors.tree_runs import TreeExecutor
    from pollard.file_tree import FileTree
    from pollard.oracle import Run, Signature
    from pollard.project.phases.tree_subject import TreeSubject


class NewTreeRuns:
    """Runs accepted trees again, and counts these runs as checks."""

    def __init__(self, subject: TreeSubject) -> None:
        self._subject = subject
        self._confirmation = Confirmation(subject.plan.each.oracle.runs_required)
        self._last_heard: tuple[FileTree, Run | None] | None = None

    def confirm(self) -> None:
        """Run the best tree again; unless it is interesting every time, go back to one that is.

        Raises Unstable if there is none, and Cancelled.
        """
        standing = self._subject.standing
        accepted = standing.accepted
        best, step = accepted[-1], 1
        while not self._holds(accepted[-1]):
            if len(accepted) == 1:
                raise unstable("files themselves")
            del accepted[max(len(accepted) - step, 1) :]
            step *= 2
        if accepted[-1] is not best:
            standing.notes.append(GONE_BACK.format(what="trees"))

    @property
    def confirmed(self) -> Run | None:
        """The run that confirmed the result, or told more about it; None if there was none."""
        return self._confirmation.run

    @property
    def failure(self) -> Signature | None:
        """What that run showed."""
        return self._confirmation.failure

    def hear(self) -> None:
        """Let a script tell what failure the result has, if it told that of the original."""
        if self._subject.original.failure.heard is not None:
            self._confirmation.keep(self._heard(self._subject.tree))

    def go_back_hearing(self) -> TreeExecutor | None:
        """Go back if a script reads another failure of the best tree than of the original.

        Return an executor that tells what the script reads, for a search that compares it; None if that
        is the same. Raises Cancelled.
        """
        subject = self._subject
        is_flaky = subject.plan.each.oracle.runs_required != (1, 1)
        if subject.original.failure.heard is None or is_flaky:
            return None
        if not self._is_unheard(self._heard(subject.tree)):
            return None
        hearing = open_hearing_tree_executor(
            subject.original.executor, subject.plan, share=subject.share
        )
        if hearing is not None:
            self._go_back()
        return hearing

    def _go_back(self) -> None:
        """Return to the last tree, of those 1, 2, 4, ... back, that has the original's failure."""
        accepted, step = self._subject.standing.accepted, 1
        while step < len(accepted) and self._is_unheard(self._heard(accepted[-1 - step])):
            step *= 2
        self._subject.standing.return_to(accepted[max(-1 - step, -len(accepted))])
        self._subject.standing.notes.append(SEARCHED_HEARING)

    def _heard(self, tree: FileTree) -> Run | None:
        if self._last_heard is None or self._last_heard[0] is not tree:
            subject = self._subject
            subject.standing.add(Counts(check_runs=1))
            executor, token = subject.original.executor, subject.canceller.token
            run = overheard_tree_run(executor, subject.plan, tree, cancelled=token)
            self._last_heard = tree, run
        return self._last_heard[1]

    def _is_unheard(self, run: Run | None) -> bool:
        return run is not None and self._subject.original.failure.is_unheard(run)

    def _holds(self, tree: FileTree) -> bool:
        """Return whether enough new runs are interesting."""
        subject = self._subject
        return self._confirmation.holds(
            lambda: self._run(tree),
            subject.original.failure,
            checks=confirming_runs(subject.plan.each.checks),
        )

    def _run(self, tree: FileTree) -> Run:
        subject = self._subject
        subject.standing.add(Counts(check_runs=1))
        whole = subject.plan.whole(tree)
        return subject.original.executor.run_tree(
            whole, cancelled=subject.canceller.token, capture=True
        )
