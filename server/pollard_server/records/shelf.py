"""The directory of one document's records: a numbered directory for each, the newest kept.

Several servers may use it at once. A record appears whole, by the renaming of a directory that was
filled beforehand, and goes away the same way; so what is listed is never half there.
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
from pollard_server.records.facts import ORIGINAL_FILE, Facts


class RecordError(PollardError):
    """A record is not there, or cannot be read or written."""


def unwritable(directory: Path, error: OSError) -> RecordError:
    """Return what to say when the disk is full or refuses."""
    return RecordError(
        f"The record of the reduction in {directory} cannot be written: {error.strerror}. Make room "
        "there, or set the environment variable POLLARD_STATE_DIR to another place."
    )


_ASIDE = "aside-"
_ASIDE_SECONDS = 3600.0


def shelf_of(uri: str, name: str) -> Path:
    """Return the directory of the records of the document `uri`, whose base name is `name`."""
    safe = "".join(char if char.isalnum() or char in "._-" else "_" for char in name[:40])
    key = hashlib.blake2b(uri.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
    return state_directory() / "editor" / f"{safe}-{key}"


def listed(shelf: Path) -> list[Path]:
    """Return the directories of the records, oldest first."""
    try:
        found = [path for path in shelf.iterdir() if path.name.isdecimal()]
    except OSError:
        return []
    return sorted(found, key=lambda path: int(path.name))


def place(shelf: Path, facts: Facts, original: bytes) -> Path:
    """Put a new record on the shelf and return its directory; raise RecordError if it cannot be.

    It and the directories above it can be entered by their owner only.
    """
    try:
        shelf.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        shelf.mkdir(mode=0o700, exist_ok=True)
        filled = _aside(shelf)
        try:
            (filled / ORIGINAL_FILE).write_bytes(original)
            facts.write(filled)
            return _numbered(shelf, filled)
        except OSError:
            shutil.rmtree(filled, ignore_errors=True)
            raise
    except OSError as error:
        raise unwritable(shelf, error) from error


def discard(directory: Path) -> None:
    """Take a record off the shelf; what cannot be removed now is left for `tidy`."""
    with contextlib.suppress(OSError):
        aside = _aside(directory.parent)
        directory.rename(aside / directory.name)
        shutil.rmtree(aside, ignore_errors=True)


def tidy(shelf: Path) -> None:
    """Remove what a crash left of records that were being placed or discarded."""
    with contextlib.suppress(OSError):
        for path in shelf.glob(f"{_ASIDE}*"):
            if path.stat().st_mtime < time.time() - _ASIDE_SECONDS:
                shutil.rmtree(path, ignore_errors=True)


def _aside(shelf: Path) -> Path:
    return Path(tempfile.mkdtemp(prefix=_ASIDE, dir=shelf))


def _numbered(shelf: Path, filled: Path) -> Path:
    """Rename to the next free number: a directory that is not empty is never renamed over."""
    newest = int(listed(shelf)[-1].name) if listed(shelf) else 0
    for number in itertools.count(newest + 1):
        target = shelf / f"{number:06}"
        try:
            return filled.rename(target)
        except OSError:
            if not target.exists():
                raise
    raise AssertionError


MOST_REDUCTIONS = 20
MOST_KEPT_TEXTS = 10


def prune(shelf: Path, uri: str) -> None:
    """Discard all but the newest reductions and kept texts of a document, never one that runs.

    Nor do those go that the newest one, or one that runs, went on from: with them the first original
    would go.
    """
    numbers: Counter[bool] = Counter()
    needed: set[str | None] = set()
    for directory in reversed(listed(shelf)):
        # A record that cannot be read now may be readable later, so it is left alone.
        with contextlib.suppress(OSError):
            facts = Facts.read(directory, uri)
            is_kept = facts.status == "kept"
            numbers[is_kept] += 1
            if numbers[False] == 1 or facts.current_status() == "running":
                needed.add(directory.name)
            if directory.name in needed:
                needed.add(facts.continues)
            elif numbers[is_kept] > (MOST_KEPT_TEXTS if is_kept else MOST_REDUCTIONS):
                discard(directory)
    tidy(shelf)
