"""How far a search runs ahead, and for which oracles that is worth its processes."""

from __future__ import annotations

import enum
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


# The first process of a search takes some 0.3 s to start, and each fork one or two milliseconds.
_MIN_RUN_SECONDS = 0.05


def is_worthwhile(speculation: Speculation, jobs: int, run_seconds: float) -> bool:
    """Return whether the search gets processes of its own, for an oracle that takes `run_seconds`."""
    return (
        speculation is not Speculation.OFF
        and jobs > 1
        and run_seconds >= _MIN_RUN_SECONDS
        and sys.platform == "linux"
        and not getattr(sys, "frozen", False)  # there is no interpreter to start
    )
