"""From a request to the engine's plan, and a record of the reduction on disk from start to end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pollard.errors import PollardError
from pollard.files import write_atomically
from pollard.passes.strategy import DEFAULT, Strategy
from pollard.reduction import Plan

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.events import Result
    from pollard.settings import Settings
    from pollard_server.client.open_documents import OpenDocument
    from pollard_server.protocol.arguments import ReduceArguments
    from pollard_server.records import Record, Records, Status
    from pollard_server.trust import Permit


@dataclass(frozen=True, slots=True)
class ReductionSettings:
    """What all rounds of one reduction share. `strategy` None means the engine's default."""

    strategy: Strategy | None
    settings: Settings
    permit: Permit


def strategy_of(arguments: ReduceArguments, settings: Settings) -> Strategy | None:
    """Return the strategy of the request or the settings. Raises StrategyError."""
    chosen = arguments.strategy or settings.strategy
    return Strategy.parse(chosen) if chosen else None


def planned(
    common: ReductionSettings,
    document: OpenDocument,
    text: bytes,
    region: tuple[int, int] | None,
    earlier: Record | None,
) -> tuple[Plan, Record]:
    """Return the plan for the buffer's text, and its record; the text is on disk by then.

    `earlier` is the record of the round before, from which the user continues. Raises RecordError
    if the record cannot be written.
    """
    records, grammar = document.records, document.grammar
    made = _plan(common, document, text, region)
    record = records.begin(
        original=text,
        oracle=made.oracle.name,
        strategy=made.strategy.name if made.strategy else DEFAULT,
        region=region,
        language=grammar.name if grammar else None,
        continues=earlier.id if earlier else _before(records, text),
    )
    return replace(made, journal=record.directory), record


def continued(
    common: ReductionSettings, document: OpenDocument, text: bytes
) -> tuple[Plan, Record]:
    """Return the rest of the interrupted reduction that the buffer has a text of.

    Raises PollardError if there is none.
    """
    record = document.records.latest()
    if record is None or not record.can_continue_from(text):
        message = (
            f"There is no interrupted reduction of {document.name} as it is now; start a new one."
        )
        raise PollardError(message)
    record.resume()
    made = replace(
        _plan(common, document, record.original, record.region),
        strategy=Strategy.parse(record.strategy) if record.strategy else None,
        journal=record.directory,
        resume=record.has_journal,
    )
    return made, record


def close(record: Record, name: str, result: Result | None, *, stopped: bool) -> Path:
    """Write into the record how a reduction ended, and its best text into a file; return the file.

    Without a result the reduction was `stopped` or has failed. `name` is the document's. Raises
    RecordError and OSError.
    """
    if result is None:
        record.finish("stopped" if stopped else "failed")
    else:
        status: Status = "stopped" if result.cancelled else "finished"
        record.finish(status, best=result.text, counts=result.counts)
    file = record.directory / f"reduced-{name}"
    write_atomically(file, record.best)
    return file


def _plan(
    common: ReductionSettings, document: OpenDocument, text: bytes, region: tuple[int, int] | None
) -> Plan:
    settings = common.settings
    return Plan(
        text=text,
        filename=document.name,
        oracle=common.permit.oracle,
        grammar=document.grammar,
        strategy=common.strategy,
        renaming=settings.renaming,
        jobs=settings.workers,
        region=region,
        guard=settings.guard,
        preprocessing=settings.preprocessing.to_preprocessing(),
        learn_invalid=settings.learn_invalid,
        checks=settings.checks,
        cache=settings.cache,
    )


def _before(records: Records, text: bytes) -> str | None:
    """Return the record that this reduction continues: the latest, if the buffer has its result."""
    record = records.latest()
    return record.id if record is not None and record.ended_with(text) else None
