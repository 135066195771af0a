"""Answers the questions of a search that runs in processes, and lets copies of it run ahead.

The coordinator has the judge, and with it the cache, the counters and the workers. It alone knows
which copy of the search is real.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Protocol

from pollard.engine.statistics import Tally
from pollard.errors import FormatterError, PollardError
from pollard.oracle import Verdict
from pollard.speculation.carrier import open_carrier
from pollard.speculation.chances import OtherTexts
from pollard.speculation.copies import Judged, SearchPlace
from pollard.speculation.messages import (
    Accepted,
    Asked,
    Offered,
    PassBegan,
    PassDone,
    PrintedText,
    SearchDone,
    Unformatted,
)
from pollard.speculation.modes import SearchNotBegun, Speculation
from pollard.speculation.needed_runs import NeededRuns
from pollard.speculation.running_ahead import RunningAhead

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.oracle import Judge
    from pollard.passes.searching import SearchPlan
    from pollard.speculation.copies import AwaitedText, SearchCopy
    from pollard.speculation.messages import Answer, Given, Report, Told
    from pollard.speculation.running_ahead import Advance


class SearchDied(PollardError):
    """The process of the search is gone, and nobody here ended it."""


class SearchListener(Protocol):
    """Gets what the real search reports, in order."""

    def pass_began(self, name: str) -> None:
        """A round of a pass began."""

    def pass_ended(self, *, interrupted: bool) -> None:
        """The round that began last ended, or was interrupted."""

    def accepted(self, text: bytes) -> None:
        """A text became the document."""

    def printed(self, text: bytes) -> bytes:
        """Return what the formatter prints for a text. Raises FormatterError."""


class Coordinator:
    """Carries out one search with `jobs` runs at a time; only one thread may use it.

    `level` and `tally` are those of the real search.
    """

    def __init__(
        self,
        judge: Judge,
        jobs: int,
        listener: SearchListener,
        speculation: Speculation,
    ) -> None:
        """Raises SearchNotBegun if no process can be started."""
        min_need = 0.5 if speculation is Speculation.FRUGAL else 0.0
        try:
            self._carrier = open_carrier(jobs)
        except OSError as error:
            raise SearchNotBegun from error
        self.level = 0
        self.tally = Tally()
        self._judge = judge
        self._listener = listener
        self._other_texts = OtherTexts()
        self._runs = NeededRuns(judge, jobs, self._carrier.wake, min_need)
        self._ahead = RunningAhead(jobs, min_need, self._carrier)
        self._real: SearchCopy
        self._done: SearchDone | None = None
        self._in_pass = self._begun = False

    def run(self, plan: SearchPlan, *, formats: bool) -> str | None:
        """Search once, and return a sentence for the user or None; `formats` if there is a formatter.

        Raises `Cancelled` after the judge was cancelled, once all processes are dead, `OracleError` if
        the oracle cannot be run, `SearchDied`, and `SearchNotBegun` if it had not begun then.
        """
        self._judge.on_cancel = self._carrier.wake
        with contextlib.ExitStack() as stack:
            stack.callback(self._carrier.close)
            stack.callback(self._close)
            self._real = self._carrier.begin(plan, formats=formats)
            while self._done is None:
                self._step()
        if self._done.error is not None:
            raise self._done.error
        return self._done.note

    def _step(self) -> None:
        self._judge.raise_if_cancelled()
        while any(self._settle(copy) for copy in self._real.all()):
            pass
        self._format()
        self._real.weigh(1.0)
        waiting = self._runs.choose(entry for entry in self._awaited() if entry.verdict is None)
        self._run_ahead(list(self._real.all()), waiting)
        if self._done is None:
            self._wait()

    def _run_ahead(self, copies: list[SearchCopy], waiting: int) -> None:
        """Let copies go on, until enough texts wait for workers."""
        while (step := self._ahead.next_step(copies, waiting)) is not None:
            try:
                self._advance(step, copies)
            except OSError:  # a process that died shows by itself
                return

    def _advance(self, step: Advance, copies: list[SearchCopy]) -> None:
        if step.assumes:
            copies.append(self._carrier.assume(step.copy, step.hit))
        else:
            self._carrier.read_on(step.copy)
            step.copy.computing = True

    def _close(self) -> None:
        if self._in_pass:
            self._listener.pass_ended(interrupted=True)
        self._judge.on_cancel = None
        self._runs.close()

    # Waiting.

    def _wait(self) -> None:
        for copy, message in self._carrier.wait():
            if message is None:
                self._drop_dead(copy)
            else:
                self._receive(copy, message)
        self._learn({task.key: task.result.verdict for task in self._runs.ended() if task.result})

    def _learn(self, verdicts: dict[bytes, Verdict]) -> None:
        """Note the verdicts on texts with these keys."""
        if not verdicts:
            return
        awaited = list(self._awaited())
        for entry in awaited:
            if entry.key in verdicts:
                self._know(entry, verdicts[entry.key])
        for entry in awaited:
            entry.consider(self._other_texts)

    def _know(self, entry: AwaitedText, verdict: Verdict) -> None:
        entry.verdict = verdict
        interesting = verdict is Verdict.INTERESTING
        self._other_texts.note(entry.change, entry.key, interesting=interesting)

    def _awaited(self) -> Iterator[AwaitedText]:
        """Yield the texts of all open questions that are not counted yet."""
        for copy in self._real.all():
            if copy.question is not None:
                yield from copy.question.awaited

    def _receive(self, copy: SearchCopy, message: Told) -> None:
        self._begun = True
        if isinstance(message, Asked):
            copy.ask(wants_verdicts=message.wants_verdicts)
            self._report(copy, SearchPlace(message.level, message.tally))
            self._extend(copy, message.offered)
        elif isinstance(message, Offered):
            if copy.question is not None:  # or else it was answered meanwhile
                copy.computing = False
                self._extend(copy, message)
        elif isinstance(message, Unformatted):
            copy.computing, copy.unformatted = False, message.text
        else:
            if isinstance(message, SearchDone):
                copy.computing = False
            self._report(copy, message)

    def _drop_dead(self, copy: SearchCopy) -> None:
        """Go on without a copy whose process died, or could not be forked."""
        if copy is self._real:
            if not self._begun:
                raise SearchNotBegun
            message = (
                "The search's process ended unexpectedly; go on with --resume, "
                'and with speculation = "off" if it happens again.'
            )
            raise SearchDied(message)
        self._drop(copy)

    def _drop(self, copy: SearchCopy) -> None:
        """End a copy and those below it."""
        if copy.parent is not None:
            copy.parent.children = {
                hit: child for hit, child in copy.parent.children.items() if child is not copy
            }
        for each in copy.all():
            self._carrier.end(each)

    # Questions and answers.

    def _extend(self, copy: SearchCopy, offered: Offered) -> None:
        assert copy.question is not None
        if copy is self._real:
            self.tally.guarded = offered.guarded
        entry = copy.question.extend(offered)
        if entry is not None:
            entry.key = self._judge.key(entry.text)
            entry.consider(self._other_texts)
            known = self._judge.known(entry.text, entry.key)
            if known is not None:
                self._know(entry, known)

    def _settle(self, copy: SearchCopy) -> bool:
        """Use the verdicts that are known, in order; return whether that answered the question."""
        question = copy.question
        if question is None:
            return False
        for judged in copy.judged():
            self._report(copy, judged)
        for child in list(copy.children.values()):
            assert child.assumption is not None
            if question.is_refuted(child.assumption):
                self._drop(child)
        if question.decided is not None:
            return self._answer(copy, question.decided)
        if question.awaited and copy is self._real:
            self._raise_if_cannot_run(question.awaited[0].key)
        return False

    def _raise_if_cannot_run(self, key: bytes) -> None:
        """Raise if the search may not wait for the next run that counts, or if that failed."""
        self._judge.before_run()
        error = self._runs.error(key)
        if error is not None:
            raise error

    def _answer(self, copy: SearchCopy, answer: Answer) -> bool:
        """Replace a copy by the one that assumed the answer, or tell it; return whether it goes on."""
        child = copy.children.get(answer.hit)
        if child is None:
            return self._give(copy, answer)
        if not self._carrier.can_replace(child):
            return False
        copy.children = {}
        child.replace(copy)
        if copy is self._real:
            self._real, log, child.log = child, child.log, []
            for report in log:
                self._report(child, report)
        self._carrier.replaced(copy, child)
        return True

    def _give(self, copy: SearchCopy, given: Given) -> bool:
        """Let a copy go on with what it waits for; return False if no process can, yet."""
        try:
            goes_on = self._carrier.give(copy, given)
        except OSError:
            self._drop_dead(copy)
            return True
        if goes_on:
            copy.given.append(given)
            copy.question, copy.computing = None, True
        return goes_on

    def _format(self) -> None:
        """Run the formatter if the real search asks for it."""
        text, self._real.unformatted = self._real.unformatted, None
        if text is None:
            return
        try:
            printed = PrintedText(self._listener.printed(text))
        except FormatterError as error:
            printed = PrintedText(None, str(error))
        self._give(self._real, printed)

    # Reports.

    def _report(self, copy: SearchCopy, report: Report | Judged | SearchPlace) -> None:
        """Pass on what the real search reports; keep what a shadow does until it is real."""
        if copy is not self._real:
            copy.log.append(report)
        elif isinstance(report, Judged):
            self._judge.count(report.text, report.key, report.verdict)
        else:
            self.tally = report.tally
            self._tell(report)

    def _tell(self, report: Report | SearchPlace) -> None:
        if isinstance(report, SearchPlace):
            self.level = report.level
        elif isinstance(report, PassBegan):
            self._in_pass = True
            self._listener.pass_began(report.name)
        elif isinstance(report, PassDone):
            self._in_pass = False
            self._listener.pass_ended(interrupted=False)
        elif isinstance(report, Accepted):
            self.level = report.level
            self._listener.accepted(report.text)
        else:
            self._done = report
