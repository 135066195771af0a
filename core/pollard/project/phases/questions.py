"""Questions such as whether these files can go as well, answered by a judge."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from pollard.events import Counts
from pollard.executors.tree_runs import TreeCandidates
from pollard.file_tree import fingerprint
from pollard.oracle import Judge, VerdictCache
from pollard.search.first import Hit, mapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pollard.file_tree import FileTree
    from pollard.project.phases.tree_subject import TreeSubject
    from pollard.search.first import First

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class QuestionsAbout(Generic[T]):
    """What questions are about: sets of items, each of which stands for a tree.

    - `where`: what the search is busy with, for people
    - `tree_of`: returns the best tree as it was at first, but without some items or changed at them
    - `meaning`: tells choices from others with as many items, for verdicts that are kept on disk
    """

    where: str
    items: Sequence[T]
    tree_of: Callable[[frozenset[T]], FileTree]
    meaning: str = ""


def first_of_trees(
    subject: TreeSubject, where: str, trees: Sequence[FileTree]
) -> Hit[frozenset[int]] | None:
    """Accept the first tree with which the oracle holds, if any; `index` of the answer is its place."""
    if not trees:
        return None
    meaning = "".join(map(fingerprint, trees))
    numbers = range(len(trees))
    about = QuestionsAbout(where, numbers, lambda chosen: trees[max(chosen)], meaning)
    with questions(subject, about) as first:
        return first(frozenset([number]) for number in numbers)


@contextmanager
def questions(subject: TreeSubject, about: QuestionsAbout[T]) -> Iterator[First[frozenset[T]]]:
    """Provide a function that returns the first set of items that can be added to those before.

    A tree with which the oracle holds is accepted.
    """
    plan, standing, items = subject.plan, subject.standing, about.items
    places = {item: place for place, item in enumerate(items)}
    chosen = bytearray(len(items))

    def text_of(more: frozenset[T]) -> bytes:
        text = bytearray(chosen)
        for item in more:
            text[places[item]] = 1
        return bytes(text)

    def tree_at(text: bytes) -> FileTree:
        return about.tree_of(frozenset(item for item, bit in zip(items, text, strict=True) if bit))

    executor = TreeCandidates(
        subject.original.executor,
        lambda text: plan.whole(tree_at(text)),
        plan.whole(subject.tree),
        f"{about.where}\0{about.meaning}".encode(errors="surrogateescape"),
    )
    with _judge(subject, executor) as judge:
        judge.on_run, judge.before_run = standing.on_run, standing.spend
        standing.begin_part(about.where, lambda: Counts(**asdict(judge.counters)))
        subject.canceller.reach(judge.cancel)

        def answer(texts: Iterable[bytes | None]) -> Hit[bytes | None] | None:
            index = judge.first(texts)
            return None if index is None else Hit(index, b"")

        def allowed_text_of(more: frozenset[T]) -> bytes | None:
            text = text_of(more)
            return (
                text if plan.kept_around is None or plan.kept_around.allows(tree_at(text)) else None
            )

        ask = mapped(answer, allowed_text_of)

        def first(stream: Iterable[frozenset[T]]) -> Hit[frozenset[T]] | None:
            hit = ask(stream)
            if hit is not None:
                chosen[:] = text_of(hit.candidate)
                standing.accept(tree_at(bytes(chosen)))
            return hit

        try:
            yield first
        finally:
            standing.saw(judge.others.found, tree_at)


@contextmanager
def _judge(subject: TreeSubject, executor: TreeCandidates) -> Iterator[Judge]:
    each, fingerprint = subject.plan.each, executor.fingerprint()
    persistent = each.cache and fingerprint is not None
    with (
        VerdictCache(
            fingerprint or "", "", timeout=executor.timeout, persistent=persistent
        ) as cache,
        Judge(
            executor,
            cache,
            each.jobs,
            required=each.oracle.runs_required,
            original=subject.original.failure,
        ) as judge,
    ):
        yield judge
