"""Which time-outs to believe: on a busy machine a run may be slow for reasons of its own or of others.

The limit of a run is wall time. Processor time tells more: a run that used about as much of it as the
limit allows is too slow on any machine. Any other time-out is only believed once a second run, beside
which no other run of this process takes place, ends in a time-out as well. Since other programs may
keep the processors busy, the second run has as many times longer as there are processes for each.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pollard.oracle.verdict import Run

# An endless loop on an idle machine uses nearly all of its wall time.
_MIN_BUSY_PART = 0.9
# A run that hangs holds the search up for so many times its limit at most.
_MAX_PATIENCE = 20.0


class RunOnce(Protocol):
    """Runs the oracle once, for at most `limit` seconds.

    `alone` waits until no other run takes place, and holds others off.
    """

    def __call__(self, *, alone: bool, limit: float) -> Run:
        """Return the run."""


def settled(run_once: RunOnce, timeout: float) -> Run:
    """Return a run that the load of the machine did not decide; `timeout` is its limit in seconds.

    A second run after a time-out in doubt replaces the first, and is not counted beside it.
    """
    run = run_once(alone=False, limit=timeout)
    if not run.timed_out or run.cpu_seconds >= _MIN_BUSY_PART * timeout:
        return run
    again = run_once(alone=True, limit=timeout * _patience())
    return replace(again, waited=run.waited + again.waited)


def _patience() -> float:
    """Return how many processes there were for each processor in the last minute; 1 if fewer."""
    if not hasattr(os, "getloadavg"):
        return 1.0
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    return min(max(load, 1.0), _MAX_PATIENCE)
