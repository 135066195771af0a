"""The search of a reduction: here or in processes that run ahead, until its end or a limit."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.errors import Cancelled
from pollard.events import Size
from pollard.limits import SearchEnded
from pollard.speculation import SearchNotBegun, is_worthwhile

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.engine.subject import Subject
    from pollard.limits import EndedBy
    from pollard.oracle import CancelToken
    from pollard.passes.searching import SearchPlan
    from pollard.passes.strategy import Strategy
    from pollard.plan import Plan
    from pollard.reduction.judging import Judges
    from pollard.reduction.new_runs import NewRuns
    from pollard.reduction.text_standing import TextStanding
    from pollard.syntax.tree.document import Document


class TextSearch:
    """Searches for a smaller text, and lays it out; as a listener, hears of a search in processes.

    `ended_by` is the limit at which it ended; None if it came to its end.
    """

    def __init__(
        self,
        plan: Plan,
        search_plan: SearchPlan,
        standing: TextStanding,
        judges: Judges,
        *,
        new_runs: NewRuns,
        formatter: Callable[[bytes], bytes] | None,
        run_seconds: float,
        cancelled: CancelToken,
    ) -> None:
        """Prepare a search for an oracle that takes `run_seconds`.

        `new_runs` gets each accepted text, and raises Disproved if a cold run does not confirm what
        warm ones found. `formatter` returns what it prints for a file, or raises FormatterError.
        """
        self.ended_by: EndedBy | None = None
        self._plan = plan
        self._search_plan = search_plan
        self._standing = standing
        self._judges = judges
        self._new_runs = new_runs
        self._formatter = formatter
        self._run_seconds = run_seconds
        self._cancelled = cancelled
        self._begin = search_plan.text  # what the search shrinks, in UTF-8
        self._subject: Subject | None = None

    @property
    def strategy(self) -> Strategy:
        """The strategy that it follows."""
        return self._search_plan.strategy

    def run(self, document: Document) -> None:
        """Search until the end or a limit. Raises Disproved, Cancelled, and what the oracle raises."""
        note = self._run_within_limits(document)
        self._standing.notes += [note] if note else []

    def go_back_to(self, proved: bytes) -> Document:
        """Forget the search so far; return the document from which another one goes on."""
        self._standing.return_to(proved)
        self._subject = None
        self._begin = self._search_plan.encoding.decoded(proved)
        return self._search_plan.document(self._begin, self._cancelled)

    def size_of(self, text: bytes) -> Size:
        """Return the size of a text that was accepted; parse it only if there is no tree of it."""
        plan, subject = self._search_plan, self._subject
        if subject is not None and plan.encoding.encoded(subject.document.text) == text:
            with suppress(Cancelled):  # cancelled before the document was parsed
                return Size.of(subject.document, plan.encoding)
        return Size.of(plan.document(plan.encoding.decoded(text)), plan.encoding)

    def _run_within_limits(self, document: Document) -> str | None:
        """Search until the end or a limit; return a note for the user, if there is one."""
        judge = self._judges.current
        judge.before_run = self._spend
        try:
            return self._searched(document)
        except SearchEnded as ended:
            if self.ended_by is None:
                self._standing.notes.append(ended.note)
            self.ended_by = ended.by
        judge.before_run = lambda: None
        return self._laid_out()

    def _spend(self) -> None:
        """Raise SearchEnded unless another run may begin, and Disproved if none may count any more."""
        standing = self._standing
        self._new_runs.settle()
        try:
            self._plan.search_limits.check(standing.counters.runs, standing.clock.seconds)
        except SearchEnded:
            self._new_runs.settle(wait=True)
            raise

    def _searched(self, document: Document) -> str | None:
        """Search here, or in processes that run ahead; return a note for the user, if there is one."""
        plan = replace(self._search_plan.from_here(self._begin), text=self._begin)
        if is_worthwhile(self._plan.speculation, self._plan.jobs, self._run_seconds):
            try:
                return self._searched_ahead(plan)
            except SearchNotBegun:
                self._standing.search = None
        subject = self._opened_subject(plan, document)
        return plan.search(subject, self._standing.statistics, self._formatter)

    def _searched_ahead(self, plan: SearchPlan) -> str | None:
        """Search in processes that run ahead. Raises SearchNotBegun."""
        from pollard.speculation.coordinator import Coordinator  # noqa: PLC0415 (not for one job)

        coordinator = Coordinator(
            self._judges.current, self._plan.jobs, self, self._plan.speculation
        )
        self._standing.search = coordinator
        return coordinator.run(plan, formats=self._formatter is not None)

    def _laid_out(self) -> str | None:
        """Lay out the best text of a search that ended early, as a whole search does at its end."""
        plan, tally = self._search_plan, self._standing.tally
        text = plan.encoding.decoded(self._standing.history.best)
        document = plan.document(text, self._cancelled)
        subject = self._opened_subject(plan.from_here(text), document)
        subject.tally = tally
        return plan.lay_out(subject, self._standing.statistics, self._formatter)

    def _opened_subject(self, plan: SearchPlan, document: Document) -> Subject:
        """Return the subject of a search in this process."""
        self._subject = self._standing.search = plan.subject(
            document, self._judges.current, cancelled=self._cancelled, on_reduced=self._on_reduced
        )
        return self._subject

    def _on_reduced(self) -> None:
        assert self._subject is not None
        self.accepted(self._search_plan.file(self._subject))

    # As the listener of a search in processes.

    def pass_began(self, name: str) -> None:
        """Measure a round of a pass."""
        self._standing.statistics.begin(name, self._standing.tally)

    def pass_ended(self, *, interrupted: bool) -> None:
        """End that round."""
        self._standing.statistics.end(self._standing.tally, interrupted=interrupted)

    def accepted(self, text: bytes) -> None:
        """Prove, keep and report a text that the search accepted. Raises Disproved."""
        self._new_runs.accepted(text)

    def printed(self, text: bytes) -> bytes:
        """Return what the formatter prints for a text. Raises FormatterError."""
        assert self._formatter is not None
        return self._formatter(text)
