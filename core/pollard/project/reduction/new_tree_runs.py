"""New runs of trees that a search accepted, which confirm one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.events import Counts
from pollard.project.reduction.tree_original import overheard_tree_run
from pollard.reduction.confirmation import GONE_BACK, Confirmation, confirming_runs, unstable

if TYPE_CHECKING:
    from pollard.file_tree import FileTree
    from pollard.oracle import Run, Signature
    from pollard.project.phases.tree_subject import TreeSubject


class NewTreeRuns:
    """Runs accepted trees again, and counts these runs as checks."""

    def __init__(self, subject: TreeSubject) -> None:
        self._subject = subject
        self._confirmation = Confirmation(subject.plan.each.oracle.runs_required)

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
        subject = self._subject
        if subject.original.failure.heard is None:
            return
        run = overheard_tree_run(
            subject.original.executor,
            subject.plan,
            subject.tree,
            cancelled=subject.canceller.token,
        )
        subject.standing.add(Counts(check_runs=1))
        self._confirmation.keep(run)

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
