"""Compares warm runs with cold ones before a search, whatever keeps the program loaded."""

from __future__ import annotations

import re
import statistics
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pollard.oracle.warm.warm_runs import WarmTrial, disagreement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pollard.oracle.executor import Cancellable
    from pollard.oracle.verdict import Run

    RunText = Callable[[bytes], Run]

MIN_SPEEDUP = 2.0
"""How many times as fast as cold runs warm ones must be, where they are used only if faster."""

TRIAL_RUNS = 3
"""How many warm runs of the original there are in a trial."""


@runtime_checkable
class WarmExecutor(Protocol):
    """An executor whose runs may be warm, except for those whose output is wanted (`capture`)."""

    is_warm: bool

    def rehearse(self, text: bytes) -> None:
        """Begin the warm runs of a trial of the original, beside the cold ones that check it."""

    def trial(
        self, text: bytes, cold: Sequence[Run], *, cancelled: Cancellable | None = None
    ) -> WarmTrial | None:
        """Compare warm runs with `cold` ones of the original, and use them if they may be used.

        Returns None if there is nothing to tell. Raises `Cancelled`.
        """

    def difference(self, text: bytes, *, cancelled: Cancellable | None = None) -> str:
        """Run a text cold and warm, and return in what the runs differ, as the end of a sentence."""

    def misses(self, text: bytes, *, cancelled: Cancellable | None = None) -> bool:
        """Return whether a process that has answered before finds no failure in a proved text."""

    def cool(self) -> None:
        """Make all further runs cold, and stop a rehearsal."""


@dataclass(frozen=True, slots=True)
class TrialRuns:
    """Runs of the original and one of an empty file, all cold or all warm.

    `count` is the number of those that took place for the trial.
    """

    original: Sequence[Run]
    empty: Run
    count: int

    @property
    def seconds(self) -> float:
        """The median time of the runs of the original."""
        return statistics.median(run.seconds for run in self.original)


def cold_runs(
    text: bytes, checked: Sequence[Run], run_cold: RunText, *, output: bool = True
) -> TrialRuns:
    """Add to the runs that checked the original what a trial needs besides; raises as `run_cold`.

    What runs print counts if `output`, and one run does not tell what of that is constant.
    """
    again = [run_cold(text)] if output and len(checked) == 1 else []
    return TrialRuns((*checked, *again), run_cold(b""), len(again) + 1)


def warm_runs(text: bytes, run_warm: RunText) -> TrialRuns:
    """Carry out the warm runs of a trial; raises as `run_warm`."""
    runs = [run_warm(text) for _ in range(TRIAL_RUNS)]
    return TrialRuns(runs, run_warm(b""), TRIAL_RUNS + 1)


def compared(
    cold: TrialRuns, warm: TrialRuns, *, speedup: float = 0.0, output: bool = True
) -> WarmTrial:
    """Compare cold and warm runs; warm ones must be `speedup` times faster.

    What runs print counts if `output`, unless it changes from one cold run to the next.
    """
    printed = {(run.stdout, run.stderr) for run in cold.original}
    is_constant = output and len(printed) == 1
    differs = [disagreement(cold.original[0], run, output=is_constant) for run in warm.original]
    on_nothing = disagreement(cold.empty, warm.empty, output=is_constant)
    differs.append(on_nothing and f"on an empty file {on_nothing}")
    refusal = next(filter(None, differs), "")
    if not refusal and cold.seconds < speedup * warm.seconds:
        refusal = "warm runs are hardly faster"
    return WarmTrial(cold.count + warm.count, cold.seconds, warm.seconds, refusal)


def without_rooms(run: Run, *roots: Path) -> Run:
    """Return a run without the rooms of these roots in what it printed: warm runs have others."""
    pattern = re.compile("|".join(rf"{re.escape(str(root))}/room\d+" for root in roots).encode())
    stdout, stderr = (pattern.sub(b"", output) for output in (run.stdout, run.stderr))
    return replace(run, stdout=stdout, stderr=stderr)
