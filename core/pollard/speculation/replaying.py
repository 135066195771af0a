"""Copies of the search by replay, on every system.

A few processes search side by side, each from the beginning and with the same answers, so that any of
them can get to any place. The first one stays at the place of the real search, so that this goes on at
once after an unexpected answer; the others give way to it where cores are scarce. They either wait
there too, or are sent ahead under assumptions. Such a process
goes from question to question, and leaves no process behind: what it reported stays known. So most
copies have none, and get one only where there is something to read or to assume. A process whose
assumption was wrong begins afresh, and follows the real search again.
"""

from __future__ import annotations

import contextlib
import os
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

import psutil

from pollard.speculation.copies import SearchCopy
from pollard.speculation.messages import Arrived, Begin, ReadOn
from pollard.speculation.replayer import Replayer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.passes.searching import SearchPlan
    from pollard.speculation.messages import FromReplay, Given, Told
    from pollard.speculation.replayer import Parcel

# A process that is sent to what is not needed has to begin afresh.
_MIN_CHANCE_TO_SEND = 0.3
_MIN_PROCESSES, _MAX_PROCESSES = 2, 6
_CORES_PER_PROCESS_AHEAD = 2
# What a process takes, besides the trees of the document and of its last candidates.
_PROCESS_BYTES = 100_000_000
_TREE_BYTES_PER_BYTE = 60
_MAX_SHARE_OF_FREE_MEMORY = 0.25
_MAX_DEATHS = 8

# On Windows, Ctrl-C does not end a wait without a limit.
_MAX_WAIT_SECONDS = 0.2


