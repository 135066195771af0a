"""How far the reduction of a text has come: its best text, its cost, and the events about them."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from pollard.engine.statistics import Statistics, Tally
from pollard.events import Counts, Finished, Measuring, PassEnded, Progress, Reduced
from pollard.forecast import Forecast
from pollard.journal import History, JournalHeader, StepCost
from pollard.limits import Clock
from pollard.oracle import Counters
from pollard.report.account import Account
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pollard.engine.statistics import PassStatistics
    from pollard.events import Event, Result, Started
    from pollard.oracle import Run
    from pollard.passes.searching import SearchPlan
    from pollard.plan import Plan


class _RunningSearch(Protocol):
    """Where the search is, and what its passes did."""

    @property
    def level(self) -> int: ...
    @property
    def tally(self) -> Tally: ...


class TextStanding:
    """The best text so far and its cost; reports changes to a listener.

    - `history`: the accepted texts
    - `clock`: the time since the reduction began
    - `counters`: what the judges counted
    - `check_runs`: runs on the original before the search, and on accepted texts
    - `statistics`: the figures of the passes
    - `search`: the search that is in progress, or was last; None before there is one
    - `notes`: sentences for the user, in order
    """

    def __init__(self, plan: Plan, emit: Callable[[Event], None]) -> None:
        self.history = History(plan.text)
        self.clock = Clock()
        self.counters = Counters()
        self.check_runs = 0
        self.statistics = Statistics(self._on_pass_ended, self._on_pass_began)
        self.search: _RunningSearch | None = None
        self.notes = list(plan.notes)
        self._plan = plan
        self._emit = emit
        self._forecast = Forecast((), 0)
        self._account: Account | None = None
        self._guarded_before = 0  # by a search that was given up

    @property
    def counts(self) -> Counts:
        """The cost so far."""
        counters = self.counters
        return Counts(
            runs=counters.runs,
            wasted_runs=counters.wasted_runs,
            check_runs=self.check_runs,
            guarded=self._guarded_before + self.tally.guarded,
            cache_hits=counters.cache_hits,
            invalid=counters.invalid,
            timeouts=counters.timeouts,
            other_failures=counters.other_failures,
            reductions=self.history.count,
            seconds=self.clock.seconds,
            oracle_seconds=counters.oracle_seconds,
            wasted_seconds=counters.wasted_seconds,
        )

    @property
    def tally(self) -> Tally:
        """What the passes of the current search did."""
        return self.search.tally if self.search else Tally()

    def measuring(self, what: str) -> None:
        """Report that further runs measure something."""
        self._emit(Measuring(what))

    def begin(self, started: Started, plan: SearchPlan, fingerprint: str) -> None:
        """Begin the journal, and report that the search begins. Raises JournalError."""
        strategy, journal = plan.strategy, self._plan.journal
        self._forecast = Forecast([step.name for step in strategy.steps], size(self._plan.text))
        header = JournalHeader.of(self._plan, fingerprint, strategy.name)
        self.history.keep(journal, header, resume=self._plan.resume)
        if journal is not None:
            self._add_earlier_cost(journal)
            self._account = Account.of(self._plan, plan.encoding, started, self.history.earlier)
            self._account.write(journal)
        self._emit(started)

    def _add_earlier_cost(self, journal: Path) -> None:
        """Count what earlier sessions cost: what the journal or the account says, whichever is more."""
        former = Account.read(journal) if self._plan.resume else None
        earlier = [self.history.earlier, *([former.cost] if former else [])]
        self.history.earlier = max(earlier, key=lambda cost: cost.runs)

    def accepted(self, text: bytes) -> Callable[[], None]:
        """Note what it cost so far to accept a text; return the function that keeps and reports it.

        It does not report a text that the journal has already.
        """
        self._note_runs()
        self._forecast.accepted(size(text))
        return functools.partial(self._keep, text, self._cost, self.counts)

    def _keep(self, text: bytes, cost: StepCost, counts: Counts) -> None:
        if self.history.accept(text, cost):
            number = self.history.count
            self._emit(
                Reduced(
                    text=self.history.best,
                    number=number,
                    where=cost.where,
                    counts=replace(counts, reductions=number),
                )
            )

    def return_to(self, text: bytes) -> None:
        """Go on from an earlier text with another search; what the last one cost still counts."""
        self.history.return_to(text, self._cost)
        self._guarded_before += self.tally.guarded
        self.search = None

    def on_run(self) -> None:
        """Report a run that counts."""
        self._note_runs()
        size_in_bytes = len(self.history.best)
        self._emit(
            Progress(
                bytes=size_in_bytes,
                original_bytes=len(self._plan.text),
                where=self._where,
                counts=self.counts,
                outlook=self._forecast.outlook(size_in_bytes),
            )
        )

    def finish(self, result: Result, confirmed: Run | None) -> None:
        """Report the result; `confirmed` is the run that confirmed it. Raises JournalError."""
        if self._account is not None and self._plan.journal is not None:
            self._account.ended(result, confirmed).write(self._plan.journal)
        self._emit(Finished(result))

    @property
    def _cost(self) -> StepCost:
        """What this session cost up to now, for the journal."""
        counts = self.counts
        return StepCost(counts.runs, round(counts.seconds, 3), self._where)

    @property
    def _where(self) -> str:
        level = self.search.level if self.search else 0
        name = self.statistics.current
        return f"{name} level {level}" if level else name

    def _note_runs(self) -> None:
        self._forecast.ran(self.counters.runs)

    def _on_pass_began(self, name: str) -> None:
        self._note_runs()
        self._forecast.began(name)

    def _on_pass_ended(self, ended: PassStatistics) -> None:
        self._emit(PassEnded(ended))
