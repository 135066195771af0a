"""The runs in progress: those that are most probably needed, and no others."""

from __future__ import annotations

from queue import SimpleQueue
from typing import TYPE_CHECKING

from pollard.errors import Cancelled
from pollard.oracle.lookahead import Task, Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pollard.oracle import Judge
    from pollard.speculation.copies import AwaitedText

# A text that is needed almost surely takes the place of a run that is hardly needed.
_MIN_URGENT_NEED = 0.5
_MAX_SUPERFLUOUS_NEED = 0.05


class NeededRuns:
    """Runs texts with up to `jobs` at a time, the most needed ones first.

    `on_finished` is called in the thread of a worker whenever a run has ended.
    """

    def __init__(
        self, judge: Judge, jobs: int, on_finished: Callable[[], None], min_need: float
    ) -> None:
        self._jobs = jobs
        self._judge = judge
        self._min_need = min_need
        self._on_finished = on_finished
        self._ended: SimpleQueue[Task] = SimpleQueue()
        self._tasks: dict[bytes, Task] = {}
        self._errors: dict[bytes, BaseException] = {}
        self._workers = Workers(jobs, judge.evaluate, self._end)

    def _end(self, task: Task) -> None:
        self._judge.finished(task)
        self._ended.put(task)
        self._on_finished()

    def ended(self) -> Iterator[Task]:
        """Yield the tasks that ended with a verdict since the last call."""
        while not self._ended.empty():
            task = self._ended.get()
            del self._tasks[task.key]
            if task.result is not None:
                yield task
            elif task.error is not None and not _was_stopped(task):
                self._errors[task.key] = task.error

    def error(self, key: bytes) -> BaseException | None:
        """Return the error of the last run on the text with this key."""
        return self._errors.get(key)

    def choose(self, awaited: Iterable[AwaitedText]) -> int:
        """Start the most needed runs and stop those not needed; return how many texts wait for one."""
        wanted: dict[bytes, AwaitedText] = {}
        for entry in sorted(awaited, key=lambda entry: -entry.need):
            wanted.setdefault(entry.key, entry)
        for key in self._errors.keys() - wanted.keys():
            del self._errors[key]
        for key, task in self._tasks.items():
            if key not in wanted:
                task.token.set()
        waiting = [
            entry
            for key, entry in wanted.items()
            if key not in self._tasks and key not in self._errors and entry.need > self._min_need
        ]
        started = waiting[: max(self._jobs - len(self._tasks), 0)]
        for entry in started:
            task = self._tasks[entry.key] = Task(entry.text, entry.key)
            self._workers.add(task)
        waiting = waiting[len(started) :]
        if waiting and waiting[0].need >= _MIN_URGENT_NEED:
            self._stop_superfluous(wanted)
        return len(waiting)

    def close(self) -> None:
        """Stop all runs, wait for their end, and end the workers."""
        for task in list(self._tasks.values()):
            task.token.set()
        self._workers.close()

    def _stop_superfluous(self, wanted: dict[bytes, AwaitedText]) -> None:
        """Stop the least needed run, if it is hardly needed."""
        if any(task.token.is_set() for task in self._tasks.values()):
            return
        least = min(self._tasks, key=lambda key: wanted[key].need)
        if wanted[least].need <= _MAX_SUPERFLUOUS_NEED:
            self._tasks[least].token.set()


def _was_stopped(task: Task) -> bool:
    return task.token.is_set() and isinstance(task.error, Cancelled)
