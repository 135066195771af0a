"""What one run of an oracle showed, and what it means for the candidate.

What judging candidates has cost so far.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Verdict(enum.Enum):
    """The outcomes of the papers' test function, with hangs told from other unresolved runs.

    `INTERESTING` is the fail outcome of ddmin (hddh-2021, figure 1), `UNINTERESTING` its pass
    outcome; `INVALID` (the candidate never reached the failure) and `TIMEOUT` are unresolved.
    """

    INTERESTING = "interesting"
    UNINTERESTING = "uninteresting"
    INVALID = "invalid"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was observed of one execution.

    Exactly one of `exit_code` (0..255 on POSIX) and `signal` (its number) is not None. The streams
    hold at most the oracle's `output_limit` bytes each, and are empty where nobody needed them;
    `truncated` says that the middle of one was left out. `seconds` is wall-clock time.
    """

    exit_code: int | None
    signal: int | None
    stdout: bytes = b""
    stderr: bytes = b""
    seconds: float = 0.0
    timed_out: bool = False
    truncated: bool = False
    memory_exceeded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Outcome):
    """One execution of the oracle together with its verdict.

    `waited` is how many seconds it waited for its turn; they are no part of `seconds`.
    """

    verdict: Verdict
    waited: float = 0.0


@dataclass(slots=True)
class Counters:
    """Running totals; all but `wasted_runs` and `oracle_seconds` are the same for any `jobs`.

    `runs` are executions whose verdict a sequential search would have needed too, `wasted_runs`
    those that were started ahead and (so far) for nothing. `oracle_seconds` sums all executions,
    wasted ones included. `invalid` and `timeouts` are verdicts of counted, not of cached, runs.
    """

    runs: int = 0
    wasted_runs: int = 0
    cache_hits: int = 0
    invalid: int = 0
    timeouts: int = 0
    oracle_seconds: float = 0.0

    def count(self, verdict: Verdict, executions: int) -> None:
        """Add a verdict that took `executions` runs of the oracle."""
        self.runs += executions
        self.invalid += verdict is Verdict.INVALID
        self.timeouts += verdict is Verdict.TIMEOUT
