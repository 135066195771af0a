"""One speculative pass over an ordered stream of texts: consume in order, evaluate ahead.

Threads that evaluate candidates ahead of time, and can be told to drop them.
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


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The verdict on a text, how many executions it took and their seconds."""

    verdict: Verdict
    executions: int
    seconds: float


@dataclass(slots=True)
class Task:
    """One text on its way through a worker; `finished` once `result` or `error` is final."""

    text: bytes
    key: bytes
    token: CancelToken = field(default_factory=CancelToken)
    started: int = 0
    finished: bool = False
    result: Evaluation | None = None
    error: BaseException | None = None


class Workers:
    """`count` daemon threads that evaluate tasks in the order in which they were added.

    `changed` is notified whenever a task has finished; it also guards all tasks' fields.
    """

    def __init__(
        self,
        count: int,
        evaluate: Callable[[Task], Evaluation],
        finished: Callable[[Task], None],
    ) -> None:
        """`finished` is called with each task in its worker, just before it becomes `finished`."""
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


_DEPTH = 4

Heard = Callable[[int, Verdict], None]
"""Is told an index in the stream and the verdict on the text there."""


class Accounts(Protocol):
    """What knows the verdicts and counts them: the judge."""

    def raise_if_cancelled(self) -> None:
        """Raise `Cancelled` once the judge was cancelled."""

    def key(self, text: bytes) -> bytes:
        """What identifies a text."""

    def known(self, text: bytes, key: bytes) -> Verdict | None:
        """The verdict on a text that needs no run."""

    def settle(self, key: bytes, verdict: Verdict) -> None:
        """Count a verdict whose turn has come."""


@dataclass(slots=True)
class _Entry:
    """A text that was taken from the stream and waits for its turn to be counted."""

    index: int
    key: bytes
    verdict: Verdict | None
    task: Task | None


class Lookahead:
    """State of one call of `Judge.first`.

    Invariants: entries are in the order of the stream; at most `jobs` unfinished tasks exist, one
    per text; nothing is taken from the stream once an interesting verdict is known; tasks behind
    the earliest interesting one are dropped as soon as it is known.
    """

    def __init__(self, accounts: Accounts, workers: Workers, jobs: int) -> None:
        self._accounts = accounts
        self._workers = workers
        self._jobs = jobs
        self._entries: deque[_Entry] = deque()
        self._tasks: dict[bytes, Task] = {}
        self._exhausted = False
        self._dropped = False

    def first(self, texts: Iterable[bytes | None], heard: Heard | None = None) -> int | None:
        """The index of the first interesting text; see `Judge.first`."""
        numbered = enumerate(texts)
        while True:
            self._accounts.raise_if_cancelled()
            self._fill(numbered)
            self._collect()
            while self._entries and (head := self._entries[0]).verdict is not None:
                self._accounts.settle(head.key, head.verdict)
                if heard is not None:
                    heard(head.index, head.verdict)
                if head.verdict is Verdict.INTERESTING:
                    return head.index
                self._entries.popleft()
            if self._exhausted and not self._entries:
                self._accounts.raise_if_cancelled()
                return None
            self._raise_error_of_head()
            if not self._may_take():
                self._wait()

    def drop_all(self, *, wait: bool) -> None:
        """Kill what is under way and count it as wasted; with `wait`, return when it is dead."""
        with self._workers.changed:
            self._dropped = True
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
                self._entries.append(self._entry(index, text))

    def _may_take(self) -> bool:
        return not (
            self._exhausted
            or len(self._tasks) >= self._jobs
            or len(self._entries) >= _DEPTH * self._jobs
            or (self._entries and self._entries[-1].verdict is Verdict.INTERESTING)
        )

    def _entry(self, index: int, text: bytes) -> _Entry:
        key = self._accounts.key(text)
        verdict = self._accounts.known(text, key)
        if verdict is not None:
            return _Entry(index, key, verdict, None)
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = Task(text, key)
            self._workers.add(task)
        return _Entry(index, key, None, task)

    def _collect(self) -> None:
        """Take the verdicts of finished tasks, and drop what the earliest hit made obsolete."""
        for task in [task for task in self._tasks.values() if _has_verdict(task)]:
            del self._tasks[task.key]
        for entry in self._entries:
            if entry.task is not None and entry.task.finished and entry.task.result is not None:
                entry.verdict = entry.task.result.verdict
        self._cut_after_hit()

    def _cut_after_hit(self) -> None:
        verdicts = [entry.verdict for entry in self._entries]
        if Verdict.INTERESTING not in verdicts:
            return
        kept = verdicts.index(Verdict.INTERESTING) + 1
        while len(self._entries) > kept:
            self._entries.pop()
        needed = {entry.key for entry in self._entries}
        for key, task in self._tasks.items():
            if key not in needed:
                task.token.set()

    def _raise_error_of_head(self) -> None:
        task = self._entries[0].task if self._entries else None
        if task is not None and task.finished and task.error is not None:
            raise task.error

    def _wait(self) -> None:
        """Sleep until a verdict arrives, the head fails, or everything is dropped."""
        head = self._entries[0].task
        with self._workers.changed:
            self._workers.changed.wait_for(
                lambda: (
                    self._dropped
                    or (head is not None and head.finished)
                    or any(map(_has_verdict, self._tasks.values()))
                )
            )


def _has_verdict(task: Task) -> bool:
    return task.finished and task.result is not None
