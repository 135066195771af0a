"""The one primitive of every search: the first interesting text of an ordered stream.

With one job it is a loop. With N it is the same loop run ahead of itself: the next N unknown texts
are evaluated at once, their verdicts are consumed in order, and what comes after the earliest
interesting one is killed. So the answer, and the number of runs it counts, is that of the loop.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from pollard.errors import Cancelled, NotBegun
from pollard.oracle.executor import CancelToken
from pollard.oracle.lookahead import Evaluation, Heard, Lookahead, Task, Workers
from pollard.oracle.verdict import Counters, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pollard.oracle.cache import VerdictCache
    from pollard.oracle.executor import Executor
    from pollard.oracle.verdict import Run


class Judge:
    """Finds first interesting texts with `jobs` runs at a time; one thread may call `first`.

    `required` is (k, n): a text is interesting if at least k of n executions are. `on_run` is
    called in the thread of `first` for each counted verdict. `counters` may be read at any time.
    """

    def __init__(
        self,
        executor: Executor,
        cache: VerdictCache,
        jobs: int = 1,
        *,
        required: tuple[int, int] = (1, 1),
        on_run: Callable[[], None] | None = None,
    ) -> None:
        self.counters = Counters()
        self.on_run = on_run
        self._executor = executor
        self._cache = cache
        self._jobs = max(jobs, 1)
        self._required = required
        self._cancelled = CancelToken()
        self._lookahead: Lookahead | None = None
        self._workers: Workers | None = None
        # Executions of verdicts that are known, but that no sequential search has asked for yet.
        self._ahead: dict[bytes, int] = {}
        self._lock = threading.RLock()

    def first(self, texts: Iterable[bytes | None], heard: Heard | None = None) -> int | None:
        """The index of the first interesting text, or None if there is none.

        None in `texts` stands for a candidate that was ruled out already: it keeps its index and
        costs nothing. `texts` is consumed in this thread and only as far as needed; with N jobs
        up to 4 N ahead. `heard` is told, in this thread and in order, what the loop with one job
        would learn: each text's index and verdict, up to the interesting one. Raises `Cancelled`
        after `cancel`, with every process dead, and `OracleError` if the oracle cannot be run.
        """
        if self._jobs == 1:
            return self._first_alone(texts, heard)
        if self._workers is None:
            self._workers = Workers(self._jobs, self._evaluate, self._finished)
        self._lookahead = Lookahead(self, self._workers, self._jobs)
        try:
            return self._lookahead.first(texts, heard)
        finally:
            self._lookahead.drop_all(wait=self._cancelled.is_set())

    def cancel(self) -> None:
        """From any thread, also from a signal handler: end `first` now, and for good."""
        self._cancelled.set()
        if self._lookahead is not None:
            self._lookahead.drop_all(wait=False)

    def close(self) -> None:
        """Kill what still runs and end the threads."""
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
        """What identifies `text` among the verdicts."""
        return self._cache.key(text)

    def known(self, text: bytes, key: bytes) -> Verdict | None:
        """The verdict on `text` if no run is needed for it."""
        return self._cache.get(text, key=key)

    def settle(self, key: bytes, verdict: Verdict) -> None:
        """Count a verdict at the moment in which the sequential loop would have come to it."""
        with self._lock:
            executions = self._ahead.pop(key, 0)
            if executions == 0:
                self.counters.cache_hits += 1
                return
            self.counters.wasted_runs -= executions
            self.counters.count(verdict, executions)
        if self.on_run is not None:
            self.on_run()

    def _first_alone(self, texts: Iterable[bytes | None], heard: Heard | None) -> int | None:
        for index, text in enumerate(texts):
            self.raise_if_cancelled()
            if text is None:
                continue
            verdict = self._judge_alone(text)
            if heard is not None:
                heard(index, verdict)
            if verdict is Verdict.INTERESTING:
                return index
        self.raise_if_cancelled()
        return None

    def _judge_alone(self, text: bytes) -> Verdict:
        key = self.key(text)
        verdict = self.known(text, key)
        if verdict is None:
            task = Task(text, key, token=self._cancelled)
            try:
                task.result = self._evaluate(task)
                verdict = task.result.verdict
            finally:
                self._finished(task)
        self.settle(key, verdict)
        return verdict

    def _finished(self, task: Task) -> None:
        """Take note of a task that was evaluated or killed; all is wasted until it is settled."""
        with self._lock:
            self.counters.wasted_runs += task.started
            # A run that became obsolete may end after another one on the same text was counted.
            if task.result is not None and self.known(task.text, task.key) is None:
                self._ahead[task.key] = task.result.executions
                self._cache.put(task.text, task.result.verdict, key=task.key)

    def _evaluate(self, task: Task) -> Evaluation:
        """At most n executions; fewer as soon as the verdict is certain."""
        required, total = self._required
        hits, seconds, other = 0, 0.0, Verdict.UNINTERESTING
        for done in range(1, total + 1):
            run = self._run(task)
            seconds += run.seconds
            hits += run.verdict is Verdict.INTERESTING
            other = other if run.verdict is Verdict.INTERESTING else run.verdict
            if hits >= required or hits + total - done < required:
                break
        verdict = Verdict.INTERESTING if hits >= required else other
        return Evaluation(verdict, done, seconds)

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
        with self._lock:  # its directory and its end are part of what a run costs, its turn is not
            self.counters.oracle_seconds += time.perf_counter() - began - run.waited
        return run
