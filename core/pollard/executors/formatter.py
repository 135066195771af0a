"""Runs a formatter: a command that reads a text on standard input and prints it well laid out.

A formatter is run like an oracle: in a directory of its own with the text and the oracle's `files`,
with limits, and with all its processes killed at the end.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.errors import FormatterError, OracleError
from pollard.executors.process import Runner
from pollard.oracle.command import OUTPUT_LIMIT
from pollard.oracle.criteria import Criteria

if TYPE_CHECKING:
    from pollard.oracle.command import CommandOracle
    from pollard.oracle.executor import Cancellable
    from pollard.oracle.shares import Share
    from pollard.oracle.verdict import Run

FORMATTER_TIMEOUT_SECONDS = 30.0
"""The time limit of a formatter; enough for an interpreter to load a large one."""

# Indentation can multiply the size of a text, but hardly by more than this.
_MAX_GROWTH_FACTOR = 8
_MAX_QUOTED_CHARACTERS = 200


def formatted(
    oracle: CommandOracle,
    filename: str,
    text: bytes,
    *,
    share: Share | None = None,
    cancelled: Cancellable | None = None,
) -> bytes:
    """Return what the oracle's formatter prints for `text`, byte for byte.

    Raises `FormatterError` with one sentence about what failed, and `Cancelled`.
    """
    try:
        with Runner(_as_oracle(oracle, text), filename, share=share, owner="formatter") as runner:
            run = runner.run(text, cancelled=cancelled, capture=True)
    except OracleError as error:
        raise FormatterError(f"The result was not formatted. {error}") from error
    failure = _failure(run)
    if failure:
        raise FormatterError(f"The result was not formatted: the formatter {failure}.")
    return run.stdout


def _as_oracle(oracle: CommandOracle, text: bytes) -> CommandOracle:
    """Return the formatter as an oracle; its verdict does not matter."""
    assert oracle.formatter
    return replace(
        oracle,
        command=oracle.formatter,
        criteria=Criteria(),
        invalid=None,
        timeout=FORMATTER_TIMEOUT_SECONDS,
        memory=None,
        output_limit=OUTPUT_LIMIT + _MAX_GROWTH_FACTOR * len(text),
        stdin=True,
        runs_required=(1, 1),
        surroundings=None,
        is_server=False,
    )


def _failure(run: Run) -> str:
    """Return what the formatter did wrong, to follow "the formatter"; "" if it succeeded."""
    if run.timed_out:
        return f"took longer than {FORMATTER_TIMEOUT_SECONDS:g} s"
    if run.memory_exceeded:
        return "used too much memory"
    if run.signal is not None:
        return f"was killed by signal {run.signal}"
    if run.exit_code:
        return f"ended with exit code {run.exit_code}{_quoted(run.stderr)}"
    if run.truncated:
        return "printed too much"
    return "" if run.stdout.strip() else "printed nothing"


def _quoted(stderr: bytes) -> str:
    """Return the first printed line in parentheses, without control characters."""
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    line = "".join(filter(str.isprintable, lines[0] if lines else ""))
    return f" ({line[:_MAX_QUOTED_CHARACTERS]})" if line else ""
