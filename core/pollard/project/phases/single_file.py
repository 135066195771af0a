"""One file of a tree: its text is reduced as if it were the only one, and the others stay."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pollard.errors import Cancelled
from pollard.events import Counts, PassEnded, Progress, Reduced
from pollard.executors.tree_runs import TreeCandidates
from pollard.file_tree import Entry, FileTree, shown
from pollard.reduction import CheckedOriginal, Reduction, Unstable

if TYPE_CHECKING:
    from pollard.events import Event, Result
    from pollard.passes.strategy import Strategy
    from pollard.plan import Plan
    from pollard.project.phases.tree_subject import TreeSubject
    from pollard.project.tree_standing import TreeStanding


@dataclass(frozen=True, slots=True)
class TextInTree:
    """A text that is reduced, and the trees that stand for it and its candidates.

    - `path`: the file whose text it is, by its name
    - `entry`: the text, as a file
    - `whole`: the tree that stands for all of the text
    - `beside`: the other files in the trees that stand for candidates
    - `place`: the path of the text there; it comes after `head`
    """

    path: bytes
    entry: Entry
    whole: FileTree
    beside: FileTree
    place: bytes
    head: bytes = b""

    def tree_of(self, text: bytes) -> FileTree:
        """Return the tree that stands for a candidate."""
        if text == self.entry.content:
            return self.whole
        files = {**self.beside, self.place: replace(self.entry, content=self.head + text)}
        return {path: files[path] for path in self.whole if path in files}


def reduce_text(
    subject: TreeSubject,
    path: bytes,
    strategy: Strategy | None = None,
    named_lines: tuple[int, ...] = (),
) -> None:
    """Reduce the text of a file; `strategy` replaces that of the plan.

    `named_lines` are the numbers of its lines that the failure's output names, from 1.
    """
    tree = subject.tree
    text = TextInTree(path, tree[path], tree, subject.beside(path), place=path)
    reduce_in_tree(subject, text, strategy, named_lines)


def reduce_in_tree(
    subject: TreeSubject,
    text: TextInTree,
    strategy: Strategy | None = None,
    named_lines: tuple[int, ...] = (),
) -> None:
    """Reduce a text as the tree that stands for it; see `reduce_text`."""
    plan = _plan_for(subject, text, strategy)
    checked = _checked(subject, text, named_lines)
    texts = _AcceptedTexts(subject.standing, text)
    reduction = Reduction(plan, texts.on_event, checked=checked)
    subject.canceller.reach(reduction.cancel)
    try:
        result = reduction.run()
    except Unstable:  # it is flaky; the confirmation of the whole tree has the last word
        texts.accept(text.entry.content)
    else:
        subject.standing.saw(result.others, text.tree_of)
        texts.finish(result)
        if result.ended_by:
            subject.standing.spend()


def _plan_for(subject: TreeSubject, text: TextInTree, strategy: Strategy | None) -> Plan:
    """Return the plan for a text, within what is left of the limits."""
    plan = subject.plan.for_file(text.path, text.entry)
    return replace(
        plan,
        share=subject.share,
        search_limits=subject.standing.left,
        strategy=strategy or plan.strategy,
    )


def _checked(
    subject: TreeSubject, text: TextInTree, named_lines: tuple[int, ...]
) -> CheckedOriginal:
    """Return a text as an original that needs no check."""
    original, plan = subject.original, subject.plan
    is_moved = text.place != text.path or text.head
    executor = TreeCandidates(
        original.executor,
        lambda candidate: plan.whole(text.tree_of(candidate)),
        plan.whole(text.beside),
        b"\0".join([text.path, text.place, text.head]) if is_moved else text.path,
    )
    return CheckedOriginal(
        executor,
        original.failure,
        original.run_seconds,
        named_lines=named_lines,
        named_words=original.named_words if named_lines else (),
        named_bounds=original.named_bounds if named_lines else None,
        asked_names=original.asked_names if named_lines else (),
    )


class _AcceptedTexts:
    """Makes the trees that stand for accepted texts the best tree."""

    def __init__(self, standing: TreeStanding, text: TextInTree) -> None:
        self._standing = standing
        self._tree_of = text.tree_of
        self._counts = Counts()
        standing.begin_part(shown(text.path), lambda: self._counts)

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
        """Make the tree that stands for this text the best one."""
        tree = self._tree_of(text)
        if tree != self._standing.best:
            self._standing.accept(tree)
