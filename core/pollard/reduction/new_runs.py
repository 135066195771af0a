"""New runs of texts that a search accepted: proofs of warm verdicts, confirmation, frequency."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.executors import (
    WarmExecutor,
    WarmSearch,
    frequency_of_result,
    open_hearing_executor,
    overheard_run,
)
from pollard.reduction.confirmation import (
    GONE_BACK,
    SEARCHED_HEARING,
    Confirmation,
    Slipped,
    careful_runs,
    last_confirmed,
    searched_again,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.oracle import Cancellable, CancelToken, Frequency, Run, Share, Signature
    from pollard.oracle.warm.proving import Disproved
    from pollard.plan import Plan
    from pollard.reduction.judging import Judges
    from pollard.reduction.original import CheckedOriginal
    from pollard.reduction.text_standing import TextStanding


class NewRuns:
    """Runs the original and accepted texts again, and counts these runs as checks.

    A search goes on from an earlier text at most once; a flaky failure has its own number of runs.

    `frequency` is how often the confirmed text failed; None unless that was measured.
    """

    def __init__(
        self,
        plan: Plan,
        original: CheckedOriginal,
        standing: TextStanding,
        judges: Judges,
        cancelled: CancelToken,
        share: Share,
    ) -> None:
        self.frequency: Frequency | None = None
        self._plan = plan
        self._original = original
        self._standing = standing
        self._judges = judges
        self._cancelled = cancelled
        self._confirmation = Confirmation(plan.oracle.runs_required)
        self._share = share
        self._searches_again = plan.oracle.runs_required == (1, 1)
        self._warm: WarmSearch | None = None  # while the search uses warm runs
        if original.is_warm:
            assert isinstance(original.executor, WarmExecutor)
            self._warm = WarmSearch(original.executor, plan.text, self._proved, cancelled, share)

    def accepted(self, text: bytes) -> None:
        """Keep a text that the search accepted, but one of warm runs only after the proofs before it.

        Raises Disproved if one of those that are over failed.
        """
        keep = self._standing.accepted(text)
        if self._warm is None:
            keep()
            return
        self._warm.accepted(text, keep, self._judges.take_back_later())
        self._warm.settle()

    def settle(self, *, wait: bool = False) -> None:
        """Keep the texts that proofs no longer hold back; `wait` for all. Raises Disproved."""
        if self._warm is not None:
            self._warm.settle(wait=wait)

    def cool(self, disproved: Disproved) -> bytes:
        """Make all further runs cold; return the last proved text."""
        assert self._warm is not None
        warm, self._warm = self._warm, None
        proved, note = warm.end(disproved.text)
        self._standing.notes.append(note)
        self._judges.reopen_cold()
        disproved.take_back()
        return proved

    def close(self) -> None:
        """Stop proofs, and keep the accepted texts that still wait for them."""
        if self._warm is not None:
            self._warm.close()

    def confirm(self) -> None:
        """Run the best text again; unless it is interesting every time, go back to one that is.

        Raises Disproved if warm runs found the best text and a cold run does not confirm it, Slipped if
        the search shall go on from an earlier text, and Unstable if there is none.
        """
        history = self._standing.history
        if self._warm is not None:
            self._warm.prove(lambda: history.best)
            return
        checks = self._plan.checks
        text = last_confirmed(history, self._holds, checks)
        if text == history.best:
            return
        if not self._searches_again:
            self._standing.notes.append(GONE_BACK.format(what="texts"))
            history.go_back_to(text)
            return
        self._searches_again = False
        runs = careful_runs(checks)
        self._standing.notes.append(searched_again(text, runs))
        self._judges.reopen_careful(runs)
        raise Slipped(text)

    def measure(self) -> None:
        """Measure how often the result fails; a cancellation ends only that."""
        self._standing.measuring("how often the result fails")
        self.frequency = frequency_of_result(
            self._original.executor,
            self._standing.history.best,
            self._original.failure,
            self._cancelled,
        )
        self._standing.check_runs += self.frequency.runs

    def hear(self) -> None:
        """Let a script tell what failure the result has, if it told that of the original.

        Raises Slipped if it is another one, and the search shall go on from an earlier text.
        """
        if self._original.failure.heard is None:
            return
        history = self._standing.history
        reached = self._heard(history.reached)
        if self._searches_again and self._warm is None and self._is_unheard(reached):
            self._search_hearing()
        is_best = history.reached == history.best
        self._confirmation.keep(reached if is_best else self._heard(history.best))

    def _search_hearing(self) -> None:
        """Let the judge compare what a script reads; raise Slipped to a text with the failure."""
        executor = self._original.executor
        hearing = open_hearing_executor(executor, self._plan.filename, share=self._share)
        if hearing is None:
            return
        self._searches_again = False
        self._judges.reopen_hearing(hearing)
        earlier = self._standing.history.before_reached()
        shown = (text for text in earlier if not self._is_unheard(self._heard(text)))
        self._standing.notes.append(SEARCHED_HEARING)
        raise Slipped(next(shown, self._plan.text))

    def _heard(self, text: bytes) -> Run | None:
        self._standing.check_runs += 1
        return overheard_run(
            self._original.executor,
            self._plan.filename,
            text,
            cancelled=self._cancelled,
            share=self._share,
        )

    def _is_unheard(self, run: Run | None) -> bool:
        return run is not None and self._original.failure.is_unheard(run)

    def doubts(self, text: bytes) -> list[str]:
        """Return the note that the result of a cancelled search needs, if there is one."""
        return self._warm.doubts(text) if self._warm else []

    @property
    def confirmed(self) -> Run | None:
        """The run that confirmed the result, or told more about it; None if there was none."""
        return self._confirmation.run

    def failure_of(self, text: bytes, *, cancelled: bool) -> Signature | None:
        """Return the failure of the result, as it was confirmed or, if cancelled, as it is known."""
        if not cancelled:
            return self._confirmation.failure
        if text == self._plan.text:
            return self._original.failure.first
        return self._judges.failure_of(text)

    def _holds(self, text: bytes, checks: int = 1) -> bool:
        """Return whether enough cold runs are interesting; if not, correct the verdict in the cache."""
        if self._confirmation.holds(lambda: self._run(text), self._original.failure, checks=checks):
            return True
        self._judges.refute(text)
        return False

    def _run(self, text: bytes) -> Run:
        self._standing.check_runs += 1
        return self._original.executor.run(text, cancelled=self._cancelled, capture=True)

    def _proved(self, text: bytes, stop: Cancellable) -> Callable[[], bool]:
        """Run a text cold, in any thread; return what notes the runs, and whether they confirm it.

        Warm verdicts stay as they are, so that a resumed reduction repeats what this one did.
        """
        runs: list[Run] = []

        def run_again() -> Run:
            runs.append(self._original.executor.run(text, cancelled=stop, capture=True))
            return runs[-1]

        proof = Confirmation(self._plan.oracle.runs_required)
        holds = proof.holds(run_again, self._original.failure)

        def noted() -> bool:
            self._standing.check_runs += len(runs)
            if proof.run is not None:
                self._confirmation = proof
            return holds

        return noted
