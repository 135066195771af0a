"""Checks the original of a reduction by several runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.errors import OracleError, PollardError
from pollard.executors import check_and_measure
from pollard.oracle import (
    CommandOracle,
    Health,
    OriginalFailure,
    named_bounds,
    named_lines,
    named_words,
    printing_lines,
)
from pollard.oracle.checking.asking import asked_names
from pollard.oracle.failures.selection import is_reported

if TYPE_CHECKING:
    from pollard.oracle import CancelToken, Check, Executor, Frequency, Outcome, Share
    from pollard.plan import Plan
    from pollard.reduction.text_standing import TextStanding


# A smaller file takes few runs anyway.
_MIN_LONG_BYTES = 1_024


class NotInteresting(PollardError):
    """The original is not interesting, or the oracle is flaky on it."""


@dataclass(frozen=True, slots=True)
class CheckedOriginal:
    """An original that is known to be interesting, with the executor that found it so.

    - `executor`: carries out the runs, and outlives the reduction if this was made before it
    - `failure`: what candidates are compared with
    - `run_seconds`: the time of a run
    - `frequency`: how often it failed; None if nobody counted
    - `is_warm`: whether further runs are warm, and must be proved by cold ones
    - `named_lines`: the numbers of the lines that the failure's output names, from 1, or of the
      one with the message that it prints; none for a diagnostic, since no statement of the text failed
    - `named_words`: what that output quotes
    - `named_bounds`: the index and the length that it names, if one is beyond the other
    - `asked_names`: names in its list of calls for which the oracle asks
    """

    executor: Executor
    failure: OriginalFailure
    run_seconds: float
    frequency: Frequency | None = None
    is_warm: bool = False
    named_lines: tuple[int, ...] = ()
    named_words: tuple[bytes, ...] = ()
    named_bounds: tuple[int, int] | None = None
    asked_names: tuple[bytes, ...] = ()


def check_original(
    executor: Executor,
    plan: Plan,
    standing: TextStanding,
    *,
    share: Share,
    cancelled: CancelToken,
) -> CheckedOriginal:
    """Run the original several times; count these runs, and note what the user should know.

    Raises OracleError if the oracle cannot be run, NotInteresting unless the original is interesting
    every time, and Cancelled.
    """
    checked = check_and_measure(
        executor,
        plan.filename,
        plan.text,
        runs=plan.checks,
        cancelled=cancelled,
        share=share,
        on_step=standing.measuring,
    )
    standing.check_runs += checked.measured_runs + (checked.warm.runs if checked.warm else 0)
    ensure_interesting(checked)
    standing.notes += checked.notes
    if checked.silence and len(plan.text) >= _MIN_LONG_BYTES:
        standing.notes.append(checked.silence)
    run = _telling_run(checked, plan)
    return CheckedOriginal(
        executor,
        checked.original_failure,
        run_seconds=_run_seconds(checked),
        frequency=checked.frequency,
        is_warm=checked.warm is not None and checked.warm.is_warm,
        named_lines=_told_lines(run, plan) if run else (),
        named_words=named_words(run, [plan.text]) if run else (),
        named_bounds=named_bounds(run) if run else None,
        asked_names=asked_names(run, plan.oracle, [plan.text]) if run else (),
    )


def _telling_run(checked: Check, plan: Plan) -> Outcome | None:
    """Return a run whose output names what failed; None for one that reports a diagnostic."""
    run, oracle = checked.telling, plan.oracle
    if run is None or (isinstance(oracle, CommandOracle) and is_reported(run, oracle.criteria)):
        return None
    return run


def ensure_interesting(checked: Check) -> None:
    """Raise OracleError if the oracle cannot be run, or NotInteresting if no reduction may begin."""
    if checked.health is Health.BROKEN:
        raise OracleError(checked.error)
    if not checked.interesting:
        raise NotInteresting(checked.describe())


def _run_seconds(checked: Check) -> float:
    """Return the time of a run of the search."""
    if checked.warm is not None and checked.warm.is_warm:
        return checked.warm.warm_seconds
    return min((run.seconds for run in checked.runs), default=0.0)


def _told_lines(run: Outcome, plan: Plan) -> tuple[int, ...]:
    return named_lines(run, plan.filename) or printing_lines(run, plan.text)
