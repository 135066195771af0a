"""The judge of a reduction with its cache of verdicts, and others once the search turns cold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.oracle import Judge, Rejections, Verdict, VerdictCache
from pollard.oracle.failures.comparing import OtherFailures

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import ExitStack

    from pollard.oracle import CancelToken, Executor, OtherFailure, Signature
    from pollard.plan import Plan
    from pollard.reduction.original import CheckedOriginal
    from pollard.reduction.text_standing import TextStanding


class Judges:
    """Opens judges, one after the other. All count into `standing`; `stack` closes them."""

    def __init__(
        self,
        plan: Plan,
        original: CheckedOriginal,
        standing: TextStanding,
        stack: ExitStack,
        cancelled: CancelToken,
    ) -> None:
        self._plan = plan
        self._original = original
        self._standing = standing
        self._stack = stack
        self._cancelled = cancelled
        self._others = OtherFailures()
        self._cache: VerdictCache
        self._current: Judge | None = None

    @property
    def current(self) -> Judge:
        """The judge that was opened last."""
        assert self._current is not None
        return self._current

    def cancel(self) -> None:
        """Cancel the judge, from any thread; later ones find the token set."""
        if self._current is not None:
            self._current.cancel()

    @property
    def others(self) -> tuple[OtherFailure, ...]:
        """Failures of another kind that candidates showed."""
        return self._others.found

    def take_back_later(self) -> Callable[[], None]:
        """Return a function that takes back what will have been counted and found until its call."""
        counted, found = replace(self._standing.counters), self._others.copy()

        def take_back() -> None:
            self._standing.counters.take_back(counted)
            self._others.take_back(found)

        return take_back

    def open(self, *, warm: bool) -> None:
        """Open a judge whose verdicts are those of warm runs, or of cold ones."""
        cache = self._opened_cache(warm=warm)
        self._standing.notes += cache.warnings
        self._open(cache, self._plan.oracle.runs_required)

    def _open(
        self,
        cache: VerdictCache,
        runs_required: tuple[int, int],
        hearing: Executor | None = None,
    ) -> None:
        self._cache = self._stack.enter_context(cache)
        failure = self._original.failure
        judge = Judge(
            hearing or self._original.executor,
            cache,
            self._plan.jobs,
            required=runs_required,
            original=failure.as_heard if hearing else failure,
            on_run=self._standing.on_run,
        )
        judge.counters, judge.others = self._standing.counters, self._others
        self._current = self._stack.enter_context(judge)
        if self._cancelled.is_set():  # perhaps before `cancel` could reach this judge
            judge.cancel()

    def reopen_cold(self) -> None:
        """Close the judge, and open one that does not know warm verdicts."""
        self.current.close()
        self.open(warm=False)

    def reopen_careful(self, runs: int) -> None:
        """Close the judge, and open one that accepts a text if all of `runs` runs are interesting."""
        self.current.close()
        self._open(Rejections(self._cache), (runs, runs))

    def reopen_hearing(self, hearing: Executor) -> None:
        """Close the judge, and open one that compares the failures that a script reads.

        `hearing` tells them, and is closed with the judge.
        """
        self.current.close()
        self._stack.enter_context(hearing)
        self._open(Rejections(self._cache), (1, 1), hearing)

    def _opened_cache(self, *, warm: bool) -> VerdictCache:
        executor = self._original.executor
        fingerprint = executor.fingerprint()
        if fingerprint is not None and warm:
            fingerprint += " warm"  # a cold search trusts only cold runs
        return VerdictCache(
            fingerprint or "",
            self._plan.filename,
            timeout=executor.timeout,
            persistent=self._plan.cache and fingerprint is not None,
        )

    def refute(self, text: bytes) -> None:
        """Correct the verdict on an accepted text that new runs did not confirm."""
        self._cache.put(text, Verdict.UNINTERESTING)

    def failure_of(self, text: bytes) -> Signature | None:
        """Return the failure that a text showed, as far as it is known."""
        return self._cache.failure(text)
