"""From the journal of a reduction, and the account beside it, to the report's model."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from pollard import other_failures
from pollard.journal import Journal, JournalError, StepCost
from pollard.report.account import Account
from pollard.report.printable import readable
from pollard.report.report_model import (
    FileInReport,
    NoReportError,
    OtherInReport,
    Report,
    ReportStep,
)
from pollard.report.text_changes import change_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pollard.syntax.encodings.encoding import Encoding

_STATES = {
    "running": "The reduction had not ended when this report was made, or was interrupted.",
    "stopped": "The reduction was stopped before its end; the result is the best so far.",
    "limit": "The search ended at a limit; the result is the best so far.",
    "finished": "",
}


def report_of_journal(directory: Path) -> Report:
    """Return the report of the reduction in `directory`. Raises NoReportError if there is none."""
    try:
        journal = Journal.load(directory)
    except JournalError as error:
        message = f"The journal in {directory} cannot be read, so there is no report on it."
        raise NoReportError(message) from error
    account = Account.read(directory) or Account(
        name=journal.header.file, strategy=journal.header.strategy
    )
    return Report(
        name=account.name,
        files=(_file(journal, account),),
        command=account.command,
        failure=account.failure,
        output=account.output,
        state=_STATES[account.ending],
        began=account.began,
        strategy=account.strategy,
        jobs=account.jobs,
        versions=account.versions,
        runs=max(account.cost.runs, _last_cost(journal).runs),
        seconds=max(account.cost.seconds, _last_cost(journal).seconds),
        passes=account.passes,
        others=_others(directory),
        notes=account.notes,
        steps=tuple(_steps(journal)),
        changes=lambda limit: _changes(journal, account.encoding, limit),
    )


def _file(journal: Journal, account: Account) -> FileInReport:
    return FileInReport(
        name=account.name,
        original=journal.original,
        result=journal.best,
        language=account.language,
        encoding=account.encoding,
    )


def _others(directory: Path) -> tuple[OtherInReport, ...]:
    found = other_failures.load(directory)
    return tuple(OtherInReport(str(each.failure), len(each.text), each.runs) for each in found)


def _last_cost(journal: Journal) -> StepCost:
    known = [cost for cost in journal.costs() if cost is not None]
    return known[-1] if known else StepCost()


def _steps(journal: Journal) -> Iterator[ReportStep]:
    """Yield the steps; one without a cost, such as a step back, has that of the step before."""
    cost = StepCost()
    for number, (text, own) in enumerate(zip(journal.texts(), journal.costs(), strict=True), 1):
        cost = own or StepCost(cost.runs, cost.seconds)
        yield ReportStep(number, len(text), cost.runs, cost.seconds, cost.where)


def _changes(journal: Journal, encoding: Encoding, limit: int) -> Iterator[str]:
    texts = itertools.chain([journal.original], journal.texts())
    for old, new in itertools.pairwise(readable(text, encoding) for text in texts):
        yield change_text(old, new, limit)
