"""Carries out the runs of an oracle: one candidate in, one `Run` with its verdict out.

The search never runs anything itself. It asks the `Judge` (`pollard.oracle`), and the judge asks an
*executor*: an object with `run`, `timeout`, `fingerprint` and `close`. An executor decides where
and how a run takes place. It enforces the limits, waits for its turn in a `Share`, stops a run that
is no longer needed, and leaves nothing behind. It never decides what to run next. Hence a new way
to run oracles (a cluster, a compiler that stays loaded) is a new module here, and nothing else
changes. The protocol is `Executor` in `pollard.oracle.executor`.

`Runner` starts a process for each run of a command; `ThreadExecutor` and `ProcessExecutor` call a
Python function. To change `Runner`, know three things:

- Each run has a directory of its own that holds nothing but the candidate and the oracle's `files`.
- One loop waits for the end of the process, its output, its time-out and a cancellation.
- After a run every process that it started is killed, including daemons that left its process
  group. On Linux Pollard is the *subreaper* of its descendants and recognises those of a run by a
  mark.

`open_executor`, below, chooses the executor for an oracle. The modules, in reading order:

- `process`: `Runner`; from an oracle and a candidate to a verdict
- `run_directories`: the directories of the runs, which are emptied after each run
- `sandbox`: a room of its own: keeps runs from harming anything else
- `invocation`: one execution as a value; starts its process and clips its output
- `linux`: carries out an invocation on Linux
- `confined`: the processes of a run that is in a sandbox
- `daemons`: finds and kills processes that a run left behind, on Linux
- `watchdog`: kills the runs if this process is killed, on Linux
- `portable`: carries out an invocation on other systems
- `tree_directories`: run directories that hold a tree of files
- `tree_runs`: runs of a command or a function on a tree of files
- `timeouts`: which time-outs to believe
- `predicates`: calls a Python function in threads, or in processes that are kept
- `warm`: a room of its own: Python programs that stay loaded, and give each candidate a copy
- `servers`: a room of its own: language servers, which stay and get each candidate as an edit, and
  editors that are asked for their own diagnostics
- `cluster`: a room of its own: runs on the workers of a Dask cluster
- `measuring`: how often a text fails, and under which remedies a flaky failure is certain
- `formatter`: runs the command that formats the result
- `program_version`: asks the oracle's program for its version, for a report

`pollard.reduction`, `pollard.project`, `pollard.api` and the server import this room. It imports
`pollard.oracle`, `pollard.mirror`, `pollard.file_tree`, `pollard.system` and `pollard.errors`, and
names of languages from `pollard.syntax.grammars`; `pollard.oracle` never imports it.
"""

from __future__ import annotations

import functools
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from pollard.errors import OracleError
from pollard.executors.formatter import formatted
from pollard.executors.measuring import frequency_of_result, measure_flakiness
from pollard.executors.predicates import ProcessExecutor, ThreadExecutor
from pollard.executors.process import Runner
from pollard.executors.servers.editor_executor import EditorExecutor
from pollard.executors.tree_runs import OnFiles, PredicateOnTrees, TreeExecutor, TreeRunner
from pollard.executors.warm.node_runner import NodeRunner, repeating_command
from pollard.executors.warm.persistent import PersistentExecutor
from pollard.executors.warm.trials import WarmExecutor
from pollard.executors.warm.warm_runner import WarmRunner
from pollard.executors.warm.warm_search import WarmSearch
from pollard.oracle.checking.check import Check, Health, check
from pollard.oracle.checking.overhearing import telling, without_texts
from pollard.oracle.executor import MAX_TIMEOUT_SECONDS
from pollard.oracle.predicate import Predicate
from pollard.oracle.warm.warm_runs import WarmRuns, WarmTrial

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.oracle import Cancellable, CommandOracle, Executor, Share
    from pollard.oracle.predicate import AnyOracle
    from pollard.oracle.verdict import Run

__all__ = [
    "Runner",
    "WarmExecutor",
    "WarmSearch",
    "check_and_measure",
    "check_oracle",
    "formatted",
    "frequency_of_result",
    "open_executor",
    "open_hearing_executor",
    "open_tree_executor",
    "overheard_run",
]


def open_executor(
    oracle: AnyOracle,
    filename: str,
    *,
    share: Share | None = None,
) -> Executor:
    """Return an executor for candidates of a file called `filename`; close it after use.

    Each run takes a turn of `share`. Raises `OracleError` if the oracle cannot be run at all.
    """
    if isinstance(oracle, Predicate):
        executor_class = ProcessExecutor if oracle.where == "processes" else ThreadExecutor
        return executor_class(oracle, share=share)
    if oracle.diagnoser is not None:
        return EditorExecutor(oracle, share=share)
    if oracle.cluster is not None:
        from pollard.executors.cluster.dask_executor import DaskExecutor  # noqa: PLC0415 (rarely wanted)

        return DaskExecutor(oracle, filename, share=share)
    if oracle.is_server:
        return _server_executor(oracle, filename, share)
    if oracle.warm is WarmRuns.PROTOCOL:
        return PersistentExecutor(oracle, filename, share=share)
    if oracle.warm is not WarmRuns.OFF:
        return _warm_executor(oracle, filename, share)
    return Runner(oracle, filename, share=share)


def _warm_executor(oracle: CommandOracle, filename: str, share: Share | None) -> Executor:
    """Return the executor whose runs are warm, for Node.js or for Python and the rest."""
    command = None if sys.platform == "win32" else repeating_command(oracle)
    if command is not None:
        return NodeRunner(oracle, command, filename, share=share)
    return WarmRunner(oracle, filename, share=share)


