"""Whether an oracle's program may stay loaded between runs, and what a trial of that showed."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pollard.oracle.verdict import Run


class WarmRuns(enum.Enum):
    """When the search uses warm runs, of a program that stays loaded.

    - `OFF`: never
    - `AUTO`: where they agree with cold ones and are at least twice as fast
    - `ON`: where they agree with cold ones
    - `PROTOCOL`: likewise; the command itself stays, and is asked by a protocol
    """

    OFF = "off"
    AUTO = "auto"
    ON = "on"
    PROTOCOL = "protocol"


@dataclass(frozen=True, slots=True)
class WarmTrial:
    """What warm runs of the original and of an empty file showed, before a search.

    `runs` counts them, cold and warm. `cold_seconds` and `warm_seconds` are medians of runs of the
    original, 0 where there was none.
    `refusal` says why all runs are cold, as the end of a sentence; "" if the search uses warm ones.
    """

    runs: int = 0
    cold_seconds: float = 0.0
    warm_seconds: float = 0.0
    refusal: str = ""

    @property
    def is_warm(self) -> bool:
        """Whether the search uses warm runs."""
        return not self.refusal

    def __str__(self) -> str:
        times = f"a warm run took {self.warm_seconds:.3f} s, a cold one {self.cold_seconds:.3f} s"
        if not self.warm_seconds:
            return f"Runs are cold: {self.refusal}."
        if self.refusal:
            return f"Runs are cold: {self.refusal} ({times})."
        return f"Runs are warm: {times}. Cold runs prove what they find."


def disagreement(cold: Run, warm: Run, *, output: bool) -> str:
    """Return in what two runs of a text differ, as the end of a sentence; "" if in nothing.

    What they print counts if `output`.
    """
    if ended(cold) != ended(warm):
        return f"a cold run {ended(cold)}, but a warm one {ended(warm)}"
    if cold.verdict is not warm.verdict or cold.failure != warm.failure:
        shown = [f"{run.verdict.value} ({run.failure or 'no failure'})" for run in (cold, warm)]
        return f"a cold run was {shown[0]}, but a warm one {shown[1]}"
    if output and (cold.stdout, cold.stderr) != (warm.stdout, warm.stderr):
        return "warm runs print something else than cold ones"
    return ""


def ended(run: Run) -> str:
    """Return how a run ended, as a part of a sentence."""
    if run.timed_out:
        return "was stopped at its time limit"
    if run.memory_exceeded:
        return "was stopped for its memory"
    if run.signal is not None:
        return f"was killed by signal {run.signal}"
    return f"ended with exit code {run.exit_code}"
