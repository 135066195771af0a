"""Keep what the code that fails reaches through names, and drop everything else at once.

The search begins with parts of the text that probably have to do with the failure, the *seeds*: those
of the file that was compiled, if line markers tell. Otherwise a binary search finds the shortest
beginning of the text that is interesting, and its last part is the seed. That works in languages in
which everything is declared before it is used.

Everything that the seeds do not reach goes in one run. Then those seeds go that alone reach much, each
group with all that only it reaches. What must stay is cut further, such as a function into its
statements.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from pollard.engine.declaration import declare
from pollard.engine.pruning import Units
from pollard.engine.subject import Candidate
from pollard.passes.heaviest.annotations import drop_annotations
from pollard.passes.reaching.graph import ReachGraph
from pollard.passes.reaching.origins import main_file
from pollard.syntax.branches.units import Reach, removals
from pollard.syntax.names.conventions import conventions
from pollard.syntax.tree.edits import Shift

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from pollard.engine.subject import Edits, Subject
    from pollard.passes.reaching.graph import Span
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Unit

# In bytes. In shorter texts the other passes need no more runs; without line markers, where this pass
# makes a binary search first, that holds for longer ones.
_MIN_BYTES = 131_072
_MIN_BYTES_WITHOUT_MARKERS = 262_144
# In bytes. If less is left, the other passes go on.
_MIN_BYTES_LEFT = 32_768
# A candidate must save this part of the weight.
_MIN_SAVED_PART = 32
# The smallest group of seeds that goes together is this part of those that reach much.
_MIN_GROUP_PART = 32
_MAX_DEPTH = 6


@declare("reach", runs="O(k log n) for k needed of n parts", source="own")
def reach(subject: Subject) -> None:
    """Drop from long texts what the code that fails does not reach through names.

    Only for preprocessed texts, and for languages in which everything is declared before it is used.
    """
    is_ordered = conventions(subject.document.language).declares_before_use
    seeds = main_file(subject.document.text) if _length(subject) >= _MIN_BYTES else []
    if not seeds and not (is_ordered and _length(subject) >= _MIN_BYTES_WITHOUT_MARKERS):
        return
    for edits in drop_annotations(subject) if subject.document.errors else ():
        seeds = _moved(seeds, edits)
    if not (seeds and _Search(subject, seeds).run()) and is_ordered:
        _Search(subject, _end_of_shortest(subject)).run()


def _length(subject: Subject) -> int:
    start, end = subject.span
    return end - start


def _moved(spans: Iterable[Span], edits: Edits) -> list[Span]:
    shift = Shift(edits)
    return [(shift.at(start), shift.end_at(end)) for start, end in spans]


def _end_of_shortest(subject: Subject) -> list[Span]:
    """Cut the text after the first part with which it is interesting; return the span of that part."""
    graph, writer = ReachGraph(subject), _Writer(subject)
    needed, possible = 0, len(graph.elements)
    while possible - needed > 1:
        middle = (needed + possible) // 2
        if subject.first([writer.candidate(graph.without(graph.first(middle)))]):
            possible = middle
        else:
            needed = middle
    last = ReachGraph(subject)
    branch = last.parts[last.elements[-1]].branch if last.elements else subject.root
    return [(branch.start, branch.end)]


class _Writer:
    """Writes candidates that remove branches of the document that the subject had at first."""

    def __init__(self, subject: Subject) -> None:
        self._document = subject.document
        self._units = Units(subject)

    def candidate(self, gone: Iterable[Branch]) -> Candidate:
        """Return the document without some branches, which are in order."""
        layout = self._units.layout
        edits = removals([self._unit(branch) for branch in gone], layout.text)
        return Candidate(self._document, layout.tidy(edits))

    def _unit(self, branch: Branch) -> Unit:
        """Return a branch with the semicolon that ends it; otherwise its likely unit."""
        text = self._document.text
        after, before = branch.sibling(1), branch.sibling(-1)
        if after is not None and text[after.start : after.end] == b";":
            return branch, Reach.AFTER
        if before is not None and text[before.start : before.end] == b";":
            return branch, Reach.ALONE
        return self._units.likely([branch])[0]


class _Search:
    """Reduces a text to what the seeds reach; `seeds` are spans of the subject's document."""

    def __init__(self, subject: Subject, seeds: Sequence[Span]) -> None:
        self._subject = subject
        self._seeds = seeds

    def run(self) -> bool:
        """Return whether anything went."""
        before = self._subject.tally.accepted
        for depth in range(_MAX_DEPTH):
            while _length(self._subject) >= _MIN_BYTES_LEFT and self._step(depth):
                pass
        return self._subject.tally.accepted > before

    def _step(self, depth: int) -> bool:
        """Remove as much as possible in one run, with the seeds cut `depth` times."""
        graph, writer = ReachGraph(self._subject, self._seeds, depth), _Writer(self._subject)
        min_saved = self._subject.weight // _MIN_SAVED_PART
        hit = self._subject.first(map(writer.candidate, _deletions(graph, self._seeds, min_saved)))
        if hit is not None:
            self._seeds = _moved(self._seeds, hit.candidate.edits)
        return hit is not None


def _deletions(
    graph: ReachGraph, spans: Sequence[Span], min_saved: int
) -> Iterator[Sequence[Branch]]:
    """Yield what can go: all that is not reached, with groups of seeds that alone reach much.

    First the largest group, then none, and then smaller groups. Each saves at least `min_saved` bytes
    more than what goes without any seed.
    """
    seeds = graph.within(spans)
    known = frozenset(seeds)
    far = [part for part in seeds if graph.reaches_weight(part, known, min_saved)]
    yield from _kept_by(graph, known - graph.with_users(far, seeds), min_saved)
    yield from _kept_by(graph, known, min_saved)
    unreached = graph.weight_without(graph.reached(known))
    waiting = deque(_halves(far))
    while waiting:
        group = waiting.popleft()
        roots = known - graph.with_users(group, seeds)
        if graph.weight_without(graph.reached(roots)) - unreached < min_saved:
            continue
        yield from _kept_by(graph, roots, min_saved)
        if len(group) * _MIN_GROUP_PART > len(far):
            waiting += _halves(group)


def _halves(parts: Sequence[int]) -> Sequence[Sequence[int]]:
    middle = len(parts) // 2
    return (parts[middle:], parts[:middle]) if middle else ()


def _kept_by(
    graph: ReachGraph, roots: Collection[int], min_saved: int
) -> Iterator[Sequence[Branch]]:
    """Yield what goes if some seeds stay: all that they do not reach, with and without companions."""
    for companions in (False, True):
        alive = graph.reached(roots, companions=companions)
        if graph.weight_without(alive) >= min_saved:
            yield graph.without(alive)
