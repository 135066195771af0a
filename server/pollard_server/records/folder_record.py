"""The latest reduction of a folder, as the engine's journal of it has it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard import other_failures
from pollard.errors import PollardError
from pollard.file_tree import weight
from pollard.journal import StepCost, journal_directory
from pollard.project.leaving_out import LeftOut
from pollard.project.project_files import read_directory
from pollard.project.project_journal import ProjectJournal
from pollard.project.result_folder import ResultFolder, tree_in
from pollard.report.account import Account
from pollard.system import remove_tree
from pollard_server.records.accepted_texts import RecordedStep
from pollard_server.records.directories import RecordError, no_other
from pollard_server.records.facts import RecordedOther, Status

if TYPE_CHECKING:
    import builtins
    from pathlib import Path

    from pollard.file_tree import FileTree

# Beside the journal: the name of the oracle, which the engine does not know.
_ORACLE_FILE = "oracle"
_SHOWN_FOLDER = "shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderRecord:
    """A reduction of a folder, with what a `Record` has for people; later ones replace it.

    `directory` is the engine's journal. `accepted` is empty if the folder has changed since, because
    the journal has only differences from it.
    """

    id: str
    folder: Path
    directory: Path
    status: Status
    started: str
    oracle: str
    strategy: str
    original_bytes: int
    bytes: int
    runs: int
    seconds: float
    others: tuple[RecordedOther, ...]
    accepted: tuple[RecordedStep, ...]
    continues: None = None
    language: None = None
    region: None = None

    @classmethod
    def latest(cls, folder: Path, *, running: bool) -> FolderRecord | None:
        """Read the record of a folder; None if it was not reduced yet. `running`: this moment."""
        directory = journal_directory(folder)
        account = Account.read(directory)
        if account is None:
            return None
        accepted = _accepted(folder, directory)
        cost = _cost(account, accepted)
        original = account.original_bytes or 0
        last = accepted[-1].bytes if accepted else original
        return cls(
            id=directory.name,
            folder=folder,
            directory=directory,
            status=_status(account, running=running),
            started=account.began,
            oracle=recorded_oracle(directory) or "",
            strategy=account.strategy,
            original_bytes=original,
            bytes=last if account.reduced_bytes is None else account.reduced_bytes,
            runs=cost.runs,
            seconds=round(cost.seconds, 3),
            others=tuple(map(RecordedOther.of, other_failures.load(directory))),
            accepted=accepted,
        )

    def steps(self) -> list[RecordedStep]:
        """Return the accepted files' numbers, sizes, costs and passes, in order."""
        return list(self.accepted)

    def other(self, number: int) -> RecordedOther:
        """Return the other failure with that number, from 1. Raises RecordError if there is none."""
        if 0 < number <= len(self.others):
            return self.others[number - 1]
        raise no_other(self.id, number, len(self.others))

    def show(self, number: int) -> Path:
        """Write the accepted files with that number, from 1, and return their folder; 0: the original.

        The next call replaces them. Raises RecordError if there are none, and PollardError.
        """
        journal = _journal(self.folder, self.directory)
        if number > journal.count:
            message = f"The reduction {self.id!r} has no files {number}; ask for its history."
            raise RecordError(message)
        place = self.directory / _SHOWN_FOLDER / self.folder.name
        try:
            remove_tree(place)
            place.parent.mkdir(exist_ok=True)
            ResultFolder(place).finish(journal.state(number))
        except OSError as error:
            raise RecordError(f"{place} cannot be written: {error.strerror}.") from error
        return place


def other_files(directory: Path, number: int) -> FileTree:
    """Return the smallest files that showed the other failure with that number, from 1.

    Raises RecordError if there is none, or if somebody removed it.
    """
    found = other_failures.load(directory)
    if not 0 < number <= len(found):
        raise no_other(directory.name, number, len(found))
    return tree_in(found[number - 1].text)


def record_oracle(directory: Path, name: str) -> None:
    """Write the name of the oracle beside the journal. Raises OSError."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / _ORACLE_FILE).write_bytes(os.fsencode(name))


def recorded_oracle(directory: Path) -> str | None:
    """Return the name of the oracle; None if the reduction was begun on the command line."""
    try:
        return os.fsdecode((directory / _ORACLE_FILE).read_bytes())
    except OSError:
        return None


def _journal(folder: Path, directory: Path) -> ProjectJournal:
    """Read the journal of a folder. Raises PollardError if the folder has changed since."""
    return ProjectJournal.read(directory, read_directory(folder, LeftOut.by()).tree)


def _accepted(folder: Path, directory: Path) -> tuple[RecordedStep, ...]:
    try:
        journal = _journal(folder, directory)
    except PollardError:
        return ()
    known = zip(journal.states(), journal.costs(), strict=True)
    return tuple(
        _step(number, weight(tree), cost or StepCost())
        for number, (tree, cost) in enumerate(known, 1)
    )


def _step(number: int, size: builtins.int, cost: StepCost) -> RecordedStep:
    return RecordedStep(number, size, cost.runs, round(cost.seconds, 3), cost.where, digest="")


def _cost(account: Account, accepted: tuple[RecordedStep, ...]) -> StepCost:
    """Return the cost of all sessions; until the end, that up to the last accepted files."""
    if account.counts is not None:
        return StepCost(account.counts.runs, account.counts.seconds).after(account.earlier)
    if accepted:
        return StepCost(accepted[-1].runs, accepted[-1].seconds)
    return account.earlier


def _status(account: Account, *, running: bool) -> Status:
    if running:
        return "running"
    if account.ending == "running":
        return "interrupted"
    return "stopped" if account.ending == "stopped" else "finished"
