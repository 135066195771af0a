"""Compares warm runs with cold ones before a search, whatever keeps the program loaded."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pollard.oracle.warm.warm_runs import WarmTrial, disagreement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
        """Make all further runs cold."""


def compared(
    text: bytes,
    cold: Sequence[Run],
    run_cold: RunText,
    run_warm: RunText,
    *,
    speedup: float = 0.0,
    output: bool = True,
) -> WarmTrial:
    """Run the original and an empty file warm, and compare; warm runs must be `speedup` times faster.

    What runs print counts if `output`, unless it changes from one cold run to the next. Raises what
    the functions raise.
    """
    warm = [run_warm(text) for _ in range(TRIAL_RUNS)]
    times = (
        statistics.median(run.seconds for run in cold),
        statistics.median(run.seconds for run in warm),
    )
    # One run does not tell what is constant.
    again = [run_cold(text)] if output and len(cold) == 1 else []
    is_constant = output and len({(run.stdout, run.stderr) for run in (*cold, *again)}) == 1
    differs = [disagreement(cold[0], run, output=is_constant) for run in warm]
    on_nothing = disagreement(run_cold(b""), run_warm(b""), output=is_constant)
    differs.append(on_nothing and f"on an empty file {on_nothing}")
    refusal = next(filter(None, differs), "")
    if not refusal and times[0] < speedup * times[1]:
        refusal = "warm runs are hardly faster"
    return WarmTrial(TRIAL_RUNS + len(again) + 2, *times, refusal)
