"""Which copy of the search goes on next, and how far the copies run ahead."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pollard.speculation.carrier import Carrier
    from pollard.speculation.copies import OpenQuestion, SearchCopy

# Less probable paths bring less than their processes cost.
_MIN_CHANCE = 0.002
# Texts that are ready for workers that get free.
_MIN_WAITING_TEXTS = 2
_WORKERS_PER_WAITING_TEXT = 4
_MAX_TEXTS_PER_JOB = 4


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

    def __init__(self, jobs: int, min_need: float, carrier: Carrier) -> None:
        self._carrier = carrier
        self._jobs = jobs
        self._min_chance = max(min_need, _MIN_CHANCE)
        self._enough = _MIN_WAITING_TEXTS + jobs // _WORKERS_PER_WAITING_TEXT
        self._max_computing = max(os.cpu_count() or 1, 2)

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
        for copy in copies:
            question = copy.question
            if question is None or copy.computing:
                continue
            if question.decided is not None:
                yield from self._assumptions(copy, [(question.beyond, question.decided.hit)])
                continue
            if not question.is_readable:
                yield from self._assumptions(copy, [(question.beyond, None)])
            elif self._may_read(copy, question):
                yield Advance(question.beyond, copy)
            hits = ((entry.need * entry.certainty, entry.index) for entry in question.awaited)
            yield from self._assumptions(copy, hits)

    def _may_read(self, copy: SearchCopy, question: OpenQuestion) -> bool:
        has_room = len(question.awaited) < _MAX_TEXTS_PER_JOB * self._jobs
        return has_room and self._carrier.can_go_on(copy, question.beyond)

    def _assumptions(
        self, copy: SearchCopy, hits: Iterable[tuple[float, int | None]]
    ) -> Iterator[Advance]:
        for chance, hit in hits:
            if hit not in copy.children and self._carrier.can_assume(copy, chance):
                yield Advance(chance, copy, assumes=True, hit=hit)
