"""The directory of one document's records, with a numbered directory for each.

Several servers may share it. A record appears as a whole, because a prepared directory is
renamed into place, and it disappears the same way. So no listed record is ever incomplete.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path

from pollard.errors import PollardError
from pollard.journal import state_directory
from pollard.system import make_directory, sync_directory, write_synced
from pollard_server.records.facts import ORIGINAL_FILE, Facts


class RecordError(PollardError):
    """A record does not exist, or cannot be read or written."""


def unwritable(directory: Path, error: OSError) -> RecordError:
    """Return the RecordError for a failure to write, such as a full disk."""
    return RecordError(
        f"The record of the reduction in {directory} cannot be written: {error.strerror}. Make room "
        "there, or set the environment variable POLLARD_STATE_DIR to another place."
    )


def no_other(record: str, number: int, seen: int) -> RecordError:
    """Return the RecordError for an other failure that a reduction, which saw `seen`, does not have."""
    has = f"it has {seen}" if seen else "it has none"
    return RecordError(f"The reduction {record!r} has no other failure {number}; {has}.")


MAX_REDUCTIONS = 20
MAX_KEPT_TEXTS = 10
_TEMPORARY_PREFIX = "aside-"
_TEMPORARY_SECONDS = 3600.0


def records_directory(uri: str, name: str) -> Path:
    """Return the directory for the records of the document `uri`, whose base name is `name`."""
    safe = "".join(char if char.isalnum() or char in "._-" else "_" for char in name[:40])
    key = hashlib.blake2b(uri.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
    return state_directory() / "editor" / f"{safe}-{key}"


def record_directories(folder: Path) -> list[Path]:
    """Return the directories of the records, oldest first."""
    try:
        found = [path for path in folder.iterdir() if path.name.isdecimal()]
    except OSError:
        return []
    return sorted(found, key=lambda path: int(path.name))


def add_record(folder: Path, facts: Facts, original: bytes) -> Path:
    """Add a new record and return its directory. Raises RecordError.

    Only the user can enter it and the directories above it.
    """
    try:
        make_directory(folder, mode=0o700)
        prepared = _temporary_directory(folder)
        try:
            write_synced(prepared / ORIGINAL_FILE, original)
            facts.write(prepared)
            record = _numbered(folder, prepared)
            sync_directory(folder)
            return record
        except OSError:
            shutil.rmtree(prepared, ignore_errors=True)
            raise
    except OSError as error:
        raise unwritable(folder, error) from error


def remove_record(directory: Path) -> None:
    """Remove a record; what cannot be removed now is left for `remove_leftovers`."""
    with contextlib.suppress(OSError):
        aside = _temporary_directory(directory.parent)
        directory.rename(aside / directory.name)
        shutil.rmtree(aside, ignore_errors=True)


def remove_leftovers(folder: Path) -> None:
    """Remove what a crash has left of records that were being added or removed."""
    with contextlib.suppress(OSError):
        for path in folder.glob(f"{_TEMPORARY_PREFIX}*"):
            if path.stat().st_mtime < time.time() - _TEMPORARY_SECONDS:
                shutil.rmtree(path, ignore_errors=True)


def _temporary_directory(folder: Path) -> Path:
    return Path(tempfile.mkdtemp(prefix=_TEMPORARY_PREFIX, dir=folder))


def _numbered(folder: Path, prepared: Path) -> Path:
    """Rename to the next free number; the system never renames over a directory with files."""
    newest = int(record_directories(folder)[-1].name) if record_directories(folder) else 0
    for number in itertools.count(newest + 1):
        target = folder / f"{number:06}"
        try:
            return prepared.rename(target)
        except OSError:
            if not target.exists():
                raise
    raise AssertionError


def prune_records(folder: Path, uri: str) -> None:
    """Remove all but the newest reductions and kept texts of a document.

    Running ones stay, and so do those that the newest one or a running one continues: the oldest of
    them has the very first original.
    """
    numbers: Counter[bool] = Counter()
    needed: set[str | None] = set()
    for directory in reversed(record_directories(folder)):
        # A record that cannot be read now may be readable later, so it stays.
        with contextlib.suppress(OSError):
            facts = Facts.read(directory, uri)
            is_kept = facts.status == "kept"
            numbers[is_kept] += 1
            if numbers[False] == 1 or facts.current_status() == "running":
                needed.add(directory.name)
            if directory.name in needed:
                needed.add(facts.continues)
            elif numbers[is_kept] > (MAX_KEPT_TEXTS if is_kept else MAX_REDUCTIONS):
                remove_record(directory)
    remove_leftovers(folder)
