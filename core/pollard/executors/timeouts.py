"""Which time-outs to believe: on a busy machine a run may be slow for reasons of its own or of others.

The limit of a run is wall time. Processor time tells more: a run that used about as much of it as the
limit allows is too slow on any machine. Any other time-out is only believed once a second run, beside
which no other run of this process takes place, ends in a time-out as well.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pollard.oracle.verdict import Run

# An endless loop on an idle machine uses nearly all of its wall time.
_MIN_BUSY_PART = 0.9


class RunOnce(Protocol):
    """Runs the oracle once; `alone` waits until no other run takes place, and holds others off."""

    def __call__(self, *, alone: bool) -> Run:
        """Return the run."""


def settled(run_once: RunOnce, timeout: float) -> Run:
    """Return a run that the load of the machine did not decide; `timeout` is its limit in seconds.

    A second run after a time-out in doubt replaces the first, and is not counted beside it.
    """
    run = run_once(alone=False)
    if not run.timed_out or run.cpu_seconds >= _MIN_BUSY_PART * timeout:
        return run
    again = run_once(alone=True)
    return replace(again, waited=run.waited + again.waited)
