"""`files.json`: the files of a directory before and after, beside its journal.

The journal of several files has differences alone, since the original stays where it is. A report must
not depend on that. So the original of each file that is needed is here, and of the others the size.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from pollard.file_tree import shown
from pollard.journal import JournalError
from pollard.system import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.file_tree import Entry, FileTree

_FILE = "files.json"
# Larger files are data, which nobody reads in a report.
_MAX_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file of the original: its path, its size in bytes, and if it is needed both contents.

    The contents are bytes as characters of Latin-1, as they are in the file. Those of large files are
    left out: `original` is None, and `result` is empty.
    """

    path: str
    size: int
    original: str | None = None
    result: str | None = None


def write_files(directory: Path, original: FileTree, result: FileTree) -> None:
    """Write the files before and after. Raises JournalError if that is impossible."""
    files = [_kept(path, original, result) for path in sorted(original) if original[path].is_file]
    text = json.dumps([asdict(file) for file in files])
    try:
        write_atomically(directory / _FILE, text.encode())
    except OSError as error:
        message = f"{directory / _FILE} cannot be written: {error.strerror}; make room there."
        raise JournalError(message) from error


def _kept(path: bytes, original: FileTree, result: FileTree) -> KeptFile:
    old, new = original[path], result.get(path)
    if new is None:
        return KeptFile(shown(path), old.weight)
    original_text = _text(old) if old.weight <= _MAX_BYTES else None
    return KeptFile(
        shown(path), old.weight, original_text, _text(new) if new.weight <= _MAX_BYTES else ""
    )


def _text(entry: Entry) -> str:
    return entry.content.decode("latin-1")


def read_files(directory: Path) -> list[KeptFile] | None:
    """Return the files; None if there are none, or they are damaged."""
    try:
        return [KeptFile(**fields) for fields in json.loads((directory / _FILE).read_bytes())]
    except (OSError, ValueError, TypeError):
        return None


def has_files(directory: Path) -> bool:
    """Return whether a journal is that of several files, and its reduction has ended."""
    return (directory / _FILE).is_file()
