"""Threads that evaluate candidates ahead of time, and can be told to drop them."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pollard.errors import Cancelled
from pollard.oracle.cancel import CancelToken

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.oracle.verdict import Verdict


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
