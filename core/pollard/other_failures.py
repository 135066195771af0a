"""Other failures that a reduction saw, on disk beside its journal, so that they can be reduced next."""

from __future__ import annotations

import contextlib
import json
import shutil
from typing import TYPE_CHECKING

from pollard.oracle import OtherFailure, Signature
from pollard.system import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_DIRECTORY = "others"
_INDEX_FILE = "index.json"


def save(directory: Path, others: Iterable[OtherFailure]) -> None:
    """Replace the other failures beside the journal in `directory`. Raises OSError."""
    discard(directory)
    folder, index = directory / _DIRECTORY, []
    for number, other in enumerate(others, 1):
        folder.mkdir(exist_ok=True)
        write_atomically(folder / str(number), other.text)
        entry = {"failure": other.failure.encoded(), "runs": other.runs, "size": other.size}
        index.append(entry)
    if index:
        write_atomically(folder / _INDEX_FILE, json.dumps(index).encode())


def discard(directory: Path) -> None:
    """Remove the other failures beside the journal in `directory`, if there are any."""
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(directory / _DIRECTORY)


def load(directory: Path) -> list[OtherFailure]:
    """Return the other failures beside the journal in `directory`; none if they cannot be read."""
    folder = directory / _DIRECTORY
    try:
        index = json.loads((folder / _INDEX_FILE).read_bytes())
        return [
            OtherFailure(
                Signature.decoded(entry["failure"]),
                (folder / str(number)).read_bytes(),
                int(entry["runs"]),
                None if entry.get("size") is None else int(entry["size"]),
            )
            for number, entry in enumerate(index, 1)
        ]
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return []
