"""The outcome of one run of an oracle, its verdict on the candidate, and counters of runs."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pollard.oracle.signature import Signature


class Verdict(enum.Enum):
    """A run's judgement of its candidate.

    - `INTERESTING`: the failure is there; ddmin's outcome "fail" (hddh-2021, figure 1)
    - `UNINTERESTING`: it is not; ddmin's "pass"
    - `INVALID`: the candidate never got as far as the failure; ddmin's "unresolved"
    - `TIMEOUT`: the run was stopped because it took too long; also "unresolved"
    - `OTHER_FAILURE`: the criteria hold, but the failure is not the original's; also "unresolved". Only
      the `Judge` says so, since a run does not know the original
    """

    INTERESTING = "interesting"
    UNINTERESTING = "uninteresting"
    INVALID = "invalid"
    TIMEOUT = "timeout"
    OTHER_FAILURE = "other failure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One execution as observed, without a verdict; `Run` explains the fields."""

    exit_code: int | None
    signal: int | None
    stdout: bytes = b""
    stderr: bytes = b""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
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
    - `cpu_seconds`: processor time of its processes, as far as the system tells
    - `timed_out`, `memory_exceeded`: whether the run was stopped for that reason
    - `truncated`: whether the middle of a stream was left out
    - `verdict`: what the run says about the candidate
    - `failure`: which failure it showed, if the criteria hold or the program crashed; None if its
      output and its end do not tell
    - `waited`: seconds that the run waited for its turn before it began
    """

    verdict: Verdict
    failure: Signature | None = None
    waited: float = 0.0


@dataclass(slots=True)
class Counters:
    """Running totals; all but the wasted runs and the seconds are the same for any `jobs`.

    `runs` counts the executions that a search with one job would need. `wasted_runs` counts those
    that were started ahead and are not needed (so far). `oracle_seconds` is the sum over all
    executions, `wasted_seconds` over the wasted ones. `invalid`, `timeouts` and `other_failures` count
    verdicts of `runs`, not of the cache.
    """

    runs: int = 0
    wasted_runs: int = 0
    cache_hits: int = 0
    invalid: int = 0
    timeouts: int = 0
    other_failures: int = 0
    oracle_seconds: float = 0.0
    wasted_seconds: float = 0.0

    def count(self, verdict: Verdict, executions: int) -> None:
        """Add a verdict that took `executions` runs of the oracle."""
        self.runs += executions
        self.invalid += verdict is Verdict.INVALID
        self.timeouts += verdict is Verdict.TIMEOUT
        self.other_failures += verdict is Verdict.OTHER_FAILURE

    def take_back(self, earlier: Counters) -> None:
        """Count as wasted what was counted after `earlier`, a copy."""
        seconds = self.oracle_seconds
        wasted_runs = self.wasted_runs + self.runs - earlier.runs
        for name in self.__slots__:
            setattr(self, name, getattr(earlier, name))
        self.wasted_seconds += seconds - self.oracle_seconds
        self.oracle_seconds, self.wasted_runs = seconds, wasted_runs
