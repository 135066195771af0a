"""How far a search runs ahead, and for which oracles that is worth its processes."""

from __future__ import annotations

import enum
import os
import sys


class Speculation(enum.Enum):
    """How far the search runs ahead of verdicts, with several jobs.

    - `EAGER`: as far as there are free workers
    - `FRUGAL`: only runs that are more likely needed than not
    - `OFF`: not beyond the question at which it waits
    """

    EAGER = "eager"
    FRUGAL = "frugal"
    OFF = "off"


class SearchNotBegun(Exception):
    """No process can carry out the search here; nothing was reported."""


class Copying(enum.Enum):
    """How a copy of the search comes to be.

    - `FORKED`: its process forks; on Linux, where that is safe
    - `REPLAYED`: a process that was started fresh repeats what the search did
    """

    FORKED = "forked"
    REPLAYED = "replayed"


# Lets developers choose how the search is copied: "forked" or "replayed".
COPYING_VARIABLE = "POLLARD_COPYING"

# The first process of a search takes some 0.3 s to start, and each fork one or two milliseconds.
_MIN_RUN_SECONDS = 0.05
# Replays take some 0.2 s of processor time for each counted run. On a busy machine they were worth it
# with runs of 2.5 s, and not with runs of 0.5 s (docs/scaling.md).
_MIN_RUN_SECONDS_TO_REPLAY = 2.0


def way_of_copying() -> Copying:
    """Return how the search is copied on this system, unless developers want it otherwise."""
    usual = Copying.FORKED if sys.platform == "linux" else Copying.REPLAYED
    return Copying(os.environ.get(COPYING_VARIABLE, usual.value))


def is_worthwhile(speculation: Speculation, jobs: int, run_seconds: float) -> bool:
    """Return whether the search gets processes of its own, for an oracle that takes `run_seconds`."""
    forks = way_of_copying() is Copying.FORKED
    return (
        speculation is not Speculation.OFF
        and jobs > 1
        and run_seconds >= (_MIN_RUN_SECONDS if forks else _MIN_RUN_SECONDS_TO_REPLAY)
        and not getattr(sys, "frozen", False)  # there is no interpreter to start
    )
