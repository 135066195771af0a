"""The oracle: a command with its criteria, its sandbox, the cache of its verdicts, its threads."""

from __future__ import annotations

from pollard.errors import FormatterError, OracleError
from pollard.oracle.cache import VerdictCache, cache_directory
from pollard.oracle.cancel import Cancellable, CancelToken
from pollard.oracle.check import Check, Health, check
from pollard.oracle.criteria import Criteria
from pollard.oracle.formatter import formatted
from pollard.oracle.oracle import OUTPUT_LIMIT, Oracle
from pollard.oracle.process import Runner
from pollard.oracle.shares import Share, Shares
from pollard.oracle.speculation import Judge
from pollard.oracle.verdict import Counters, Outcome, Run, Verdict

__all__ = [
    "OUTPUT_LIMIT",
    "CancelToken",
    "Cancellable",
    "Check",
    "Counters",
    "Criteria",
    "FormatterError",
    "Health",
    "Judge",
    "Oracle",
    "OracleError",
    "Outcome",
    "Run",
    "Runner",
    "Share",
    "Shares",
    "Verdict",
    "VerdictCache",
    "cache_directory",
    "check",
    "formatted",
]
