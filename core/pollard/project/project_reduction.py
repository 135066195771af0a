"""Carries out the reduction of several files: chooses files, reduces each, and confirms the result."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from pollard.errors import Cancelled, OracleError
from pollard.events import Counts
from pollard.executors import open_tree_executor
from pollard.executors.tree_runs import TreeCandidates
from pollard.file_tree import FileTree, file_count, fingerprint, shown
from pollard.journal import StepCost
from pollard.limits import SearchEnded
from pollard.oracle import CancelToken, Health, OriginalFailure, Shares, check
from pollard.project.contents import TextsOfFile, is_binary, pieces_of
from pollard.project.file_choice import clearly_unneeded, folder_parts, some_of, unneeded
from pollard.project.halving import Part, removable
from pollard.project.imports import Imports, Links
from pollard.project.merging import mergers
from pollard.project.outcome import ProjectFinished, ProjectResult, ProjectSize, ProjectStarted
from pollard.project.project_journal import ProjectHeader, ProjectJournal
from pollard.project.questions import QuestionsAbout, Runs, questions
from pollard.project.result_folder import keep_others
from pollard.project.shared_names import SharedNames
from pollard.project.standing import Listener, Standing
from pollard.reduction import CheckedOriginal, NotInteresting, Reduction
from pollard.reduction.confirmation import Confirmation, Unstable, unstable
from pollard.report.account import Account, command_line
from pollard.report.kept_files import write_files

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from pollard.executors.tree_runs import TreeExecutor
    from pollard.limits import EndedBy
    from pollard.oracle import Cancellable, Check, Judge, Run
    from pollard.passes.strategy import Strategy
    from pollard.project.project_plan import ProjectPlan
    from pollard.search.first import First

T = TypeVar("T")

# The last round only shows that nothing more can go.
_MAX_ROUNDS = 4
# So few files are merged before anything else, since that costs hardly more runs than they are.
_MAX_FEW_FILES = 8
# In a smaller file, too little is left for a coarse reduction.
_MIN_COARSE_BYTES = 512


def check_tree(
    trees: TreeExecutor, plan: ProjectPlan, *, cancelled: Cancellable | None = None
) -> Check:
    """Run the oracle on the original tree, several times. Raises `Cancelled`."""
    whole = {**plan.fixed, **plan.tree}
    executor = TreeCandidates(trees, lambda _: whole, whole, b"")
    checked = check(executor, b"", runs=plan.each.checks, cancelled=cancelled)
    return replace(checked, sandbox_warning=trees.sandbox_warning, tree=frozenset(whole))


def _without_pieces(
    base: FileTree, path: bytes, pieces: list[memoryview]
) -> Callable[[frozenset[int]], FileTree]:
    def without(removed: frozenset[int]) -> FileTree:
        content = b"".join(piece for n, piece in enumerate(pieces) if n not in removed)
        return {**base, path: replace(base[path], content=content)}

    return without


def _only(trees: list[FileTree]) -> Callable[[frozenset[int]], FileTree]:
    return lambda chosen: trees[max(chosen)]


class ProjectReduction:
    """Carries out a plan; `listener` is called, in the thread of `run`, with every event."""

    def __init__(self, plan: ProjectPlan, listener: Listener = lambda _: None) -> None:
        self.plan = plan
        self._emit = listener
        self._standing = Standing(plan.tree, plan.each.search_limits, listener)
        self._cancelled = CancelToken()
        self._share = plan.each.share or Shares(plan.each.jobs).share()
        self._cancel_running: Callable[[], None] = lambda: None
        self._ended_by: EndedBy | None = None
        self._confirmation = Confirmation(plan.each.oracle.runs_required)
        self._account: Account | None = None
        self._notes = list(plan.notes)
        # For each file, a hash of the others when its contents were last reduced.
        self._reduced_beside: dict[bytes, str] = {}

    @property
    def best(self) -> FileTree:
        """The smallest tree so far that was seen to be interesting; may be read from any thread."""
        return self._standing.known

    @property
    def _current(self) -> FileTree:
        return self._standing.best

    @property
    def counts(self) -> Counts:
        """The cost so far."""
        return self._standing.counts

    def cancel(self) -> None:
        """Stop, from any thread: `run` returns within half a second with the best so far."""
        self._cancelled.set()
        self._cancel_running()

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
            oracle = self.plan.each.oracle
            trees = open_tree_executor(oracle, self.plan.main, share=self._share)
            stack.callback(trees.close)
            runs = self._check(trees)
            self._keep_journal(stack, trees)
            self._start(runs)
            try:
                self._search_within_limits(runs)
                self._standing.settle()
                self._confirm(runs)
            except Cancelled:
                return self._finish(runs, cancelled=True)
            return self._finish(runs, cancelled=False)

    def _check(self, trees: TreeExecutor) -> Runs:
        """Run the original several times. Raises NotInteresting unless it is interesting every time."""
        checked = check_tree(trees, self.plan, cancelled=self._cancelled)
        self._standing.add(Counts(check_runs=checked.measured_runs))
        if checked.health is Health.BROKEN:
            raise OracleError(checked.error)
        if not checked.interesting:
            raise NotInteresting(checked.describe())
        self._notes += checked.notes
        degree = self.plan.each.oracle.same_failure
        seconds = min(run.seconds for run in checked.runs)
        return Runs(trees, OriginalFailure(checked.signatures, degree), seconds)

    def _keep_journal(self, stack: ExitStack, trees: TreeExecutor) -> None:
        """Begin or resume the journal. Raises JournalError."""
        plan = self.plan
        if plan.journal is not None:
            header = ProjectHeader.of_project(plan, trees.fingerprint() or "")
            begin = ProjectJournal.resume if plan.resume else ProjectJournal.begin
            journal = begin(plan.journal, header, plan.tree)
            stack.callback(journal.close)
            self._standing.keep(journal)

    def _start(self, runs: Runs) -> None:
        each = self.plan.each
        started = ProjectStarted(
            original=ProjectSize.of(self.plan.tree),
            strategy=each.chosen_strategy().name,
            jobs=each.jobs,
            timeout=runs.trees.timeout,
            failure=runs.failure.first,
            notes=tuple(self._notes),
        )
        self._begin_account(started)
        self._emit(started)

    def _begin_account(self, started: ProjectStarted) -> None:
        """Write what a report says of this reduction beside the journal, if there is one."""
        plan = self.plan
        if plan.journal is None:
            return
        former = Account.read(plan.journal) if plan.resume else None
        earlier = self._standing.spent_before(former.cost if former else StepCost())
        main = None if plan.main is None else shown(plan.main)
        command = command_line(plan.each.oracle, main)
        self._account = Account.begun(started, earlier, plan.name, plan.place, command)
        self._account.write(plan.journal)

    def _search_within_limits(self, runs: Runs) -> None:
        try:
            self._search(runs)
        except SearchEnded as ended:
            self._ended_by = ended.by
            self._notes.append(ended.note)

    def _search(self, runs: Runs) -> None:
        """Choose files and reduce their contents until nothing changes; then rename what they share."""
        self._choose_and_reduce(runs)
        self._remove_empty_files(runs)
        if self.plan.each.renaming and file_count(self._current) > 1:
            self._rename(runs)

    def _choose_and_reduce(self, runs: Runs) -> None:
        for number in range(_MAX_ROUNDS):
            before = self._current
            if number == 0:
                self._choose_clear_files(runs)
                if file_count(self._current) <= _MAX_FEW_FILES:
                    self._merge_files(runs)  # so that less is left to reduce file by file
                self._unlink_files(runs)
            self._choose_files(runs, anew=number == 0)
            if number == 0:
                self._merge_files(runs)
                self._empty_files(runs)
            self._reduce_contents(runs)
            self._merge_files(runs)
            if self._current == before:
                return

    def _choose_clear_files(self, runs: Runs) -> None:
        """Remove what is not needed, whatever else stays."""
        with self._questions_on_files(runs) as first:
            clearly_unneeded(self._current, self.plan.needed, first)

    def _unlink_files(self, runs: Runs) -> None:
        """Remove the files that are needed only by parts of others, and these parts.

        Each file that imports others is reduced coarsely, from the outside in. What it no longer leads
        to goes before anybody looks at its contents.
        """
        coarse = self.plan.each.chosen_strategy().coarse()
        roots, tried = Links(self._current, self.plan.main).roots(), set[bytes]()
        while coarse and (path := self._next_to_unlink(tried)) is not None:
            tried.add(path)
            self._drop(runs, Links(self._current).unreached(roots, without=path))
            if path in self._current:
                before = self._current
                self._reduce_text(runs, path, coarse)
                if self._current != before:
                    self._drop_unlinked(runs, before, roots)

    def _next_to_unlink(self, tried: set[bytes]) -> bytes | None:
        """Return the first file from the outside in that imports others and was not tried."""
        links = Links(self._current, self.plan.main)
        return next(
            (
                path
                for path in links.outside_in()
                if path not in tried
                and links.names_others(path)
                and self._current[path].weight >= _MIN_COARSE_BYTES
            ),
            None,
        )

    def _drop_unlinked(self, runs: Runs, before: FileTree, roots: Sequence[bytes]) -> None:
        """Remove the files to which the roots do not lead any more."""
        old, new = Links(before), Links(self._current)
        self._drop(runs, new.unreached(roots) - old.unreached(roots))

    def _drop(self, runs: Runs, paths: frozenset[bytes]) -> None:
        """Remove files that are probably not needed."""
        if paths:
            with self._questions_on_files(runs) as first:
                some_of(self._current, paths - self.plan.needed, first)

    def _choose_files(self, runs: Runs, *, anew: bool) -> None:
        """Remove files that are not needed; `anew` also tries folders and halves of them."""
        if len(self._current) == 1:
            return  # the tree without any file was the first candidate
        with self._questions_on_files(runs) as first:
            unneeded(self._current, self.plan.needed, first, anew=anew)

    def _questions_on_files(self, runs: Runs) -> AbstractContextManager[First[frozenset[bytes]]]:
        base, plan = self._current, self.plan
        imports = Imports(base, guard=plan.each.guard, untouched=plan.partly)
        return self._questions(runs, "files", sorted(base), imports.without, "imports")

    def _empty_files(self, runs: Runs) -> None:
        """Empty the files of which only the name is needed."""
        base = self._current
        empty = {path: replace(entry, content=b"") for path, entry in base.items()}

        def with_empty(paths: frozenset[bytes]) -> FileTree:
            return {path: empty[path] if path in paths else base[path] for path in base}

        paths = sorted(path for path, entry in base.items() if entry.weight)
        with self._questions(runs, "empty files", paths, with_empty) as first:
            removable(folder_parts(base, paths), first, in_vain=_MAX_FEW_FILES)

    def _remove_empty_files(self, runs: Runs) -> None:
        """Remove empty files whose names other files need, such as the `__init__.py` of a package."""
        base = self._current

        def without(removed: frozenset[bytes]) -> FileTree:
            return {path: entry for path, entry in base.items() if path not in removed}

        empty = [path for path, entry in base.items() if entry.is_file and not entry.content]
        parts = folder_parts(base, sorted(set(empty) - self.plan.needed))
        with self._questions(runs, "files", sorted(base), without) as first:
            removable(parts, first)

    def _merge_files(self, runs: Runs) -> None:
        """Put the contents of files in the place of the lines that name them; try each file once."""
        if not self.plan.merging:
            return
        done = set(self.plan.needed)
        while found := mergers(self._current, done, guard=self.plan.each.guard):
            trees = [tree for _, tree in found]
            numbers, meaning = range(len(trees)), "".join(map(fingerprint, trees))
            with self._questions(runs, "merging", numbers, _only(trees), meaning) as first:
                hit = first(frozenset([number]) for number in numbers)
            if hit is None:
                return
            done.update(path for path, _ in found[: hit.index + 1])

    def _rename(self, runs: Runs) -> None:
        """Give each name that several files use one letter in all of them: all names, then halves."""
        guard, untouched = self.plan.each.guard, self.plan.partly
        shared = SharedNames(self._current, guard=guard, untouched=untouched)
        names, of = shared.names, shared.renamed
        with self._questions(runs, "renaming", names, of, "letters") as first:
            removable([Part(frozenset([name]), shared.saved(name)) for name in names], first)

    def _questions(
        self,
        runs: Runs,
        where: str,
        items: Sequence[T],
        tree_of: Callable[[frozenset[T]], FileTree],
        meaning: str = "",
    ) -> AbstractContextManager[First[frozenset[T]]]:
        def on_judge(judge: Judge) -> None:
            self._make_cancellable(judge.cancel)

        about = QuestionsAbout(where, items, tree_of, meaning)
        return questions(self.plan, runs, self._standing, about, on_judge)

    def _make_cancellable(self, cancel: Callable[[], None]) -> None:
        """Let `cancel` reach what is running, even if it was called before that began."""
        self._cancel_running = cancel
        if self._cancelled.is_set():
            cancel()

    def _reduce_contents(self, runs: Runs) -> None:
        """Reduce each file, unless nothing changed beside it since the last time.

        Files that import others come first, since what they no longer import goes at once.
        """
        roots = Links(self._current, self.plan.main).roots()
        for path in Links(self._current, self.plan.main).outside_in():
            before = self._current
            if path not in before or not before[path].weight:
                continue
            beside = fingerprint(self._beside(path))
            if self._reduced_beside.get(path) == beside:
                continue
            if is_binary(before[path].content) and path != self.plan.partly:
                self._reduce_binary(runs, path)
            else:
                self._reduce_text(runs, path)
            self._reduced_beside[path] = beside
            if self._current != before:
                self._drop_unlinked(runs, before, roots)

    def _beside(self, path: bytes) -> FileTree:
        return {other: entry for other, entry in self._current.items() if other != path}

    def _reduce_binary(self, runs: Runs, path: bytes) -> None:
        """Remove pieces of a file, and pieces of what is left, until none can go."""
        before = None
        while before != (entry := self._current[path]):
            before, pieces = entry, pieces_of(entry.content)
            without = _without_pieces(self._current, path, pieces)
            numbers = range(len(pieces))
            meaning = f"pieces of {len(pieces[0]) if pieces else 0}"
            with self._questions(runs, shown(path), numbers, without, meaning) as first:
                removable([Part(frozenset([n]), len(pieces[n])) for n in numbers], first)

    def _reduce_text(self, runs: Runs, path: bytes, strategy: Strategy | None = None) -> None:
        """Reduce the contents of one file, while the others stay as they are."""
        entry, rest = self._current[path], {**self.plan.fixed, **self._beside(path)}
        beside = self._beside(path)
        executor = TreeCandidates(
            runs.trees, lambda text: {**rest, path: replace(entry, content=text)}, rest, path
        )
        limits = self._standing.left
        plan = replace(self.plan.for_file(path, entry), share=self._share, search_limits=limits)
        plan = replace(plan, strategy=strategy or plan.strategy)
        checked = CheckedOriginal(executor, runs.failure, runs.run_seconds)
        contents = TextsOfFile(self._standing, path)
        reduction = Reduction(plan, contents.on_event, checked=checked)
        self._make_cancellable(reduction.cancel)
        try:
            result = reduction.run()
        except Unstable:  # it is flaky; `_confirm` has the last word
            contents.accept(entry.content)
        else:
            others = result.others
            self._standing.saw(others, lambda text: {**beside, path: replace(entry, content=text)})
            contents.finish(result)
            if result.ended_by:
                self._standing.spend()

    def _confirm(self, runs: Runs) -> None:
        """Run the best tree once more; if it is not interesting, go back to the last one that is."""
        accepted = self._standing.accepted
        while not self._holds(runs, accepted[-1]):
            if len(accepted) > 1:
                accepted.pop()
            else:
                raise unstable("files themselves")

    def _holds(self, runs: Runs, tree: FileTree) -> bool:
        """Return whether k of n new runs are interesting."""

        def run_again() -> Run:
            self._standing.add(Counts(check_runs=1))
            whole = {**self.plan.fixed, **tree}
            return runs.trees.run_tree(whole, cancelled=self._cancelled, capture=True)

        return self._confirmation.holds(run_again, runs.failure)

    def without_result(self, *, interrupted: bool) -> ProjectResult:
        """Return the result of a reduction that ended before the search, or without success."""
        return self._result(self.plan.tree, cancelled=interrupted)

    def _finish(self, runs: Runs, *, cancelled: bool) -> ProjectResult:
        result = replace(
            self._result(self._standing.known, cancelled=cancelled),
            original_failure=runs.failure.first,
            failure=None if cancelled else self._confirmation.failure,
        )
        if self._account is not None and self.plan.journal is not None:
            write_files(self.plan.journal, self.plan.tree, result.tree)
            keep_others(self.plan.journal, result.others)
            self._account.ended(result, self._confirmation.run).write(self.plan.journal)
        self._emit(ProjectFinished(result))
        return result

    def _result(self, tree: FileTree, *, cancelled: bool) -> ProjectResult:
        each, standing = self.plan.each, self._standing
        return ProjectResult(
            tree=tree,
            original_tree=self.plan.tree,
            counts=standing.counts,
            strategy=each.chosen_strategy().name,
            jobs=each.jobs,
            cancelled=cancelled,
            ended_by=self._ended_by,
            notes=tuple(self._notes),
            passes=standing.passes,
            others=standing.others,
        )
