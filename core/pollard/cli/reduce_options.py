"""The options of `pollard reduce`, and what of the settings and the journal they choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.cli.options import OracleRequest, ProjectOptions
    from pollard.oracle import OtherFailure
    from pollard.passes.strategy import Strategy
    from pollard.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class ReduceOptions:
    """The options of `pollard reduce` that are not about the oracle; None: the settings decide."""

    file: Path
    out: Path | None
    in_place: bool
    strategy: str | None
    renaming: bool
    formatter: str | None
    lines: str | None
    language: str | None
    jobs: int | str | None
    speculation: str | None
    checks: int | None
    stats: Path | None
    report: Path | None
    events: bool
    resume: bool
    other: int | None
    cache: bool
    max_runs: int | str | None
    max_time: str | None
    guard: bool
    learn_invalid: bool
    preprocessing: dict[str, bool]
    quiet: bool
    archive: Path | None
    merging: bool
    project: ProjectOptions


def changes_of_settings(options: ReduceOptions, request: OracleRequest) -> dict[str, object]:
    """Return the options that are settings as well; None: the settings decide."""
    return {
        "executor": request.executor,
        "jobs": options.jobs,
        "speculation": options.speculation,
        "checks": options.checks,
        "learn_invalid": options.learn_invalid or None,
        "renaming": None if options.renaming else False,
        "guard": None if options.guard else False,
        "cache": None if options.cache else False,
        "max_runs": options.max_runs,
        "max_time": options.max_time,
        "formatter": _formatter(options),
        "preprocessing": options.preprocessing,
    }


def journal_of(options: ReduceOptions, *files: Path) -> Path:
    """Return the directory of the journal; another failure has one of its own."""
    from pollard.journal import journal_directory  # noqa: PLC0415 (not for --help)

    directory = journal_directory(*files)
    return directory / f"other-{options.other}" if options.other else directory


def _formatter(options: ReduceOptions) -> str | tuple[str, ...] | None:
    """Return the formatter's command with its words resolved; None: the settings decide."""
    if options.formatter in (None, "auto", "none"):
        return options.formatter
    from pollard.cli.target import place_of, resolve  # noqa: PLC0415 (not for --help)

    return resolve((options.formatter,), place_of(options.file))


def other_failure(number: int, *files: Path) -> OtherFailure:
    """Return the other failure with that number in the last reduction of one or several files."""
    from pollard.journal import journal_directory  # noqa: PLC0415 (not for --help)
    from pollard.other_failures import load  # noqa: PLC0415

    others = load(journal_directory(*files))
    if number > len(others):
        seen = f"has {len(others)}" if others else "has none"
        names = " ".join(map(str, files))
        message = f"--other {number}: the last reduction of {names} {seen}."
        raise click.UsageError(message)
    return others[number - 1]


def strategy_of(given: str | None, settings: Settings) -> Strategy | None:
    """Return the strategy of the command line or the settings; None: the default."""
    from pollard.passes.strategy import Strategy, StrategyError  # noqa: PLC0415 (not for --help)

    if given is not None:
        return Strategy.parse(given)
    if settings.strategy is None:
        return None
    try:
        return Strategy.parse(settings.strategy)
    except StrategyError as error:
        raise settings.error(("strategy",), str(error)) from error
