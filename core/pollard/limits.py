"""What a search may cost at most, and a clock that stops during pauses."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

from pollard.quantities import format_duration

EndedBy = Literal["max_runs", "max_time"]
"""The limit at which a search ended: the name of the setting."""


class SearchEnded(Exception):
    """The search has reached a limit; `by` is which one, and `note` says it to the user."""

    def __init__(self, by: EndedBy, note: str) -> None:
        super().__init__(note)
        self.by = by
        self.note = note


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """The limits of a search; None stands for no limit.

    - `max_runs`: counted runs of the oracle; what was known from earlier reductions is free
    - `max_seconds`: wall time since the reduction began, without pauses
    """

    max_runs: int | None = None
    max_seconds: float | None = None

    def check(self, runs: int, seconds: float) -> None:
        """Raise `SearchEnded` unless another run may begin after so many runs and seconds."""
        if self.max_runs is not None and runs >= self.max_runs:
            noun = "run" if self.max_runs == 1 else "runs"
            raise SearchEnded(
                "max_runs", f"The search ended at its limit of {self.max_runs} {noun}."
            )
        if self.max_seconds is not None and seconds >= self.max_seconds:
            limit = format_duration(self.max_seconds)
            raise SearchEnded("max_time", f"The search ended at its limit of {limit}.")

    def after(self, runs: int, seconds: float) -> SearchLimits:
        """Return what is left of the limits after so many runs and seconds."""
        return SearchLimits(
            max_runs=None if self.max_runs is None else self.max_runs - runs,
            max_seconds=None if self.max_seconds is None else self.max_seconds - seconds,
        )


class Clock:
    """Measures the seconds since it was made, without pauses; any thread may use it."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._paused_at: float | None = None

    @property
    def seconds(self) -> float:
        """The seconds so far."""
        return (self._paused_at or time.monotonic()) - self._began

    def pause(self) -> None:
        """Stop the clock until `go_on`."""
        self._paused_at = self._paused_at or time.monotonic()

    def go_on(self) -> None:
        """Go on after `pause`."""
        paused_at, self._paused_at = self._paused_at, None
        if paused_at is not None:
            self._began += time.monotonic() - paused_at