class ReplayingCarrier:
    """Has a few processes, fewer than copies; see `Carrier`."""

    def __init__(self, jobs: int) -> None:
        """Raises OSError if the first process cannot be started."""
        self._jobs = jobs
        self._received: SimpleQueue[Parcel | None] = SimpleQueue()
        self._real = SearchCopy()
        self._processes = [Replayer(self._received, self._real)]
        self._deaths = 0

    def begin(self, plan: SearchPlan, *, formats: bool) -> SearchCopy:
        """Begin to search, and return the real copy."""
        self._begin = Begin(plan, formats)
        (first,) = self._processes
        first.send(self._begin)
        first.follow([], None)
        for _ in range(_max_processes(self._jobs, len(plan.text)) - 1):
            self._add_process()
        return self._real

    def _add_process(self) -> None:
        """Start a process that follows the real search, if the system allows another one."""
        with contextlib.suppress(OSError):
            process = Replayer(self._received, self._real)
            process.yield_to_others()
            self._processes.append(process)
            process.send(self._begin)
            process.follow(self._real.given, 0)

    # What processes are for.

    def can_go_on(self, copy: SearchCopy, chance: float) -> bool:
        """Return whether a process is where the copy waits, or another one is worth sending there."""
        return bool(self._at(copy)) or self.can_assume(copy, chance)

    def can_assume(self, copy: SearchCopy, chance: float) -> bool:
        """Return whether a process can leave the copy, or another one is worth sending there."""
        if copy is not self._real and self._at(copy):
            return True
        return chance >= _MIN_CHANCE_TO_SEND and bool(self._spares())

    def _at(self, copy: SearchCopy) -> list[Replayer]:
        """Return the processes at a copy, the oldest first.

        At the real search that is the one that other processes do not slow down.
        """
        return [each for each in self._processes if each.place is copy]

    def _spares(self) -> list[Replayer]:
        """Return the processes that the real search can do without, the next to get there first."""
        return sorted(self._at(self._real)[1:], key=lambda each: each.behind)

    def _explorer(self, copy: SearchCopy) -> Replayer | None:
        """Return a process that can go on from a copy."""
        there = [] if copy is self._real else self._at(copy)
        return next(iter(there or self._spares()), None)

    def read_on(self, copy: SearchCopy) -> None:
        """Let a copy read the next text of its question. Raises OSError if no process can."""
        process = _found(next(iter(self._at(copy)), None) or self._explorer(copy))
        assert copy.question is not None
        path = copy.path()
        if len(path) > process.given or process.texts < copy.question.length:
            process.follow(path[process.given :], copy.question.length)
        process.place, process.busy = copy, True
        process.send(ReadOn())

    def assume(self, copy: SearchCopy, hit: int | None) -> SearchCopy:
        """Send a process ahead of a copy. Raises OSError if there is none."""
        process = _found(self._explorer(copy))
        assert copy.question is not None
        shadow = copy.children[hit] = SearchCopy(copy, copy.question.answer(hit))
        process.place = shadow
        process.follow(shadow.path()[process.given :], None)
        return shadow

    def give(self, copy: SearchCopy, given: Given) -> bool:
        """Let a copy go on with what it waits for; return False if there is no process."""
        there = self._at(copy)
        if not there:
            return False
        there[0].follow([given], None)
        for other in there[1:]:
            other.follow([given], 0)
        return True

    def can_replace(self, copy: SearchCopy) -> bool:
        """Return True: nothing is needed of its parent."""
        return copy is not self._real

    def replaced(self, parent: SearchCopy, copy: SearchCopy) -> None:
        """Let the processes of the parent follow."""
        if parent is self._real:
            self._real = copy
        path = copy.path()
        for process in self._at(parent):
            process.place = copy
            process.follow(path[process.given :], 0)

    def end(self, copy: SearchCopy) -> None:
        """Let the processes of a copy begin afresh, and follow the real search."""
        for process in self._at(copy):
            process.place = self._real
            process.follow(self._real.given, 0, afresh=True)

    # Messages.

    def wait(self) -> Iterator[tuple[SearchCopy, Told | None]]:
        """Wait for messages or `wake`, and yield them; None is that of a copy whose process died."""
        with contextlib.suppress(Empty):
            parcel = self._received.get(timeout=_MAX_WAIT_SECONDS)
            while True:
                if parcel is not None:
                    yield from self._opened(*parcel)
                parcel = self._received.get_nowait()

    def _opened(
        self, process: Replayer, handled: int, message: FromReplay | None
    ) -> Iterator[tuple[SearchCopy, Told | None]]:
        if message is None:
            yield from self._died(process)
        elif process.takes(handled, message) and not isinstance(message, Arrived):
            yield process.place, message

    def _died(self, process: Replayer) -> Iterator[tuple[SearchCopy, None]]:
        """Let another process take the place of one that died."""
        self._processes.remove(process)
        process.close()
        self._deaths += 1
        if len(self._processes) < _MIN_PROCESSES and self._deaths <= _MAX_DEATHS:
            self._add_process()
        there = self._at(self._real)
        if process.place is not self._real:
            if process.busy:
                yield process.place, None
        elif not there:
            yield self._real, None
        elif process.busy:
            self._repeat(process, there[0])

    def _repeat(self, dead: Replayer, process: Replayer) -> None:
        """Let a process do for the real search what another one had to do."""
        if self._real.question is not None:
            self.read_on(self._real)
            return
        process.follow(self._real.given, None, afresh=True)
        process.known_reports = dead.reports

    def wake(self) -> None:
        """End `wait`; from any thread or signal handler."""
        self._received.put(None)

    def close(self) -> None:
        """End all processes, and return when there are none."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.close()


def _found(process: Replayer | None) -> Replayer:
    if process is None:
        message = "no process is free"
        raise OSError(message)
    return process


def _max_processes(jobs: int, text_bytes: int) -> int:
    """Return how many processes there may be.

    One stays with the real search, and one gets ready while others are ahead. All have to compute.
    """
    wanted = min(jobs, (os.cpu_count() or 1) // _CORES_PER_PROCESS_AHEAD) + 2
    size = _PROCESS_BYTES + _TREE_BYTES_PER_BYTE * text_bytes
    fitting = int(psutil.virtual_memory().available * _MAX_SHARE_OF_FREE_MEMORY / size)
    return max(_MIN_PROCESSES, min(wanted, fitting, _MAX_PROCESSES))
