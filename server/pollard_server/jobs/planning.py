"""From a request to the engine's plan, with a record of it on disk."""

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
    """What stays the same in all rounds of one reduction; `strategy` None is the engine's choice."""

    strategy: Strategy | None
    settings: Settings
    permit: Permit


def strategy_of(arguments: ReduceArguments, settings: Settings) -> Strategy | None:
    """Return the strategy of the request or the settings. Raises StrategyError."""
    chosen = arguments.strategy or settings.strategy
    return Strategy.parse(chosen) if chosen else None


def planned(
    terms: ReductionSettings,
    document: OpenDocument,
    text: bytes,
    region: tuple[int, int] | None,
    earlier: Record | None,
) -> tuple[Plan, Record]:
    """Return what to do with the buffer's text, which is on disk when this returns.

    `earlier` is the record of the round before, from which the user wants to go on. Raises
    RecordError if it cannot be written.
    """
    records, grammar = document.records, document.grammar
    made = _plan(terms, document, text, region)
    record = records.begin(
        original=text,
        oracle=made.oracle.name,
        strategy=made.strategy.name if made.strategy else DEFAULT,
        region=region,
        language=grammar.name if grammar else None,
        continues=earlier.id if earlier else _before(records, text),
    )
    return replace(made, journal=record.directory), record


def continued(terms: ReductionSettings, document: OpenDocument, text: bytes) -> tuple[Plan, Record]:
    """Return what is left to do of the interrupted reduction, of which the buffer has a text.

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
        _plan(terms, document, record.original, record.region),
        strategy=Strategy.parse(record.strategy) if record.strategy else None,
        journal=record.directory,
        resume=record.has_journal,
    )
    return made, record


def close(record: Record, name: str, result: Result | None, *, stopped: bool) -> Path:
    """Write down how a reduction ended, and its best text as a file; return that file.

    Without a result it was `stopped` or has failed. `name` is the document's. May raise RecordError
    and OSError.
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
    terms: ReductionSettings, document: OpenDocument, text: bytes, region: tuple[int, int] | None
) -> Plan:
    settings = terms.settings
    return Plan(
        text=text,
        filename=document.name,
        oracle=terms.permit.oracle,
        grammar=document.grammar,
        strategy=terms.strategy,
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
    """Return the reduction that this one goes on from: the latest, if the buffer has its result."""
    record = records.latest()
    return record.id if record is not None and record.ended_with(text) else None
