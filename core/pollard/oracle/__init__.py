"""The oracle: a command with its criteria, the cache of its verdicts, the judge and its threads."""

from __future__ import annotations

from pollard.errors import OracleError
from pollard.oracle.cache import VerdictCache, cache_directory
from pollard.oracle.cancel import Cancellable, CancelToken
from pollard.oracle.check import Check, Health, check
from pollard.oracle.criteria import Criteria
from pollard.oracle.executor import Executor
from pollard.oracle.oracle import OUTPUT_LIMIT, Oracle
from pollard.oracle.predicate import AnyOracle, Predicate
from pollard.oracle.shares import Share, Shares
from pollard.oracle.speculation import Judge
from pollard.oracle.verdict import Counters, Outcome, Run, Verdict

__all__ = [
    "OUTPUT_LIMIT",
    "AnyOracle",
    "CancelToken",
    "Cancellable",
    "Check",
    "Counters",
    "Criteria",
    "Executor",
    "Health",
    "Judge",
    "Oracle",
    "OracleError",
    "Outcome",
    "Predicate",
    "Run",
    "Share",
    "Shares",
    "Verdict",
    "VerdictCache",
    "cache_directory",
    "check",
]
