"""Which copy of the search goes on next, and how far the copies run ahead."""

from __future__ import annotations

import os
from dataclasses import dataclass
from multiprocessing.reduction import send_handle
from typing import TYPE_CHECKING

from pollard.speculation.copies import SearchCopy
from pollard.speculation.messages import Assume, ReadOn
from pollard.speculation.process_group import new_connection

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Less probable paths bring less than their processes cost.
_MIN_CHANCE = 0.002
# Texts that are ready for workers that get free.
_MIN_WAITING_TEXTS = 2
_WORKERS_PER_WAITING_TEXT = 4
_MAX_TEXTS_PER_JOB = 4
_COPIES_PER_JOB = 2


@dataclass(frozen=True, slots=True)
class Advance:
    """Something that a copy can do next, which is needed with a probability of `chance`.

    It reads the next text, or (with `assumes`) another copy goes on as if `hit` were the answer.
    """

    chance: float
    copy: SearchCopy
    assumes: bool = False
    hit: int | None = None


class RunningAhead:
    """Lets copies go on, the most needed ones first, until enough texts wait for workers."""

    def __init__(self, jobs: int, min_need: float) -> None:
        self._jobs = jobs
        self._min_chance = max(min_need, _MIN_CHANCE)
        self._enough = _MIN_WAITING_TEXTS + jobs // _WORKERS_PER_WAITING_TEXT
        self._max_computing = max(os.cpu_count() or 1, 2)
        self._max_copies = _COPIES_PER_JOB * jobs + 2

    def allow_no_more_than(self, copies: int) -> None:
        """Fork no further copies while there are so many; the system does not allow more."""
        self._max_copies = min(self._max_copies, max(copies, 1))

    def next_step(self, copies: list[SearchCopy], waiting: int) -> Advance | None:
        """Return what to do next; None while enough is being done.

        `waiting` is the number of texts that wait for a worker.
        """
        step = max(self._steps(copies), key=lambda step: step.chance, default=None)
        if step is None or step.chance < self._min_chance:
            return None
        if step.chance == 1 and not step.assumes:
            return step  # the real search is waiting for it
        computing = sum(copy.computing for copy in copies)
        if waiting + computing >= self._enough or computing >= self._max_computing:
            return None
        return step

    def _steps(self, copies: Iterable[SearchCopy]) -> Iterator[Advance]:
        copies = list(copies)
        may_fork = len(copies) < self._max_copies
        for copy in copies:
            question = copy.question
            if question is None or copy.computing or question.decided is not None:
                continue
            if question.is_readable:
                if len(question.awaited) < _MAX_TEXTS_PER_JOB * self._jobs:
                    yield Advance(question.beyond, copy)
            elif may_fork and None not in copy.children:
                yield Advance(question.beyond, copy, assumes=True)
            if may_fork:
                for entry in question.awaited:
                    if entry.index not in copy.children:
                        chance = entry.need * entry.certainty
                        yield Advance(chance, copy, assumes=True, hit=entry.index)


def fork(copy: SearchCopy, hit: int | None) -> SearchCopy:
    """Return a new copy that goes on from an open question as if `hit` were the answer.

    Raises OSError if the process of `copy` is gone.
    """
    assert copy.question is not None
    answer = copy.question.answer(hit)
    own, other = new_connection()
    with other:
        copy.connection.send(Assume(answer))
        send_handle(copy.connection, other.fileno(), copy.pid)
    shadow = copy.children[hit] = SearchCopy(own, copy, answer)
    return shadow


def read_on(copy: SearchCopy) -> None:
    """Let a copy read the next text of its question. Raises OSError if its process is gone."""
    copy.computing = True
    copy.connection.send(ReadOn())
