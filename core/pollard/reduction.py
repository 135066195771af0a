"""Carries out one reduction: checks the original, searches, confirms the result, reports events."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pollard.confirmation import Confirmation, Unstable, confirm_best
from pollard.engine.statistics import Statistics, Tally
from pollard.errors import Cancelled, OracleError, PollardError
from pollard.events import (
    Counts,
    Finished,
    Measuring,
    PassEnded,
    Progress,
    Reduced,
    Result,
    Size,
    Started,
)
from pollard.executors import (
    WarmExecutor,
    WarmSearch,
    check_and_measure,
    formatted,
    frequency_of_result,
    open_executor,
)
from pollard.forecast import Forecast
from pollard.journal import History, JournalHeader, StepCost
from pollard.limits import Clock, SearchEnded
from pollard.oracle import (
    CancelToken,
    CommandOracle,
    Health,
    Judge,
    OriginalFailure,
    Shares,
    Signature,
    Verdict,
    VerdictCache,
)
from pollard.oracle.warm.proving import Disproved
from pollard.passes.strategy import Strategy
from pollard.plan import Plan
from pollard.report.account import Account
from pollard.speculation import SearchNotBegun, is_worthwhile
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.fitting import fitting
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Language

    from pollard.engine.subject import Subject
    from pollard.events import Event
    from pollard.limits import EndedBy
    from pollard.oracle import Executor, Frequency, Run
    from pollard.passes.searching import SearchPlan
    from pollard.speculation.coordinator import Coordinator
    from pollard.syntax.grammars.languages import Grammar

__all__ = ["CheckedOriginal", "NotInteresting", "Plan", "Reduction", "Unstable"]


class NotInteresting(PollardError):
    """The original is not interesting, or the oracle is flaky on it."""


@dataclass(frozen=True, slots=True)
class CheckedOriginal:
    """An original that is known to be interesting, with the executor that found it so.

    - `executor`: carries out the runs, and outlives the reduction
    - `failure`: what candidates are compared with
    - `run_seconds`: the time of a run
    """

    executor: Executor
    failure: OriginalFailure
    run_seconds: float


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
        self._emit = listener
        self._cancelled = CancelToken()
        self._notes = list(plan.notes)
        self._encoding = plan.chosen_encoding()
        self._text = self._encoding.decoded(plan.text)
        self._grammar: Grammar | None = None
        self._strategy = plan.chosen_strategy()
        self._history = History(plan.text)
        self._clock = Clock()
        self._forecast = Forecast((), 0)
        self._statistics = Statistics(
            lambda ended: self._emit(PassEnded(ended)), self._on_pass_began
        )
        self._share = plan.share or Shares(plan.jobs).share()
        self.check_runs = 0
        self._run_seconds = 0.0
        self._judge: Judge | None = None
        self._cache: VerdictCache | None = None
        self._original_failure = OriginalFailure()
        self._confirmation = Confirmation(plan.oracle.runs_required)
        self._account: Account | None = None
        self._original_frequency: Frequency | None = None
        self._frequency: Frequency | None = None  # of the text that was confirmed
        self._subject: Subject | None = None
        self._coordinator: Coordinator | None = None
        self._ended_by: EndedBy | None = None
        self._warm: WarmSearch | None = None  # while the search uses warm runs
        self._begin = self._text  # what the search shrinks, in UTF-8
        self._guarded_before = 0  # by a search that was given up

    @property
    def best(self) -> bytes:
        """The smallest text so far that was seen to be interesting; may be read from any thread."""
        return self._history.best

    def cancel(self) -> None:
        """Stop, from any thread: `run` returns within half a second with the best so far."""
        self._cancelled.set()
        if self._judge is not None:
            self._judge.cancel()

    def pause(self) -> None:
        """Start no further oracle run, not even a check, until `resume` is called; from any thread."""
        self._share.pause()
        self._clock.pause()

    def resume(self) -> None:
        """Go on after `pause`, from any thread."""
        self._share.resume()
        self._clock.go_on()

    def run(self) -> Result:
        """Reduce and return the result.

        Raises NotInteresting if the oracle does not hold for the original, Cancelled if it was
        cancelled before the search began, Unstable if the oracle holds for no accepted text any more,
        and other PollardErrors if the oracle, the journal or the disk cannot be used.
        """
        with ExitStack() as stack:
            executor = stack.enter_context(self._open_executor())
            self._check(executor)
            self._notes += [note] if (note := self._encoding.note) else []
            self._grammar = self._usable_grammar()
            if self._grammar is None and self._strategy.needs_tree:
                self._strategy = Strategy.parse("ddmin")
            self._make_cancellable(judge := stack.enter_context(self._open_judge(stack, executor)))
            document = self._open_document()
            original = Size.of(document, self._encoding)
            stack.callback(self._history.close)
            self._start(executor, original)
            cancelled = self._search(document, judge, executor, stack)
            return self._finish(original, cancelled=cancelled)

    def _open_executor(self) -> Executor:
        if self._checked is not None:
            return self._checked.executor
        plan = self._plan
        return open_executor(plan.oracle, plan.filename, share=self._share)

    @property
    def _language(self) -> Language | None:
        return self._grammar.language if self._grammar else None

    def _usable_grammar(self) -> Grammar | None:
        """Return the grammar to parse with; None for plain text."""
        plan = self._plan
        if plan.grammar is not None:
            return plan.grammar
        grammar = None if plan.plain else fitting(self._text, cancelled=self._cancelled)
        if grammar is None:
            self._notes.append("No grammar knows this file: it is reduced by lines and characters.")
            return None
        self._notes.append(
            f"No grammar knows this file: it is parsed with that of {grammar.name}, which fits best."
        )
        return grammar

    def _check(self, executor: Executor) -> None:
        """Run the original several times. Raises NotInteresting unless it is interesting every time."""
        plan = self._plan
        if self._checked is not None:
            self._original_failure = self._checked.failure
            self._run_seconds = self._checked.run_seconds
            return
        checked = check_and_measure(
            executor,
            plan.filename,
            plan.text,
            runs=plan.checks,
            cancelled=self._cancelled,
            share=self._share,
            on_step=self._on_measuring,
        )
        self.check_runs += checked.measured_runs
        if checked.health is Health.BROKEN:
            raise OracleError(checked.error)
        if not checked.interesting:
            raise NotInteresting(checked.describe())
        self._notes += checked.notes
        self._original_failure = OriginalFailure(checked.signatures, plan.oracle.same_failure)
        self._original_frequency = checked.frequency
        self._run_seconds = min((run.seconds for run in checked.runs), default=0.0)
        if checked.warm is not None:
            self.check_runs += checked.warm.runs
            if checked.warm.is_warm:
                self._run_seconds = checked.warm.warm_seconds
                assert isinstance(executor, WarmExecutor)
                self._warm = WarmSearch(
                    executor, plan.text, lambda text: self._holds(executor, text)
                )

    def _open_judge(self, stack: ExitStack, executor: Executor) -> Judge:
        plan, fingerprint = self._plan, executor.fingerprint()
        if fingerprint is not None and self._warm is not None:
            fingerprint += " warm"  # a cold search trusts only cold runs
        cache = self._cache = stack.enter_context(
            VerdictCache(
                fingerprint or "",
                plan.filename,
                timeout=executor.timeout,
                persistent=plan.cache and fingerprint is not None,
            )
        )
        self._notes += cache.warnings
        return Judge(
            executor,
            cache,
            plan.jobs,
            required=plan.oracle.runs_required,
            original=self._original_failure,
            on_run=self._on_run,
        )

    def _make_cancellable(self, judge: Judge) -> None:
        """Let `cancel` reach the judge, even if `cancel` was called before there was a judge."""
        self._judge = judge
        if self._cancelled.is_set():
            judge.cancel()

    def _open_document(self) -> Document:
        """Return the original, which is parsed when its tree is needed."""
        return Document(self._text, self._language, cancelled=self._cancelled)

    def _start(self, executor: Executor, original: Size) -> None:
        plan = self._plan
        header = JournalHeader.of(plan, executor.fingerprint() or "", self._strategy.name)
        steps = [step.name for step in self._strategy.steps]
        self._forecast = Forecast(steps, size(plan.text))
        self._history.keep(plan.journal, header, resume=plan.resume)
        started = Started(
            original=original,
            language=plan.grammar.name if plan.grammar and self._language else None,
            strategy=self._strategy.name,
            jobs=plan.jobs,
            timeout=executor.timeout,
            failure=self._original_failure.first,
            notes=tuple(self._notes),
        )
        self._begin_account(started)
        self._emit(started)

    def _begin_account(self, started: Started) -> None:
        """Write what a report says of this reduction beside the journal, unless that is temporary."""
        directory = self._plan.journal
        if directory is None:
            return
        former = Account.read(directory) if self._plan.resume else None
        earlier = [self._history.earlier, *([former.cost] if former else [])]
        self._history.earlier = max(earlier, key=lambda cost: cost.runs)
        self._account = Account.of(self._plan, self._encoding, started, self._history.earlier)
        self._account.write(directory)

    def _search(
        self, document: Document, judge: Judge, executor: Executor, stack: ExitStack
    ) -> bool:
        """Search, and confirm the result; return whether the user cancelled."""
        try:
            try:
                self._search_and_confirm(document, judge, executor)
            except Disproved as disproved:
                document, judge = self._turned_cold(disproved.text, judge, executor, stack)
                self._search_and_confirm(document, judge, executor)
        except Cancelled:
            return True
        finally:
            remarks = getattr(executor, "notes", ())
            self._notes += [note for note in remarks if note not in self._notes]
        self._measure(executor)
        return False

    def _search_and_confirm(self, document: Document, judge: Judge, executor: Executor) -> None:
        note = self._searched_within_limits(document, judge)
        self._notes += [note] if note else []
        self._confirm(executor)

    def _turned_cold(
        self, disproved: bytes, judge: Judge, executor: Executor, stack: ExitStack
    ) -> tuple[Document, Judge]:
        """Go back to the last proved text; return it and a judge that does not know warm verdicts."""
        assert self._warm is not None
        warm, self._warm = self._warm, None
        proved, note = warm.end(disproved, self._cancelled)
        self._notes.append(note)
        self._history.return_to(proved, self._cost())
        self._guarded_before += self._tally.guarded
        self._subject = self._coordinator = None
        self._begin = self._encoding.decoded(proved)
        judge.close()
        cold = stack.enter_context(self._open_judge(stack, executor))
        cold.counters, cold.others = judge.counters, judge.others
        self._make_cancellable(cold)
        return Document(self._begin, self._language, cancelled=self._cancelled), cold

    def _searched_within_limits(self, document: Document, judge: Judge) -> str | None:
        """Search until the end or a limit; return a note for the user, if there is one."""
        judge.before_run = self._spend
        try:
            return self._searched(document, judge)
        except SearchEnded as ended:
            if self._ended_by is None:
                self._notes.append(ended.note)
            self._ended_by = ended.by
        judge.before_run = lambda: None
        return self._laid_out(judge)

    def _spend(self) -> None:
        """Raise SearchEnded unless another run may begin."""
        assert self._judge is not None
        self._plan.search_limits.check(self._judge.counters.runs, self._clock.seconds)

    def _laid_out(self, judge: Judge) -> str | None:
        """Lay out the best text of a search that ended early, as a whole search does at its end."""
        text, tally = self._encoding.decoded(self._history.best), self._tally
        plan = self._plan.search_plan(self._grammar, self._strategy, self._encoding)
        document = Document(text, self._language, cancelled=self._cancelled)
        self._coordinator = None
        self._subject = plan.from_here(text).subject(
            document, judge, cancelled=self._cancelled, on_reduced=self._on_reduced
        )
        self._subject.tally = tally
        return plan.lay_out(self._subject, self._statistics, self._printing)

    @property
    def _printing(self) -> Callable[[bytes], bytes] | None:
        """What returns what the formatter prints; None without a formatter."""
        oracle = self._plan.oracle
        formats = isinstance(oracle, CommandOracle) and bool(oracle.formatter)
        return self.printed if formats else None

    def _searched(self, document: Document, judge: Judge) -> str | None:
        """Search here, or in processes that run ahead; return a note for the user, if there is one."""
        plan = self._plan.search_plan(self._grammar, self._strategy, self._encoding)
        plan = replace(plan.from_here(self._begin), text=self._begin)
        if is_worthwhile(self._plan.speculation, self._plan.jobs, self._run_seconds):
            try:
                return self._searched_ahead(plan, judge)
            except SearchNotBegun:
                self._coordinator = None
        self._subject = plan.subject(
            document, judge, cancelled=self._cancelled, on_reduced=self._on_reduced
        )
        return plan.search(self._subject, self._statistics, self._printing)

    def _searched_ahead(self, plan: SearchPlan, judge: Judge) -> str | None:
        """Search in processes that run ahead. Raises SearchNotBegun."""
        from pollard.speculation.coordinator import Coordinator  # noqa: PLC0415 (not for one job)

        self._coordinator = Coordinator(judge, self._plan.jobs, self, self._plan.speculation)
        return self._coordinator.run(plan, formats=self._printing is not None)

    def printed(self, text: bytes) -> bytes:
        """Return what the oracle's formatter prints for a text. Raises FormatterError."""
        plan = self._plan
        assert isinstance(plan.oracle, CommandOracle)
        return formatted(
            plan.oracle, plan.filename, text, share=self._share, cancelled=self._cancelled
        )

    def pass_began(self, name: str) -> None:
        """Measure a round of a pass of a search in another process."""
        self._statistics.begin(name, self._tally)

    def pass_ended(self, *, interrupted: bool) -> None:
        """End that round."""
        self._statistics.end(self._tally, interrupted=interrupted)

    def accepted(self, text: bytes) -> None:
        """Keep and report a text that the search accepted. Raises Disproved."""
        self._note_runs()
        if self._warm is not None:
            self._warm.accepted(text)
        self._forecast.accepted(size(text))
        cost = self._cost()
        if self._history.accept(text, cost):
            self._emit(
                Reduced(
                    text=self._history.best,
                    number=self._history.count,
                    where=cost.where,
                    counts=self._counts(),
                )
            )

    def _cost(self) -> StepCost:
        """Return what this session cost up to now, for the journal."""
        counts = self._counts()
        return StepCost(counts.runs, round(counts.seconds, 3), self._where)

    def _confirm(self, executor: Executor) -> None:
        """Run the best text once more; if it is not interesting, go back to the last one that is.

        Raises Disproved if warm runs found that text, and Unstable.
        """
        if self._is_confirmed:
            return
        holds = self._warm.holds if self._warm else lambda text: self._holds(executor, text)
        note = confirm_best(self._history, holds)
        self._notes += [note] if note else []

    @property
    def _is_confirmed(self) -> bool:
        """Whether this reduction, one of several, only repeated known verdicts or changed nothing."""
        assert self._judge is not None
        repeated = self._judge.counters.runs == 0 or self._history.best == self._plan.text
        return self._checked is not None and repeated

    def _holds(self, executor: Executor, text: bytes) -> bool:
        """Return whether k of n new runs are interesting; if not, correct the verdict in the cache."""

        def run_again() -> Run:
            self.check_runs += 1
            return executor.run(text, cancelled=self._cancelled, capture=True)

        if self._confirmation.holds(run_again, self._original_failure):
            return True
        # Warm verdicts stay as they are, so that a resumed reduction repeats what this one did.
        if self._cache is not None and self._warm is None:
            self._cache.put(text, Verdict.UNINTERESTING)
        return False

    def _measure(self, executor: Executor) -> None:
        """Measure how often the result fails, if several runs are required; `cancel` ends only that."""
        if not self._is_flaky:
            return
        self._on_measuring("how often the result fails")
        self._frequency = frequency_of_result(
            executor, self._history.best, self._original_failure, self._cancelled
        )
        self.check_runs += self._frequency.runs

    def _finish(self, original: Size, *, cancelled: bool) -> Result:
        text = self._history.best
        if cancelled and self._warm is not None:
            self._notes += self._warm.doubts(text)
        others = self._judge.others.found if self._judge else ()
        self._history.keep_others(others)
        result = Result(
            text=text,
            original=original,
            reduced=self._measured(text, original),
            counts=self._counts(),
            strategy=self._strategy.name,
            jobs=self._plan.jobs,
            cancelled=cancelled,
            ended_by=self._ended_by,
            original_failure=self._original_failure.first,
            failure=self._failure_of(text, cancelled=cancelled),
            original_frequency=self._original_frequency if self._is_flaky else None,
            frequency=self._frequency,
            others=others,
            notes=tuple(self._notes),
            passes=self._statistics.passes,
        )
        if self._account is not None and self._plan.journal is not None:
            self._account.ended(result, self._confirmation.run).write(self._plan.journal)
        self._emit(Finished(result))
        return result

    def _failure_of(self, text: bytes, *, cancelled: bool) -> Signature | None:
        """Return the failure of the result, as it was confirmed or, if cancelled, as it is known."""
        if not cancelled:
            return self._confirmation.failure
        if text == self._plan.text:
            return self._original_failure.first
        return self._cache.failure(text) if self._cache else None

    def _measured(self, text: bytes, original: Size) -> Size:
        """Return the size of the best text; parse the text only if there is no tree of it."""
        if text == self._plan.text:
            return original
        document = self._subject.document if self._subject else None
        if document is not None and self._encoding.encoded(document.text) == text:
            with suppress(Cancelled):  # cancelled before the document was parsed
                return Size.of(document, self._encoding)
        return Size.of(Document(self._encoding.decoded(text), self._language), self._encoding)

    def _on_reduced(self) -> None:
        assert self._subject is not None
        text = self._encoding.encoded(self._subject.document.text)
        assert text is not None  # it was run
        self.accepted(text)

    def _on_pass_began(self, name: str) -> None:
        self._note_runs()
        self._forecast.began(name)

    def _note_runs(self) -> None:
        assert self._judge is not None
        self._forecast.ran(self._judge.counters.runs)

    def _on_run(self) -> None:
        self._note_runs()
        self._emit(
            Progress(
                bytes=len(self._history.best),
                original_bytes=len(self._plan.text),
                where=self._where,
                counts=self._counts(),
                outlook=self._forecast.outlook(len(self._history.best)),
            )
        )

    def _on_measuring(self, what: str) -> None:
        self._emit(Measuring(what))

    @property
    def _is_flaky(self) -> bool:
        return self._plan.oracle.runs_required[1] > 1

    @property
    def _where(self) -> str:
        place = self._coordinator or self._subject
        level = place.level if place else 0
        name = self._statistics.current
        return f"{name} level {level}" if level else name

    @property
    def _tally(self) -> Tally:
        place = self._coordinator or self._subject
        return place.tally if place else Tally()

    def _counts(self) -> Counts:
        counters = self._judge.counters if self._judge else None
        return Counts(
            runs=counters.runs if counters else 0,
            wasted_runs=counters.wasted_runs if counters else 0,
            check_runs=self.check_runs,
            guarded=self._guarded_before + self._tally.guarded,
            cache_hits=counters.cache_hits if counters else 0,
            invalid=counters.invalid if counters else 0,
            timeouts=counters.timeouts if counters else 0,
            other_failures=counters.other_failures if counters else 0,
            reductions=self._history.count,
            seconds=self._clock.seconds,
            oracle_seconds=counters.oracle_seconds if counters else 0.0,
            wasted_seconds=counters.wasted_seconds if counters else 0.0,
        )
