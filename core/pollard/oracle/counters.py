"""What judging candidates has cost so far."""

from __future__ import annotations

from dataclasses import dataclass

from pollard.oracle.verdict import Verdict


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
