"""From a request to the engine's plan, and a record of the reduction on disk from start to end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pollard.api import plan_of
from pollard.errors import PollardError
from pollard.passes.strategy import Strategy
from pollard.system import write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pollard.events import Result
    from pollard.reduction import Plan
    from pollard.settings import Settings
    from pollard_server.client.open_documents import OpenDocument
    from pollard_server.protocol.arguments import ReduceArguments
    from pollard_server.records import Record, Records, Status
    from pollard_server.text.regions import Region
    from pollard_server.trust import Permit


@dataclass(frozen=True, slots=True)
class ReductionSettings:
    """The settings that all rounds of a reduction share; `strategy` None is the engine's default."""

    strategy: Strategy | None
    settings: Settings
    permit: Permit


@dataclass(frozen=True, slots=True)
class Continued:
    """An earlier reduction that a new one continues from another text than its result.

    `region` is the part of that text that may change (None: all).
    """

    record: Record
    region: Region | None


def strategy_of(arguments: ReduceArguments, settings: Settings) -> Strategy | None:
    """Return the strategy of the request or the settings. Raises StrategyError."""
    return parsed_strategy(arguments.strategy or settings.strategy)


def new_plan(
    common: ReductionSettings,
    document: OpenDocument,
    text: bytes,
    region: tuple[int, int] | None,
    earlier: Record | None,
) -> tuple[Plan, Record]:
    """Return the plan for the buffer's text, and its record, which has the text on disk.

    `earlier` is the record of the previous round or reduction, which this one continues. Raises
    RecordError if the record cannot be written.
    """
    records, grammar = document.records, document.grammar
    plan = _plan(common, document, text, region)
    record = records.begin(
        original=text,
        oracle=plan.oracle.name,
        strategy=plan.chosen_strategy().name,
        region=region,
        language=grammar.name if grammar else None,
        encoding=document.encoding,
        continues=earlier.id if earlier else _continued_id(records, text),
    )
    return replace(plan, journal=record.directory), record


def resumed_plan(
    common: ReductionSettings, document: OpenDocument, text: bytes
) -> tuple[Plan, Record]:
    """Return the plan and record that resume the interrupted reduction of the buffer's `text`.

    Raises PollardError if no interrupted reduction has accepted that text.
    """
    record = document.records.latest()
    if record is None or not record.can_continue_from(text):
        message = (
            f"There is no interrupted reduction of {document.name} as it is now; start a new one."
        )
        raise PollardError(message)
    record.resume()
    plan = replace(
        _plan(common, document, record.original, record.region),
        strategy=parsed_strategy(record.strategy),
        journal=record.directory,
        resume=record.has_journal,
        encoding=record.encoding,
    )
    return plan, record


def close_record(record: Record, name: str, result: Result | None, *, stopped: bool) -> Path:
    """Write into the record how a reduction ended, and its best text into a file; return the file.

    Without a result the reduction was `stopped` or has failed. `name` is the document's. Raises
    RecordError and OSError.
    """
    if result is None:
        record.finish("stopped" if stopped else "failed")
    else:
        status: Status = "stopped" if result.cancelled or result.ended_by else "finished"
        record.finish(status, best=result.text, counts=result.counts, others=result.others)
    file = record.directory / f"reduced-{name}"
    write_atomically(file, record.best)
    return file


def parsed_strategy(strategy: str | Sequence[str] | None) -> Strategy | None:
    """Return a strategy; None for the engine's default. Raises StrategyError."""
    return Strategy.parse(strategy) if strategy else None


def _plan(
    common: ReductionSettings, document: OpenDocument, text: bytes, region: tuple[int, int] | None
) -> Plan:

    plan = plan_of(
        common.settings,
        text=text,
        filename=document.name,
        oracle=common.permit.oracle,
        grammar=document.grammar,
        strategy=common.strategy,
        region=region,
        encoding=document.encoding,
    )
    return replace(plan, place=document.path)


def _continued_id(records: Records, text: bytes) -> str | None:
    """Return the id of the latest record if the buffer has its result, which is then continued."""
    record = records.latest()
    return record.id if record is not None and record.ended_with(text) else None
