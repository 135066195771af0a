"""Which executor carries out the runs of an oracle, and a check that needs no more than an oracle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.executors.predicates import ProcessExecutor, ThreadExecutor
from pollard.executors.process import Runner
from pollard.oracle.check import Check, Health, check
from pollard.oracle.executor import MAX_TIMEOUT_SECONDS
from pollard.oracle.predicate import Predicate

if TYPE_CHECKING:
    from pollard.oracle import Cancellable, Executor, Share
    from pollard.oracle.predicate import AnyOracle


def open_executor(oracle: AnyOracle, filename: str, *, share: Share | None = None) -> Executor:
    """Return an executor for candidates of a file called `filename`; close it after use.

    Each run takes a turn of `share`. Raises `OracleError` if the oracle cannot be run at all.
    """
    if isinstance(oracle, Predicate):
        kind = ProcessExecutor if oracle.where == "processes" else ThreadExecutor
        return kind(oracle, share=share)
    return Runner(oracle, filename, share=share)


def check_oracle(
    oracle: AnyOracle,
    filename: str,
    text: bytes,
    *,
    runs: int = 3,
    cancelled: Cancellable | None = None,
    share: Share | None = None,
) -> Check:
    """Open an executor and `check` that the oracle holds for `text`. Raises `Cancelled`."""
    try:
        executor = open_executor(oracle, filename, share=share)
    except OracleError as error:
        return Check(oracle, Health.BROKEN, (), MAX_TIMEOUT_SECONDS, str(error))
    with executor:
        return check(executor, text, runs=runs, cancelled=cancelled)
