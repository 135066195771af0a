"""One file of a tree: its text is reduced as if it were the only one, and the others stay."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.errors import Cancelled
from pollard.events import Counts, PassEnded, Progress, Reduced
from pollard.executors.tree_runs import TreeCandidates
from pollard.file_tree import FileTree, shown
from pollard.reduction import CheckedOriginal, Reduction, Unstable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.events import Event, Result
    from pollard.passes.strategy import Strategy
    from pollard.plan import Plan
    from pollard.project.phases.tree_subject import TreeSubject
    from pollard.project.tree_standing import TreeStanding


def reduce_text(
    subject: TreeSubject,
    path: bytes,
    strategy: Strategy | None = None,
    named_lines: tuple[int, ...] = (),
) -> None:
    """Reduce the text of a file; `strategy` replaces that of the plan.

    `named_lines` are the numbers of its lines that the failure's output names, from 1.
    """
    entry, beside = subject.tree[path], subject.beside(path)

    def tree_of(text: bytes) -> FileTree:
        return {**beside, path: replace(entry, content=text)}

    plan = _plan_for(subject, path, strategy)
    checked = replace(_checked(subject, path, tree_of), named_lines=named_lines)
    texts = _TextsOfFile(subject.standing, path)
    reduction = Reduction(plan, texts.on_event, checked=checked)
    subject.canceller.reach(reduction.cancel)
    try:
        result = reduction.run()
    except Unstable:  # it is flaky; the confirmation of the whole tree has the last word
        texts.accept(entry.content)
    else:
        subject.standing.saw(result.others, tree_of)
        texts.finish(result)
        if result.ended_by:
            subject.standing.spend()


def _plan_for(subject: TreeSubject, path: bytes, strategy: Strategy | None) -> Plan:
    """Return the plan for a file, within what is left of the limits."""
    plan = subject.plan.for_file(path, subject.tree[path])
    return replace(
        plan,
        share=subject.share,
        search_limits=subject.standing.left,
        strategy=strategy or plan.strategy,
    )


def _checked(
    subject: TreeSubject, path: bytes, tree_of: Callable[[bytes], FileTree]
) -> CheckedOriginal:
    """Return the text of a file as an original that needs no check."""
    original, plan = subject.original, subject.plan
    executor = TreeCandidates(
        original.executor,
        lambda text: plan.whole(tree_of(text)),
        plan.whole(subject.beside(path)),
        path,
    )
    return CheckedOriginal(executor, original.failure, original.run_seconds)


class _TextsOfFile:
    """Brings the texts of one file, as they are accepted, into the best tree."""

    def __init__(self, standing: TreeStanding, path: bytes) -> None:
        self._standing = standing
        self._path = path
        self._counts = Counts()
        self._base = standing.best
        standing.begin_part(shown(path), lambda: self._counts)

    def on_event(self, event: Event) -> None:
        """Take note of an event of the reduction of the file."""
        if isinstance(event, Progress):
            self._counts = event.counts
            self._standing.on_run(event.where)
        elif isinstance(event, Reduced):
            self._counts = event.counts
            self.accept(event.text)
        elif isinstance(event, PassEnded):
            self._standing.pass_ended(event.statistics)

    def finish(self, result: Result) -> None:
        """Take over the result. Raises `Cancelled` if the reduction of the file was cancelled."""
        self._counts = result.counts
        if result.cancelled:
            raise Cancelled("The reduction was cancelled.")
        self.accept(result.text)

    def accept(self, text: bytes) -> None:
        """Make the tree with this text the best one."""
        if text != self._standing.best[self._path].content:
            entry = replace(self._base[self._path], content=text)
            self._standing.accept({**self._base, self._path: entry})
