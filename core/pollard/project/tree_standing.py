"""How far a reduction of several files has come: its best tree, its cost, and the events about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.events import Counts, PassEnded, Progress
from pollard.file_tree import FileTree, shown, weight
from pollard.journal import Repetition, StepCost
from pollard.limits import Clock
from pollard.project.outcome import (
    FilesReduced,
    OtherTree,
    ProjectEvent,
    ProjectFinished,
    ProjectSize,
)
from pollard.project.project_journal import ProjectHeader, ProjectJournal
from pollard.project.result_folder import keep_others
from pollard.report.account import Account, command_line
from pollard.report.kept_files import write_files

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pollard.engine.statistics import PassStatistics
    from pollard.limits import SearchLimits
    from pollard.oracle import OtherFailure, Run
    from pollard.project.outcome import ProjectResult, ProjectStarted
    from pollard.project.project_plan import ProjectPlan

Listener = Callable[[ProjectEvent], None]


class TreeStanding:
    """The best tree so far and its cost; reports changes to a listener.

    - `accepted`: the original, and the last tree of each part of the search that accepted one
    - `clock`: the time since the reduction began
    - `notes`: sentences for the user, in order

    A resumed search repeats the recorded one silently; until then `known` is the best recorded tree.
    """

    def __init__(self, plan: ProjectPlan, emit: Listener) -> None:
        self.accepted = [plan.tree]
        self.clock = Clock()
        self.notes = list(plan.notes)
        self._plan = plan
        self._emit = emit
        self._original_bytes = self._bytes = weight(plan.tree)
        self._number = 0
        self._where = ""
        self._has_accepted = False  # in this part of the search
        self._ended = Counts()
        self._current: Callable[[], Counts] = Counts
        self._passes: dict[str, PassStatistics] = {}
        self._others: dict[str, OtherTree] = {}
        self._journal: ProjectJournal | None = None
        self._repetition: Repetition[FileTree] | None = None
        self._recorded: FileTree | None = None
        self._account: Account | None = None

    def begin(self, started: ProjectStarted, fingerprint: str) -> None:
        """Begin or resume the journal, and report that the search begins. Raises JournalError."""
        journal = self._plan.journal
        if journal is not None:
            repetition = self._open_journal(journal, fingerprint)
            self._add_earlier_cost(journal, repetition)
            self._begin_account(journal, started, repetition.earlier)
        self._emit(started)

    def _open_journal(self, directory: Path, fingerprint: str) -> Repetition[FileTree]:
        """Record accepted trees from now on, or repeat the recorded ones."""
        header = ProjectHeader.of_project(self._plan, fingerprint)
        open_journal = ProjectJournal.resume if self._plan.resume else ProjectJournal.begin
        self._journal = journal = open_journal(directory, header, self._plan.tree)
        self._repetition = Repetition(journal)
        if journal.count:
            self._recorded, self._bytes = journal.best, weight(journal.best)
        return self._repetition

    def _add_earlier_cost(self, directory: Path, repetition: Repetition[FileTree]) -> None:
        """Count what earlier sessions cost: what the journal or the account says, whichever is more."""
        former = Account.read(directory) if self._plan.resume else None
        earlier = [repetition.earlier, *([former.cost] if former else [])]
        repetition.earlier = max(earlier, key=lambda cost: cost.runs)

    def _begin_account(self, directory: Path, started: ProjectStarted, earlier: StepCost) -> None:
        plan = self._plan
        main = None if plan.main is None else shown(plan.main)
        command = command_line(plan.each.oracle, main)
        self._account = Account.begun(started, earlier, plan.name, plan.place, command)
        self._account.write(directory)

    def close(self) -> None:
        """Close the journal, if there is one."""
        if self._journal is not None:
            self._journal.close()

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
        return replace(total, reductions=self._number, seconds=self.clock.seconds)

    @property
    def left(self) -> SearchLimits:
        """What is left of the limits."""
        counts = self.counts
        return self._plan.each.search_limits.after(counts.runs, counts.seconds)

    def spend(self) -> None:
        """Raise SearchEnded unless another run may begin."""
        counts = self.counts
        self._plan.each.search_limits.check(counts.runs, counts.seconds)

    @property
    def passes(self) -> tuple[PassStatistics, ...]:
        """The figures of each pass, those of all files added up."""
        return tuple(self._passes.values())

    def begin_part(self, where: str, counts: Callable[[], Counts]) -> None:
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
        self._number += 1
        counts = self.counts
        cost = StepCost(counts.runs, counts.seconds, self._where)
        if self._repetition is None or self._repetition.accept(tree, cost):
            self._forget_recorded_unless_smaller(tree)
            self._emit_reduced()
        elif tree == self._recorded:
            self._recorded = None

    def return_to(self, tree: FileTree) -> None:
        """Go on from an earlier tree with another search."""
        self.begin_part("", Counts)
        self.accept(tree)

    def _forget_recorded_unless_smaller(self, tree: FileTree) -> None:
        """Let go of the best recorded tree; after another course of the search it may stay the best."""
        if self._recorded is not None and weight(tree) <= weight(self._recorded):
            self._recorded = None

    def _emit_reduced(self) -> None:
        size = ProjectSize.of(self.known)
        self._bytes = size.bytes
        self._emit(
            FilesReduced(self.known, size.files, size.bytes, self._number, self._where, self.counts)
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

    def finish(self, result: ProjectResult, confirmed: Run | None) -> None:
        """Report the result; `confirmed` is the run that confirmed it. Raises JournalError."""
        journal = self._plan.journal
        if self._account is not None and journal is not None:
            write_files(journal, self._plan.tree, result.tree)
            keep_others(journal, result.others)
            self._account.ended(result, confirmed).write(journal)
        self._emit(ProjectFinished(result))
