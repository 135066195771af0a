"""The judge with several jobs: evaluates texts of a stream ahead, and uses the verdicts in order.

`Workers` are threads that evaluate texts. `Lookahead` decides which texts to evaluate, and cancels
those that are no longer needed.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pollard.errors import Cancelled
from pollard.oracle.executor import CancelToken
from pollard.oracle.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pollard.oracle.signature import Signature


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The verdict on a text, the failure seen, and the number of executions that they took.

    `by_criteria` is the verdict of the runs, which do not know the original's failure.
    """

    verdict: Verdict
    executions: int
    by_criteria: Verdict
    failure: Signature | None


@dataclass(slots=True)
class Task:
    """A text to evaluate. Once it is `finished`, `result` or `error` is set.

    `started` counts the executions, and `seconds` is the time of those that were not cut short.
    """

    text: bytes
    key: bytes
    token: CancelToken = field(default_factory=CancelToken)
    started: int = 0
    seconds: float = 0.0
    finished: bool = False
    result: Evaluation | None = None
    error: BaseException | None = None


class Workers:
    """A pool of `count` daemon threads that evaluate tasks in the order of their arrival.

    `changed` is notified whenever a task has finished, and guards the fields of all tasks.
    """

    def __init__(
        self,
        count: int,
        evaluate: Callable[[Task], Evaluation],
        finished: Callable[[Task], None],
    ) -> None:
        """Call `finished` in the worker with each task, just before it counts as finished."""
        self.changed = threading.Condition()
        self._evaluate = evaluate
        self._finished = finished
        self._queue: deque[Task] = deque()
        self._closed = False
        self._threads = [
            threading.Thread(target=self._work, name=f"oracle-{n}", daemon=True)
            for n in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def add(self, task: Task) -> None:
        """Let the next free worker evaluate `task`."""
        with self.changed:
            self._queue.append(task)
            self.changed.notify_all()

    def close(self) -> None:
        """Wait for the running tasks (cancel them first) and end the threads."""
        with self.changed:
            self._closed = True
            self.changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while (task := self._next()) is not None:
            try:
                if task.token.is_set():
                    raise Cancelled("The run was not needed any more.")
                task.result = self._evaluate(task)
            except BaseException as error:
                task.error = error  # raised again in the thread that waits for the verdict
            self._finished(task)
            with self.changed:
                task.finished = True
                self.changed.notify_all()

    def _next(self) -> Task | None:
        with self.changed:
            self.changed.wait_for(lambda: self._queue or self._closed)
            return self._queue.popleft() if self._queue else None


_MAX_TEXTS_PER_JOB = 4

OnVerdict = Callable[[int, Verdict], None]
"""Gets the index of a text in the stream, and the verdict on it."""


class VerdictLedger(Protocol):
    """Knows verdicts and counts them; the judge, as the lookahead sees it."""

    before_run: Callable[[], None]

    def raise_if_cancelled(self) -> None:
        """Raise `Cancelled` once the judge was cancelled."""

    def key(self, text: bytes) -> bytes:
        """Return the key of the verdict on a text."""

    def known(self, text: bytes, key: bytes) -> Verdict | None:
        """Return the verdict on a text if it is known without a run."""

    def count(self, text: bytes, key: bytes, verdict: Verdict) -> None:
        """Count a verdict when a search with one job would get it."""


@dataclass(slots=True)
class _PendingText:
    """A text from the stream whose verdict is not counted yet."""

    index: int
    text: bytes
    key: bytes
    verdict: Verdict | None
    task: Task | None


class Lookahead:
    """State of one call of `Judge.first`.

    Invariants: pending texts are in the order of the stream. At most `jobs` tasks are unfinished, one
    per text. Once an interesting verdict is known, no more texts are taken from the stream, and tasks
    after the earliest interesting text are cancelled.
    """

    def __init__(self, ledger: VerdictLedger, workers: Workers, jobs: int) -> None:
        self._ledger = ledger
        self._workers = workers
        self._jobs = jobs
        self._pending: deque[_PendingText] = deque()
        self._tasks: dict[bytes, Task] = {}
        self._exhausted = False
        self._cancelled = False

    def first(
        self, texts: Iterable[bytes | None], on_verdict: OnVerdict | None = None
    ) -> int | None:
        """Return the index of the first interesting text; see `Judge.first`."""
        numbered = enumerate(texts)
        while True:
            self._ledger.raise_if_cancelled()
            self._fill(numbered)
            self._collect()
            while self._pending and (head := self._pending[0]).verdict is not None:
                self._ledger.count(head.text, head.key, head.verdict)
                if on_verdict is not None:
                    on_verdict(head.index, head.verdict)
                if head.verdict is Verdict.INTERESTING:
                    return head.index
                self._pending.popleft()
            if self._exhausted and not self._pending:
                self._ledger.raise_if_cancelled()
                return None
            self._raise_if_head_cannot_run()
            if not self._may_take():
                self._wait()

    def cancel_all(self, *, wait: bool) -> None:
        """Kill all running tasks; with `wait`, return when they are dead."""
        with self._workers.changed:
            self._cancelled = True
            tasks = list(self._tasks.values())
            for task in tasks:
                task.token.set()
            self._workers.changed.notify_all()
            if wait:
                self._workers.changed.wait_for(lambda: all(task.finished for task in tasks))

    def _fill(self, numbered: Iterator[tuple[int, bytes | None]]) -> None:
        while self._may_take():
            index, text = next(numbered, (-1, None))
            if index < 0:
                self._exhausted = True
            elif text is not None:
                self._pending.append(self._pending_text(index, text))

    def _may_take(self) -> bool:
        return not (
            self._exhausted
            or len(self._tasks) >= self._jobs
            or len(self._pending) >= _MAX_TEXTS_PER_JOB * self._jobs
            or (self._pending and self._pending[-1].verdict is Verdict.INTERESTING)
        )

    def _pending_text(self, index: int, text: bytes) -> _PendingText:
        key = self._ledger.key(text)
        verdict = self._ledger.known(text, key)
        if verdict is not None:
            return _PendingText(index, text, key, verdict, None)
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = Task(text, key)
            self._workers.add(task)
        return _PendingText(index, text, key, None, task)

    def _collect(self) -> None:
        """Take the verdicts of finished tasks; cancel tasks after the earliest interesting text."""
        for task in [task for task in self._tasks.values() if _has_verdict(task)]:
            del self._tasks[task.key]
        for entry in self._pending:
            if entry.task is not None and entry.task.finished and entry.task.result is not None:
                entry.verdict = entry.task.result.verdict
        self._cancel_after_hit()

    def _cancel_after_hit(self) -> None:
        verdicts = [entry.verdict for entry in self._pending]
        if Verdict.INTERESTING not in verdicts:
            return
        kept = verdicts.index(Verdict.INTERESTING) + 1
        while len(self._pending) > kept:
            self._pending.pop()
        needed = {entry.key for entry in self._pending}
        for key, task in self._tasks.items():
            if key not in needed:
                task.token.set()

    def _raise_if_head_cannot_run(self) -> None:
        """Raise if the search may not wait for the next run that counts, or if that failed."""
        task = self._pending[0].task if self._pending else None
        if task is not None:
            self._ledger.before_run()
        if task is not None and task.finished and task.error is not None:
            raise task.error

    def _wait(self) -> None:
        """Wait for a verdict, for the first task to fail, or for `cancel_all`."""
        head = self._pending[0].task
        with self._workers.changed:
            self._workers.changed.wait_for(
                lambda: (
                    self._cancelled
                    or (head is not None and head.finished)
                    or any(map(_has_verdict, self._tasks.values()))
                )
            )


def _has_verdict(task: Task) -> bool:
    return task.finished and task.result is not None
