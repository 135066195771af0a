"""From the journal of a reduction of several files to the report's model."""

from __future__ import annotations

import itertools
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.file_tree import Entry, shown, weight
from pollard.project.project_journal import ProjectJournal
from pollard.report.account import Account
from pollard.report.journal_report import (
    described,
    others_beside,
    report_of_journal,
    steps_of,
)
from pollard.report.kept_files import has_files, read_files
from pollard.report.printable import readable
from pollard.report.report_model import FileInReport, NoReportError, Report
from pollard.report.text_changes import change_text, clipped
from pollard.syntax.encodings.encoding import encoding_of
from pollard.syntax.grammars.languages import detect

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pollard.file_tree import FileTree
    from pollard.report.kept_files import KeptFile


def report_of(directory: Path) -> Report:
    """Return the report of the reduction whose journal is in `directory`. Raises NoReportError."""
    return _of_project(directory) if has_files(directory) else report_of_journal(directory)


def _of_project(directory: Path) -> Report:
    files, account = read_files(directory), Account.read(directory)
    if files is None or account is None:
        message = f"The journal in {directory} cannot be read, so there is no report on it."
        raise NoReportError(message)
    journal = ProjectJournal(directory, {os.fsencode(file.path): _entry(file) for file in files})
    known = {os.fsencode(file.path) for file in files if file.original is not None}
    report = described(
        account,
        files=tuple(map(_shown_file, files)),
        steps=tuple(steps_of(map(weight, journal.states()), journal.costs())),
        changes=lambda limit: _changes(journal, known, limit),
    )
    return replace(report, others=others_beside(directory))


def _entry(file: KeptFile) -> Entry:
    """Return a file of the original; of one that is not needed only the size is known."""
    return Entry(bytes(file.size) if file.original is None else file.original.encode("latin-1"))


def _shown_file(file: KeptFile) -> FileInReport:
    if file.result is None:
        return FileInReport(name=file.path, original=b"", result=None, size=file.size)
    original, result = (file.original or "").encode("latin-1"), file.result.encode("latin-1")
    return FileInReport(
        name=file.path,
        original=original,
        result=result,
        size=file.size,
        language=detect(file.path, original),
        encoding=encoding_of(original),
    )


def _changes(journal: ProjectJournal, known: set[bytes], limit: int) -> Iterator[str]:
    for old, new in itertools.pairwise(itertools.chain([journal.original], journal.states())):
        changed = [path for path in sorted(old) if old[path] is not new.get(path)]
        parts = [_change(path, old, new, path in known, limit) for path in changed]
        yield clipped([line for part in parts for line in part.splitlines()], limit)


def _change(path: bytes, old: FileTree, new: FileTree, known: bool, limit: int) -> str:
    name, before, after = shown(path), old[path], new.get(path)
    if after is None:
        return f"- {name} ({before.weight:,} bytes)"
    if not known:
        return f"  {name}: {before.weight:,} bytes become {after.weight:,}"
    old_text, new_text = (
        readable(each.content, encoding_of(each.content)) for each in (before, after)
    )
    return f"  {name}:\n{change_text(old_text, new_text, limit)}"
