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
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.journal import state_directory
from pollard_server.records.errors import unwritable
from pollard_server.records.facts import ORIGINAL_FILE

if TYPE_CHECKING:
    from pollard_server.records.facts import Facts

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
