"""`--diagnostic TOOL` without a code: finds out which diagnostic is meant."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.cli.target import RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.oracle import CommandOracle, Run
    from pollard.oracle.diagnostics.wanted import WantedDiagnostic

_MAX_SHOWN = 5


def with_diagnostic_named(oracle: CommandOracle, filename: str, text: bytes) -> CommandOracle:
    """Return the oracle with the only diagnostic of the file where it asks for any.

    Runs the oracle once if it does. Raises `RequestError` if the file has several.
    """
    from pollard.executors import check_oracle  # noqa: PLC0415 (not for --help)
    from pollard.oracle.diagnostics.wanted import wanted_from  # noqa: PLC0415

    asked = [wanted_from(each) for each in oracle.criteria.diagnostic]
    if not any(each.is_any for each in asked):
        return oracle
    runs = check_oracle(oracle, filename, text, runs=1).runs
    named = tuple(_named(each, runs) if each.is_any else str(each) for each in asked)
    return replace(oracle, criteria=replace(oracle.criteria, diagnostic=named))


def _named(asked: WantedDiagnostic, runs: Sequence[Run]) -> str:
    """Return the only diagnostic that a run reported; without any, what was asked for."""
    from pollard.oracle.diagnostics.reported import reported_diagnostics  # noqa: PLC0415

    reported = reported_diagnostics(asked.tool, runs[0]) if runs else None
    names = dict.fromkeys(
        str(replace(asked, code=each.code, message=each.message)) for each in reported or ()
    )
    if len(names) > 1:
        lines = [f'  --diagnostic "{name}"' for name in list(names)[:_MAX_SHOWN]]
        more = len(names) - len(lines)
        message = f"{asked.tool.title} reports {len(names)} diagnostics; name one of them:"
        raise RequestError("\n".join([message, *lines, *([f"  and {more} more"] if more else [])]))
    return next(iter(names), str(asked))
