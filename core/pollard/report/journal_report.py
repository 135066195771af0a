"""From the journal of a reduction, and the account beside it, to the report's model."""

from __future__ import annotations

from dataclasses import replace
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
    from collections.abc import Callable, Iterable, Iterator
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
    report = described(
        account,
        files=(_file(journal, account),),
        steps=tuple(steps_of(map(len, journal.texts()), journal.costs())),
        changes=lambda limit: _changes(journal, account.encoding, limit),
    )
    return replace(report, others=others_beside(directory))


def described(
    account: Account,
    *,
    files: tuple[FileInReport, ...],
    steps: tuple[ReportStep, ...],
    changes: Callable[[int], Iterator[str]],
) -> Report:
    """Return the report of a reduction with this account."""
    last = steps[-1] if steps else ReportStep(0, 0, 0, 0.0, "")
    return Report(
        name=account.name,
        files=files,
        command=account.command,
        failure=account.failure,
        output=account.output,
        state=_STATES[account.ending],
        began=account.began,
        strategy=account.strategy,
        jobs=account.jobs,
        versions=account.versions,
        runs=max(account.cost.runs, last.runs),
        seconds=max(account.cost.seconds, last.seconds),
        passes=account.passes,
        notes=account.notes,
        steps=steps,
        changes=changes,
    )


def _file(journal: Journal, account: Account) -> FileInReport:
    return FileInReport(
        name=account.name,
        original=journal.original,
        result=journal.best,
        language=account.language,
        encoding=account.encoding,
    )


def others_beside(directory: Path) -> tuple[OtherInReport, ...]:
    """Return the other failures that are kept beside the journal in a directory."""
    found = other_failures.load(directory)
    return tuple(OtherInReport(str(each.failure), each.bytes, each.runs) for each in found)


def steps_of(sizes: Iterable[int], costs: Iterable[StepCost | None]) -> Iterator[ReportStep]:
    """Yield the steps; one without a cost, such as a step back, has that of the step before."""
    cost = StepCost()
    for number, (size, own) in enumerate(zip(sizes, costs, strict=True), 1):
        cost = own or StepCost(cost.runs, cost.seconds)
        yield ReportStep(number, size, cost.runs, cost.seconds, cost.where)


def _changes(journal: Journal, encoding: Encoding, limit: int) -> Iterator[str]:
    old = readable(journal.original, encoding)
    for text, change in journal.changes():
        new = readable(text, encoding)
        yield change_text(old, new, limit, change if encoding.is_utf8 else None)
        old = new
