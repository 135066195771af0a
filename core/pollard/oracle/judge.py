"""The one primitive of every search: the first interesting text of an ordered stream.

One job answers with a loop. N jobs run that loop ahead: the next N unknown texts are evaluated in
parallel, their verdicts are used in order, and runs after the first interesting text are killed.
Thus the answer and the number of counted runs are the same for every N.
"""

from __future__ import annotations

import collections
import threading
import time
from typing import TYPE_CHECKING

from pollard.errors import Cancelled, NotBegun
from pollard.oracle.executor import CancelToken
from pollard.oracle.failures.comparing import OriginalFailure, OtherFailures
from pollard.oracle.lookahead import Evaluation, Lookahead, OnVerdict, Task, Workers
from pollard.oracle.verdict import Counters, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pollard.oracle.cache import VerdictCache
    from pollard.oracle.executor import Executor
    from pollard.oracle.signature import Signature
    from pollard.oracle.verdict import Run


class Judge:
    """Finds the first interesting text of a stream, with `jobs` runs at a time.

    `required` is (k, n): a text is interesting if at least k of n executions are. It must also show
    `original`'s failure; `others` has those that differ. `on_run` is called for each counted verdict,
    in the thread of `first`, which only one thread may call; `on_cancel` by `cancel`, in its thread.
    `before_run` is called in the thread of `first` before each run that would count, and may raise to
    end the search. `counters` may be read at any time.
    """

    def __init__(
        self,
        executor: Executor,
        cache: VerdictCache,
        jobs: int = 1,
        *,
        required: tuple[int, int] = (1, 1),
        original: OriginalFailure | None = None,
        on_run: Callable[[], None] | None = None,
    ) -> None:
        self.counters = Counters()
        self.others = OtherFailures()
        self.on_run = on_run
        self.on_cancel: Callable[[], None] | None = None
        self.before_run: Callable[[], None] = lambda: None
        self._executor = executor
        self._cache = cache
        self._jobs = max(jobs, 1)
        self._required = required
        self._original = original or OriginalFailure()
        self._cancelled = CancelToken()
        self._lookahead: Lookahead | None = None
        self._workers: Workers | None = None
        # What each known but still uncounted verdict took, by the text's key: executions, seconds.
        self._uncounted: dict[bytes, tuple[int, float]] = {}
        self._lock = threading.RLock()

    def first(
        self, texts: Iterable[bytes | None], on_verdict: OnVerdict | None = None
    ) -> int | None:
        """Return the index of the first interesting text, or None if there is none.

        None in `texts` stands for a candidate that was rejected without a run: it only takes up an
        index. `texts` is read in this thread, and only as far as needed; with N jobs up to 4 N texts
        ahead. `on_verdict` is called in this thread and in order, with the index and the verdict of
        each text up to the interesting one. Raises `Cancelled` after `cancel`, once all processes are
        dead, and `OracleError` if the oracle cannot be run.
        """
        if self._jobs == 1:
            return self._first_alone(texts, on_verdict)
        if self._workers is None:
            self._workers = Workers(self._jobs, self.evaluate, self.finished)
        self._lookahead = Lookahead(self, self._workers, self._jobs)
        try:
            return self._lookahead.first(texts, on_verdict)
        finally:
            self._lookahead.cancel_all(wait=self._cancelled.is_set())

    def cancel(self) -> None:
        """End `first` now and make later calls fail; from any thread or signal handler."""
        self._cancelled.set()
        if self._lookahead is not None:
            self._lookahead.cancel_all(wait=False)
        if self.on_cancel is not None:
            self.on_cancel()

    def close(self) -> None:
        """Kill all runs and end the threads."""
        self.cancel()
        if self._workers is not None:
            self._workers.close()

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def raise_if_cancelled(self) -> None:
        """Raise `Cancelled` after `cancel`."""
        if self._cancelled.is_set():
            raise Cancelled("The reduction was cancelled.")

    def key(self, text: bytes) -> bytes:
        """Return the key of the verdict on `text`."""
        return self._cache.key(text)

    def known(self, text: bytes, key: bytes) -> Verdict | None:
        """Return the verdict on `text` if it is known without a run."""
        by_criteria = self._cache.get(text, key=key)
        if by_criteria is not Verdict.INTERESTING:
            return by_criteria
        return self._compared(by_criteria, self._cache.failure(text, key=key))

    def _compared(self, by_criteria: Verdict, failure: Signature | None) -> Verdict:
        """Return the verdict, now that the failure is compared with the original's."""
        if by_criteria is Verdict.INTERESTING and not self._original.admits(failure):
            return Verdict.OTHER_FAILURE
        return by_criteria

    def count(self, text: bytes, key: bytes, verdict: Verdict) -> None:
        """Count a verdict when a search with one job would get it."""
        if key in self._uncounted:
            self.before_run()
        self._count(text, key, verdict)

    def _count(self, text: bytes, key: bytes, verdict: Verdict) -> None:
        if verdict is not Verdict.INTERESTING:
            self._note_other_failure(text, key)
        with self._lock:
            executions, seconds = self._uncounted.pop(key, (0, 0.0))
            if executions == 0:
                self.counters.cache_hits += 1
                return
            self.counters.wasted_runs -= executions
            self.counters.wasted_seconds -= seconds
            self.counters.count(verdict, executions)
        if self.on_run is not None:
            self.on_run()

    def _note_other_failure(self, text: bytes, key: bytes) -> None:
        failure = self._cache.failure(text, key=key)
        if failure is not None and self._original.differs(failure):
            self.others.add(failure, text)

    def _first_alone(
        self, texts: Iterable[bytes | None], on_verdict: OnVerdict | None
    ) -> int | None:
        for index, text in enumerate(texts):
            self.raise_if_cancelled()
            if text is None:
                continue
            verdict = self._judge_alone(text)
            if on_verdict is not None:
                on_verdict(index, verdict)
            if verdict is Verdict.INTERESTING:
                return index
        self.raise_if_cancelled()
        return None

    def _judge_alone(self, text: bytes) -> Verdict:
        key = self.key(text)
        verdict = self.known(text, key)
        if verdict is None:
            self.before_run()
            task = Task(text, key, token=self._cancelled)
            try:
                task.result = self.evaluate(task)
                verdict = task.result.verdict
            finally:
                self.finished(task)
        self._count(text, key, verdict)
        return verdict

    def finished(self, task: Task) -> None:
        """Keep the verdict of a finished task; its runs are wasted until they are counted."""
        with self._lock:
            self.counters.wasted_runs += task.started
            self.counters.wasted_seconds += task.seconds
            # A run that is no longer needed may end after another run on the same text was counted.
            if task.result is not None and self.known(task.text, task.key) is None:
                self._uncounted[task.key] = task.result.executions, task.seconds
                self._cache.put(
                    task.text, task.result.by_criteria, failure=task.result.failure, key=task.key
                )

    def evaluate(self, task: Task) -> Evaluation:
        """Execute the oracle n times, or fewer once the verdict is certain."""
        required, total = self._required
        hits: list[Run] = []
        misses: list[Run] = []
        for done in range(1, total + 1):
            run = self._run(task)
            (hits if run.verdict is Verdict.INTERESTING else misses).append(run)
            if len(hits) >= required or len(hits) + total - done < required:
                break
        decisive = hits if len(hits) >= required else misses
        by_criteria, failure = decisive[-1].verdict, _most_common_failure(decisive)
        return Evaluation(self._compared(by_criteria, failure), done, by_criteria, failure)

    def _run(self, task: Task) -> Run:
        if task.token.is_set():
            raise Cancelled("The run was not needed any more.")
        task.started += 1
        began = time.perf_counter()
        try:
            run = self._executor.run(task.text, cancelled=task.token)
        except NotBegun:
            task.started -= 1
            raise
        # The time includes the run's directory, but not the wait for a turn.
        seconds = time.perf_counter() - began - run.waited
        task.seconds += seconds
        with self._lock:
            self.counters.oracle_seconds += seconds
        return run


def _most_common_failure(runs: list[Run]) -> Signature | None:
    """Return the failure that most of the runs show; of equals, the first."""
    return collections.Counter(run.failure for run in runs).most_common(1)[0][0]
