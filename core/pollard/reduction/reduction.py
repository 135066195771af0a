"""Carries out one reduction: checks the original, searches, confirms the result, reports events."""

from __future__ import annotations

import functools
from contextlib import ExitStack
from typing import TYPE_CHECKING

from pollard.errors import Cancelled
from pollard.events import Result, Size, Started
from pollard.executors import formatted, open_executor
from pollard.oracle import CancelToken, CommandOracle, Shares
from pollard.oracle.warm.proving import Disproved
from pollard.reduction.confirmation import Slipped
from pollard.reduction.judging import Judges
from pollard.reduction.new_runs import NewRuns
from pollard.reduction.original import check_original
from pollard.reduction.search_planning import planned_search
from pollard.reduction.text_search import TextSearch
from pollard.reduction.text_standing import TextStanding

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.events import Event
    from pollard.oracle import Executor
    from pollard.passes.searching import SearchPlan
    from pollard.plan import Plan
    from pollard.reduction.original import CheckedOriginal
    from pollard.syntax.tree.document import Document

_EMPTY = "An empty file is interesting, too: make sure that the oracle looks at the candidate."


class Reduction:
    """Carries out a plan; `listener` is called, in the thread of `run`, with every event."""

    def __init__(
        self,
        plan: Plan,
        listener: Callable[[Event], None] = lambda _: None,
        *,
        checked: CheckedOriginal | None = None,
    ) -> None:
        """With `checked`, the original is not run again, and nothing else carries out runs."""
        self._plan = plan
        self._checked = checked
        self._cancelled = CancelToken()
        self._share = plan.share or Shares(plan.jobs).share()
        self._standing = TextStanding(plan, listener)
        self._judges: Judges | None = None

    @property
    def best(self) -> bytes:
        """The smallest text so far that was seen to be interesting; may be read from any thread."""
        return self._standing.history.best

    @property
    def check_runs(self) -> int:
        """The runs so far on the original and on accepted texts; may be read from any thread."""
        return self._standing.check_runs

    def cancel(self) -> None:
        """Stop, from any thread: `run` returns within half a second with the best so far."""
        self._cancelled.set()
        if self._judges is not None:
            self._judges.cancel()

    def pause(self) -> None:
        """Start no further oracle run, not even a check, until `resume` is called; from any thread."""
        self._share.pause()
        self._standing.clock.pause()

    def resume(self) -> None:
        """Go on after `pause`, from any thread."""
        self._share.resume()
        self._standing.clock.go_on()

    def run(self) -> Result:
        """Reduce and return the result.

        Raises NotInteresting if the oracle does not hold for the original, Cancelled if it was
        cancelled before the search began, Unstable if the oracle holds for no accepted text any more,
        and other PollardErrors if the oracle, the journal or the disk cannot be used.
        """
        with ExitStack() as stack:
            executor = stack.enter_context(self._open_executor())
            original = self._checked or self._check(executor)
            search_plan = planned_search(
                self._plan, original, self._standing.notes, self._cancelled
            )
            judges = self._open_judges(stack, original)
            document = self._open_document(search_plan)
            size = Size.of(document, search_plan.encoding)
            stack.callback(self._standing.history.close)
            self._start(original, search_plan, size)
            new_runs = NewRuns(
                self._plan, original, self._standing, judges, self._cancelled, self._share
            )
            stack.callback(new_runs.close)
            search = TextSearch(
                self._plan,
                search_plan,
                self._standing,
                judges,
                new_runs=new_runs,
                formatter=self._formatter(),
                run_seconds=original.run_seconds,
                cancelled=self._cancelled,
            )
            cancelled = self._search(search, new_runs, document, executor)
            result = self._result(original, size, search, new_runs, judges, cancelled=cancelled)
            self._standing.finish(result, new_runs.confirmed)
            return result

    def _open_executor(self) -> Executor:
        if self._checked is not None:
            return self._checked.executor
        return open_executor(self._plan.oracle, self._plan.filename, share=self._share)

    def _check(self, executor: Executor) -> CheckedOriginal:
        return check_original(
            executor, self._plan, self._standing, share=self._share, cancelled=self._cancelled
        )

    def _open_judges(self, stack: ExitStack, original: CheckedOriginal) -> Judges:
        """Return the judges with the first one open; `cancel` reaches it from here on."""
        self._judges = Judges(self._plan, original, self._standing, stack, self._cancelled)
        self._judges.open(warm=original.is_warm)
        return self._judges

    def _open_document(self, search_plan: SearchPlan) -> Document:
        """Return the original, which is parsed when its tree is needed."""
        return search_plan.document(search_plan.text, self._cancelled)

    def _start(self, original: CheckedOriginal, search_plan: SearchPlan, size: Size) -> None:
        plan, executor = self._plan, original.executor
        started = Started(
            original=size,
            language=plan.grammar.name if plan.grammar else None,
            strategy=search_plan.strategy.name,
            jobs=plan.jobs,
            timeout=executor.timeout,
            failure=original.failure.told,
            notes=tuple(self._standing.notes),
        )
        self._standing.begin(started, search_plan, executor.fingerprint() or "")

    def _formatter(self) -> Callable[[bytes], bytes] | None:
        """Return what returns what the formatter prints; None without a formatter."""
        oracle = self._plan.oracle
        if not isinstance(oracle, CommandOracle) or not oracle.formatter:
            return None
        return functools.partial(
            formatted, oracle, self._plan.filename, share=self._share, cancelled=self._cancelled
        )

    def _search(
        self, search: TextSearch, new_runs: NewRuns, document: Document, executor: Executor
    ) -> bool:
        """Search, and confirm the result; return whether the user cancelled."""
        try:
            self._search_and_confirm(search, new_runs, document)
        except Cancelled:
            new_runs.close()
            return True
        finally:
            remarks, notes = getattr(executor, "notes", ()), self._standing.notes
            notes += [note for note in remarks if note not in notes]
        if self._is_flaky:
            new_runs.measure()
        return False

    def _search_and_confirm(
        self, search: TextSearch, new_runs: NewRuns, document: Document
    ) -> None:
        """Search, and confirm the result; go on from an earlier text if new runs show it is none."""
        try:
            search.run(document)
            self._confirm(new_runs)
        except Disproved as disproved:
            earlier = new_runs.cool(disproved)
        except Slipped as slipped:
            earlier = slipped.text
        else:
            return
        self._search_and_confirm(search, new_runs, search.go_back_to(earlier))

    def _confirm(self, new_runs: NewRuns) -> None:
        """Confirm the best text, unless one of several files has only known verdicts or is the same.

        What a script reads is heard for all files at once.
        """
        is_known = self._standing.counters.runs == 0 or self.best == self._plan.text
        if self._checked is None or not is_known:
            new_runs.confirm()
        if self._checked is None:
            new_runs.hear()

    @property
    def _is_flaky(self) -> bool:
        return self._plan.oracle.runs_required[1] > 1

    def _result(
        self,
        original: CheckedOriginal,
        size: Size,
        search: TextSearch,
        new_runs: NewRuns,
        judges: Judges,
        *,
        cancelled: bool,
    ) -> Result:
        """Return the result, once the other failures are on disk. Raises JournalError."""
        text, standing = self.best, self._standing
        if self._checked is None and not text.strip() and self._plan.text.strip():
            standing.notes.append(_EMPTY)
        standing.notes += new_runs.doubts(text) if cancelled else []
        standing.history.keep_others(judges.others)
        return Result(
            text=text,
            original=size,
            reduced=size if text == self._plan.text else search.size_of(text),
            counts=standing.counts,
            strategy=search.strategy.name,
            jobs=self._plan.jobs,
            cancelled=cancelled,
            ended_by=search.ended_by,
            original_failure=original.failure.told,
            failure=new_runs.failure_of(text, cancelled=cancelled),
            original_frequency=original.frequency if self._is_flaky else None,
            frequency=new_runs.frequency,
            others=judges.others,
            notes=tuple(standing.notes),
            passes=standing.statistics.passes,
        )
