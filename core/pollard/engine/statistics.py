"""Measure what each pass cost and achieved.

All figures but `guarded` and the seconds are the same for any number of jobs and for a resumed
reduction: candidates that were only read ahead do not count, and verdicts from the cache do. So `runs`
is the number of different texts that got a verdict.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(slots=True)
class Tally:
    """Running totals of one reduction; `bytes_saved` shrinks where a text grows."""

    candidates: int = 0
    guarded: int = 0
    runs: int = 0
    accepted: int = 0
    bytes_saved: int = 0


@dataclass(frozen=True, slots=True)
class PassStatistics:
    """What one pass cost and achieved in one round or in several.

    - `name`: the pass, "tidy" or "formatter"
    - `rounds`: how often it ran
    - `candidates`: the candidates that it proposed, up to the interesting one each time
    - `guarded`: candidates, and attempts to find some, that the parser rejected
    - `runs`: different texts that the oracle judged, whether it ran or the verdict was known
    - `accepted`: accepted candidates
    - `bytes_saved`: the bytes by which they shrank the text; negative if it grew
    - `seconds`: wall time, that of the oracle included
    """

    name: str
    rounds: int = 0
    candidates: int = 0
    guarded: int = 0
    runs: int = 0
    accepted: int = 0
    bytes_saved: int = 0
    seconds: float = 0.0

    def __add__(self, other: PassStatistics) -> PassStatistics:
        """Return the sum of all figures, under the name of the first."""
        numbers = [key.name for key in fields(self) if key.name != "name"]
        return replace(self, **{key: getattr(self, key) + getattr(other, key) for key in numbers})


class Statistics:
    """Measures the passes of one reduction; `current` is the name of the last one that began.

    `on_pass_ended` is called with the figures of each round that was not interrupted, `on_pass_began`
    with the name of each pass before its round.
    """

    def __init__(
        self,
        on_pass_ended: Callable[[PassStatistics], None] = lambda _: None,
        on_pass_began: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.current = ""
        self._on_pass_began = on_pass_began
        self._on_pass_ended = on_pass_ended
        self._totals: dict[str, PassStatistics] = {}
        self._before, self._began = Tally(), 0.0

    @property
    def passes(self) -> tuple[PassStatistics, ...]:
        """The figures of each pass in all its rounds, in the order in which they began."""
        return tuple(self._totals.values())

    @contextmanager
    def measuring(self, name: str, tally: Tally) -> Iterator[None]:
        """Measure the body of the `with` statement as one round of the pass `name`."""
        self.begin(name, tally)
        interrupted = True
        try:
            yield
            interrupted = False
        finally:
            self.end(tally, interrupted=interrupted)

    def begin(self, name: str, tally: Tally) -> None:
        """Begin to measure a round of the pass `name`; `end` ends it."""
        self.current = name
        self._on_pass_began(name)
        self._before, self._began = replace(tally), time.monotonic()
        self._totals.setdefault(name, PassStatistics(name))

    def end(self, tally: Tally, *, interrupted: bool = False) -> None:
        """End the round that began last, and report it unless it was interrupted."""
        counts = {
            key.name: getattr(tally, key.name) - getattr(self._before, key.name)
            for key in fields(Tally)
        }
        seconds = time.monotonic() - self._began
        this_round = PassStatistics(self.current, 1, **counts, seconds=seconds)
        self._totals[self.current] += this_round
        if not interrupted:
            self._on_pass_ended(this_round)
