"""The formatter: a command that reads a text on standard input and prints it in its language's layout.

It is run as an oracle is: in a directory of its own that holds the text and the oracle's `files`, with
limits, and with all its processes killed in the end.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.errors import FormatterError, OracleError
from pollard.executors.process import Runner
from pollard.oracle.criteria import Criteria
from pollard.oracle.oracle import OUTPUT_LIMIT

if TYPE_CHECKING:
    from pollard.oracle.cancel import Cancellable
    from pollard.oracle.oracle import Oracle
    from pollard.oracle.shares import Share
    from pollard.oracle.verdict import Run

#: Seconds that a formatter is given: more than an interpreter takes to load a large one.
LONGEST_FORMATTING = 30.0
# Indentation can make several times as much of a text; more than this is no layout.
_MOST_GROWTH = 8
_MOST_SAID = 200


def formatted(
    oracle: Oracle,
    filename: str,
    text: bytes,
    *,
    share: Share | None = None,
    cancelled: Cancellable | None = None,
) -> bytes:
    """Return what the oracle's formatter prints for `text`, as it is.

    Raises `FormatterError`, which says in one sentence why that cannot be had, and `Cancelled`.
    """
    try:
        with Runner(_as_oracle(oracle, text), filename, share=share, owner="formatter") as runner:
            run = runner.run(text, cancelled=cancelled, capture=True)
    except OracleError as error:
        raise FormatterError(f"The result was not formatted. {error}") from error
    wrong = _wrong(run)
    if wrong:
        raise FormatterError(f"The result was not formatted: the formatter {wrong}.")
    return run.stdout


def _as_oracle(oracle: Oracle, text: bytes) -> Oracle:
    """Return the formatter as a command to be run; nothing depends on its verdict."""
    assert oracle.formatter
    return replace(
        oracle,
        command=oracle.formatter,
        criteria=Criteria(),
        invalid=None,
        timeout=LONGEST_FORMATTING,
        memory=None,
        output_limit=OUTPUT_LIMIT + _MOST_GROWTH * len(text),
        stdin=True,
        runs_required=(1, 1),
    )


def _wrong(run: Run) -> str:
    """Return what is wrong with a run, in words that follow "the formatter"; "" if nothing is."""
    if run.timed_out:
        return f"took longer than {LONGEST_FORMATTING:g} s"
    if run.memory_exceeded:
        return "used too much memory"
    if run.signal is not None:
        return f"was killed by signal {run.signal}"
    if run.exit_code:
        return f"ended with exit code {run.exit_code}{_said(run.stderr)}"
    if run.truncated:
        return "printed too much"
    return "" if run.stdout.strip() else "printed nothing"


def _said(stderr: bytes) -> str:
    """Return the first line of what was said, in parentheses and without what a terminal obeys."""
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    line = "".join(filter(str.isprintable, lines[0] if lines else ""))
    return f" ({line[:_MOST_SAID]})" if line else ""
