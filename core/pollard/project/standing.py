"""How far a reduction of several files has come: its best tree, its cost, and the events about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.events import Counts, PassEnded, Progress
from pollard.file_tree import FileTree, weight
from pollard.journal import Repetition, StepCost
from pollard.limits import Clock
from pollard.project.outcome import FilesReduced, OtherTree, ProjectEvent, ProjectSize

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pollard.engine.statistics import PassStatistics
    from pollard.journal import Recording
    from pollard.limits import SearchLimits
    from pollard.oracle import OtherFailure

Listener = Callable[[ProjectEvent], None]


class Standing:
    """The best tree so far and its cost; reports changes to a listener.

    `accepted` has the original and the last tree of each part of the search that accepted one. A
    resumed search repeats the recorded one silently; until then `known` is the best recorded tree.
    """

    def __init__(self, original: FileTree, limits: SearchLimits, emit: Listener) -> None:
        self._limits = limits
        self.original = original
        self.accepted = [original]
        self.number = 0
        self._original_bytes = self._bytes = weight(original)
        self._emit = emit
        self.clock = Clock()
        self._where = ""
        self._has_accepted = False  # in this part of the search
        self._ended = Counts()
        self._current: Callable[[], Counts] = Counts
        self._passes: dict[str, PassStatistics] = {}
        self._others: dict[str, OtherTree] = {}
        self._repetition: Repetition[FileTree] | None = None
        self._recorded: FileTree | None = None

    def keep(self, journal: Recording[FileTree]) -> None:
        """Record accepted trees in a journal, or repeat what it has."""
        self._repetition = Repetition(journal)
        if journal.count:
            self._recorded, self._bytes = journal.best, weight(journal.best)

    def spent_before(self, former: StepCost) -> StepCost:
        """Return what earlier sessions cost, at least `former`, and add it to what is recorded."""
        if self._repetition is None:
            return former
        earlier = max(self._repetition.earlier, former, key=lambda cost: cost.runs)
        self._repetition.earlier = earlier
        return earlier

    @property
    def known(self) -> FileTree:
        """The smallest tree that is known to be interesting, from the interrupted reduction as well."""
        return self.best if self._recorded is None else self._recorded

    @property
    def best(self) -> FileTree:
        """The tree that the search has reached."""
        return self.accepted[-1]

    @property
    def counts(self) -> Counts:
        """The cost so far."""
        total = self._ended + self._current()
        return replace(total, reductions=self.number, seconds=self.clock.seconds)

    @property
    def left(self) -> SearchLimits:
        """What is left of the limits."""
        counts = self.counts
        return self._limits.after(counts.runs, counts.seconds)

    def spend(self) -> None:
        """Raise SearchEnded unless another run may begin."""
        counts = self.counts
        self._limits.check(counts.runs, counts.seconds)

    @property
    def passes(self) -> tuple[PassStatistics, ...]:
        """The figures of each pass, those of all files added up."""
        return tuple(self._passes.values())

    def begin(self, where: str, counts: Callable[[], Counts]) -> None:
        """Begin a part of the search, of which `counts` returns the cost so far."""
        self._ended, self._current, self._where = self._ended + self._current(), counts, where
        self._has_accepted = False

    def add(self, counts: Counts) -> None:
        """Add to the cost."""
        self._ended += counts

    def pass_ended(self, statistics: PassStatistics) -> None:
        """Add and report the figures of a round of a pass."""
        self._emit(PassEnded(statistics))
        before = self._passes.get(statistics.name)
        self._passes[statistics.name] = before + statistics if before else statistics

    @property
    def others(self) -> tuple[OtherTree, ...]:
        """The failures of other kinds, in the order in which they were first seen."""
        return tuple(self._others.values())

    def saw(self, others: Iterable[OtherFailure], tree_of: Callable[[bytes], FileTree]) -> None:
        """Note other failures of candidates that stand for trees; of each kind the smallest stays."""
        for other in others:
            tree, known = tree_of(other.text), self._others.get(other.failure.kind)
            new = OtherTree(other.failure, tree, other.runs + (known.runs if known else 0))
            if known is not None and known.bytes <= new.bytes:
                new = replace(known, runs=new.runs)
            self._others[other.failure.kind] = new

    def accept(self, tree: FileTree) -> None:
        """Make a tree the best one, and report it."""
        if self._has_accepted:
            self.accepted[-1] = tree
        else:
            self.accepted.append(tree)
            self._has_accepted = True
        self.number += 1
        counts = self.counts
        cost = StepCost(counts.runs, counts.seconds, self._where)
        if self._repetition is None or self._repetition.accept(tree, cost):
            self._forget_recorded_unless_smaller(tree)
            self._emit_reduced()
        elif tree == self._recorded:
            self._recorded = None

    def _forget_recorded_unless_smaller(self, tree: FileTree) -> None:
        """Let go of the best recorded tree; after another course of the search it may stay the best."""
        if self._recorded is not None and weight(tree) <= weight(self._recorded):
            self._recorded = None

    def _emit_reduced(self) -> None:
        size = ProjectSize.of(self.known)
        self._bytes = size.bytes
        self._emit(
            FilesReduced(self.known, size.files, size.bytes, self.number, self._where, self.counts)
        )

    def settle(self) -> None:
        """End the search; the best recorded tree is the result if the search did not get that far."""
        if self._recorded is not None:
            self.accepted.append(self._recorded)
            self._recorded = None

    def on_run(self, where: str = "") -> None:
        """Report a run; `where` is the pass that it belongs to."""
        place = f"{self._where}: {where}" if where else self._where
        self._emit(Progress(self._bytes, self._original_bytes, place, self.counts))