def open_tree_executor(
    oracle: AnyOracle,
    main: bytes | None,
    *,
    share: Share | None = None,
) -> TreeExecutor:
    """Return an executor for trees of files with a main file or none; close it after use.

    A function that is the oracle gets a mapping from paths to contents. Raises as `open_executor`, and
    for an oracle on a cluster.
    """
    if isinstance(oracle, Predicate):
        on_files = replace(oracle, function=OnFiles(cast("Any", oracle.function)))
        return PredicateOnTrees(open_executor(on_files, "", share=share))
    if oracle.cluster is not None:
        message = "Only a single file can be reduced on a cluster; leave out the scheduler."
        raise OracleError(message)
    if oracle.stays:
        what = "A language server" if oracle.is_server else "An oracle that stays"
        message = f"{what} can only be asked about a single file; give a command for several."
        raise OracleError(message)
    return TreeRunner(oracle, main, share)


def _server_executor(oracle: CommandOracle, filename: str, share: Share | None) -> Executor:
    from pollard.executors.servers.language_server import (  # noqa: PLC0415 (loads pygls)
        LanguageServerExecutor,
    )
    from pollard.syntax.grammars.languages import detect  # noqa: PLC0415

    language = detect(filename, b"") or "plaintext"
    return LanguageServerExecutor(oracle, filename, language, share=share)


def check_oracle(
    oracle: AnyOracle,
    filename: str,
    text: bytes,
    *,
    runs: int = 3,
    cancelled: Cancellable | None = None,
    share: Share | None = None,
    on_step: Callable[[str], None] | None = None,
) -> Check:
    """Open an executor and `check` that the oracle holds for `text`. Raises `Cancelled`.

    With `on_step`, a flaky failure is measured as by `check_and_measure`.
    """
    try:
        executor = open_executor(oracle, filename, share=share)
    except OracleError as error:
        return Check(oracle, Health.BROKEN, (), MAX_TIMEOUT_SECONDS, str(error))
    with executor:
        if on_step is None:
            return _checked(executor, text, runs=runs, cancelled=cancelled)
        return check_and_measure(
            executor, filename, text, runs=runs, cancelled=cancelled, share=share, on_step=on_step
        )


def check_and_measure(
    executor: Executor,
    filename: str,
    text: bytes,
    *,
    runs: int,
    cancelled: Cancellable | None = None,
    share: Share | None = None,
    on_step: Callable[[str], None] = lambda _: None,
) -> Check:
    """`check` that the oracle holds for `text`; if it is flaky, measure how often it does and why.

    `on_step` is called with what is being measured. Raises `Cancelled`.
    """
    checked = _checked(executor, text, runs=runs, cancelled=cancelled)
    if checked.is_untold:
        seen = overheard_run(executor, filename, text, cancelled=cancelled, share=share)
        checked = replace(checked, overheard=seen)
    if checked.health is not Health.FLAKY:
        return checked
    flakiness = measure_flakiness(
        executor, filename, text, checked, cancelled=cancelled, share=share, on_step=on_step
    )
    return replace(checked, flakiness=flakiness)


def overheard_run(
    executor: Executor,
    filename: str,
    text: bytes,
    *,
    cancelled: Cancellable | None = None,
    share: Share | None = None,
) -> Run | None:
    """Return a run on a text that also tells what a script reads; None if it seems to read nothing.

    Raises `Cancelled`.
    """
    try:
        hearing = open_hearing_executor(executor, filename, share=share)
        if hearing is None:
            return None
        with hearing:
            run = hearing.run(text, cancelled=cancelled, capture=True)
    except OracleError:  # there is no shell, or no cluster any more
        return None
    return without_texts(run, [text])


def open_hearing_executor(
    executor: Executor, filename: str, *, share: Share | None = None
) -> Executor | None:
    """Return an executor whose runs also tell what a script reads; None if it seems to read nothing.

    They take place where those of `executor` do, so that a search on a cluster is the same as on this
    machine. Raises `OracleError` if the oracle cannot be run at all.
    """
    told = telling(executor.oracle, filename)
    if told is None:
        return None
    hearing = open_executor(told, filename, share=share)
    hearing.timeout = executor.timeout
    return hearing


def _checked(
    executor: Executor, text: bytes, *, runs: int, cancelled: Cancellable | None = None
) -> Check:
    try:
        getattr(executor, "compare_workers", lambda *_: None)(text, cancelled)
    except OracleError as error:
        return Check(executor.oracle, Health.BROKEN, (), MAX_TIMEOUT_SECONDS, str(error))
    if isinstance(executor, WarmExecutor):
        rehearse = functools.partial(executor.rehearse, text)
        checked = check(executor, text, runs=runs, cancelled=cancelled, on_interesting=rehearse)
        if not checked.interesting:
            executor.cool()
    else:
        checked = check(executor, text, runs=runs, cancelled=cancelled)
    return replace(
        checked,
        sandbox_warning=getattr(executor, "sandbox_warning", ""),
        remarks=getattr(executor, "notes", ()),
        warm=_trial(executor, text, checked, cancelled) if checked.interesting else None,
    )


def _trial(
    executor: Executor, text: bytes, checked: Check, cancelled: Cancellable | None
) -> WarmTrial | None:
    """Return what warm runs of the original show, or why there are none although they are wanted."""
    oracle = checked.oracle
    if isinstance(executor, WarmExecutor):
        return executor.trial(text, checked.runs, cancelled=cancelled)
    if isinstance(oracle, Predicate) or oracle.is_server or oracle.warm is not WarmRuns.ON:
        return None
    return WarmTrial(refusal="they are for single files on this machine")
