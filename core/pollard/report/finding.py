"""The reductions whose journals are on this machine, of the command line and of editors."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.journal import HEADER_FILE, Journal, journal_directory, state_directory
from pollard.report.account import Account
from pollard.report.kept_files import has_files
from pollard.report.report_model import NoReportError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# The command line's, those of other failures among them, and the editors' records.
_PLACES = ("reductions/*", "reductions/*/other-*", "editor/*/*")


@dataclass(frozen=True, slots=True)
class PastReduction:
    """A reduction on disk: the `directory` of its journal, and when it was last written.

    `account` is None for a reduction of an older version. `written` is in seconds since the epoch.
    """

    directory: Path
    written: float
    account: Account | None

    @property
    def place(self) -> str:
        """Where its file is, or the file's name if that is all that is known."""
        if self.account is not None:
            return self.account.place or self.account.name
        return Journal.load(self.directory).header.file

    @property
    def sizes(self) -> tuple[int, int]:
        """The bytes of the original and of the best text."""
        account = self.account
        if account and account.original_bytes is not None and account.reduced_bytes is not None:
            return account.original_bytes, account.reduced_bytes
        journal = Journal.load(self.directory)
        return len(journal.original), len(journal.best)


def past_reductions() -> list[PastReduction]:
    """Return all reductions that can have a report, the newest first."""
    found = (directory for place in _PLACES for directory in state_directory().glob(place))
    known = [_reduction(directory) for directory in found if _has_journal(directory)]
    return sorted(known, key=lambda one: one.written, reverse=True)


def _has_journal(directory: Path) -> bool:
    is_complete = (directory / "original").is_file() or has_files(directory)
    return (directory / HEADER_FILE).is_file() and is_complete


def _reduction(directory: Path) -> PastReduction:
    written = max(_times(directory), default=0.0)
    return PastReduction(directory, written, Account.read(directory))


def _times(directory: Path) -> Iterator[float]:
    for name in (HEADER_FILE, "reductions", "report.json"):
        path = directory / name
        if path.is_file():
            yield path.stat().st_mtime


def reduction_named(where: str, path: Path) -> PastReduction:
    """Return the reduction that a user means.

    `where` is a number in the list of `past_reductions`, from 1, or "" for the newest. Otherwise `path`
    is a file that was reduced, or a directory with a journal. Raises NoReportError.
    """
    if path.is_dir() and _has_journal(path):
        return _reduction(path)
    known = past_reductions()
    if not where or (where.isdecimal() and not path.exists()):
        number = int(where or 1)
        if not 0 < number <= len(known):
            raise NoReportError(_no_number(where, len(known)))
        return known[number - 1]
    return _of_file(path, known)


def _no_number(where: str, count: int) -> str:
    if not count:
        return "There is no reduction on this machine yet to report on."
    return f"There is no reduction {where}; the list of `pollard report --list` ends at {count}."


def _of_file(path: Path, known: list[PastReduction]) -> PastReduction:
    place, own = os.fspath(path.resolve()), journal_directory(path)
    for one in known:
        if one.directory == own or (one.account is not None and one.account.place == place):
            return one
    message = f"There is no reduction of {path}; `pollard report --list` lists those there are."
    raise NoReportError(message)
