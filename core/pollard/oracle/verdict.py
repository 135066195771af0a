"""The outcome of one run of an oracle, its verdict on the candidate, and counters of runs."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Verdict(enum.Enum):
    """A run's judgement of its candidate.

    - `INTERESTING`: the failure is there; ddmin's outcome "fail" (hddh-2021, figure 1)
    - `UNINTERESTING`: it is not; ddmin's "pass"
    - `INVALID`: the candidate never got as far as the failure; ddmin's "unresolved"
    - `TIMEOUT`: the run was stopped because it took too long; also "unresolved"
    """

    INTERESTING = "interesting"
    UNINTERESTING = "uninteresting"
    INVALID = "invalid"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One execution as observed, without a verdict; `Run` explains the fields."""

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

    - `exit_code`: 0 to 255 on POSIX; None if a signal ended the process. For a `Predicate` it is 0 if
      the candidate was interesting, else 1.
    - `signal`: the number of the signal that ended the process, or None
    - `stdout`, `stderr`: at most the oracle's `output_limit` bytes each; empty where no criterion
      needs them
    - `seconds`: wall time
    - `timed_out`, `memory_exceeded`: whether the run was stopped for that reason
    - `truncated`: whether the middle of a stream was left out
    - `verdict`: what the run says about the candidate
    - `waited`: seconds that the run waited for its turn before it began
    """

    verdict: Verdict
    waited: float = 0.0


@dataclass(slots=True)
class Counters:
    """Running totals; all but `wasted_runs` and `oracle_seconds` are the same for any `jobs`.

    `runs` counts the executions that a search with one job would need. `wasted_runs` counts those
    that were started ahead and are not needed (so far). `oracle_seconds` is the sum over all
    executions, including wasted ones. `invalid` and `timeouts` count verdicts of `runs`, not of the
    cache.
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
