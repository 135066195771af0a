"""The oracle: what makes a file interesting, and in which order candidates are tested.

An *oracle* is a command with criteria (`CommandOracle`), or a Python function (`Predicate`). Testing
one candidate is a *run*; its *verdict* is interesting, uninteresting, invalid or timeout, the four
outcomes of the papers' test function. This package decides which candidates are run and what their
verdicts mean; `pollard.executors` carries out the runs.

Three ideas carry everything here:

**One door for runs.** Passes ask the `Judge` for the first interesting candidate of a stream
(`pollard.search.first`). The judge skips known verdicts, asks an executor to run the others, and
counts the runs.

**Ordered speculation.** With N jobs the judge runs the next N candidates in parallel, but uses
their verdicts in order, and cancels the runs after the first interesting one. So the result and the
counted runs are the same for every N.

**A verdict is remembered.** The cache is keyed by a fingerprint of everything that can change a
verdict: the command, its criteria, its files, the file name, the text.

Modules, in reading order:

    verdict      `Outcome`, `Verdict`, `Run`: what a run returns
    signature    `Signature`: which failure a run showed, and how closely two must agree
    criteria     conditions on exit code, signal and output; suggestions for them
    diagnostics  what linters, type checkers and compilers report about a file
    failures     reads the failure from what a run printed, and compares it with the original's
    command      `CommandOracle`: a command with its criteria and limits, and its fingerprint
    predicate    `Predicate`: a Python function as an oracle
    executor     the protocol of executors, which carry out runs; `CancelToken` stops a run
    checking     runs on the original before a reduction: interesting or flaky? which timeout?
    warm         runs of programs that stay loaded: the setting, and proofs of what they find
    cache        known verdicts, in memory and on disk
    judge        `Judge`: the first interesting candidate, with any number of jobs
    lookahead    candidates in progress, ahead of the one that is decided next
    shares       turns, so that parallel reductions get equally many runs

Executors, engine, reduction, command line and server import this package. It imports
`pollard.errors` only.
"""

from __future__ import annotations

from pollard.errors import OracleError
from pollard.oracle.cache import Rejections, VerdictCache, cache_directory
from pollard.oracle.checking.check import Check, Health, check
from pollard.oracle.checking.flakiness import Frequency
from pollard.oracle.command import OUTPUT_LIMIT, CommandOracle
from pollard.oracle.criteria import Criteria
from pollard.oracle.executor import Cancellable, CancelToken, Executor
from pollard.oracle.failures.comparing import OriginalFailure, OtherFailure
from pollard.oracle.failures.places import (
    named_bounds,
    named_lines,
    named_places,
    named_words,
    printing_lines,
)
from pollard.oracle.judge import Judge
from pollard.oracle.predicate import AnyOracle, Predicate
from pollard.oracle.shares import Share, Shares
from pollard.oracle.signature import SameFailure, Signature
from pollard.oracle.verdict import Counters, Outcome, Run, Verdict

__all__ = [
    "OUTPUT_LIMIT",
    "AnyOracle",
    "CancelToken",
    "Cancellable",
    "Check",
    "CommandOracle",
    "Counters",
    "Criteria",
    "Executor",
    "Frequency",
    "Health",
    "Judge",
    "OracleError",
    "OriginalFailure",
    "OtherFailure",
    "Outcome",
    "Predicate",
    "Rejections",
    "Run",
    "SameFailure",
    "Share",
    "Shares",
    "Signature",
    "Verdict",
    "VerdictCache",
    "cache_directory",
    "check",
    "named_bounds",
    "named_lines",
    "named_places",
    "named_words",
    "printing_lines",
]
