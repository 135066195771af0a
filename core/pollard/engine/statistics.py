"""What each pass cost and what it achieved: counters for one reduction, and their share per pass."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Tally:
    """Counts of a whole reduction, or of a part of it.

    All but `guarded` are the same for any number of jobs and for a resumed reduction: candidates that
    were only read ahead do not count, and verdicts from the cache do. `runs` is thus the number of
    different texts that the oracle was asked about; `bytes_saved` is negative where texts grew.
    """

    candidates: int = 0
    guarded: int = 0
    runs: int = 0
    accepted: int = 0
    bytes_saved: int = 0
