"""The texts of a record, read from the engine's journal whatever a crash has left of it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from pollard.journal import Journal, Terms
from pollard_server.records.errors import RecordError
from pollard_server.records.facts import ORIGINAL_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Texts can be read without the terms, which a killed process may not have written.
_NO_TERMS = Terms(file="", oracle="", strategy="", region=(0, 0), guard=True)


def original(directory: Path) -> bytes:
    """Return the text the reduction began with; raise RecordError if somebody removed it."""
    try:
        return (directory / ORIGINAL_FILE).read_bytes()
    except OSError as error:
        message = (
            f"The original text in {directory} cannot be read: {error.strerror}; undo in the editor, "
            "or choose another reduction of the history."
        )
        raise RecordError(message) from error


def texts(directory: Path) -> Iterator[bytes]:
    """Yield the original and all accepted texts in order; raise RecordError without an original."""
    first = original(directory)
    yield first
    try:
        yield from Journal(directory, _NO_TERMS, first).texts()
    except OSError as error:
        message = (
            f"The texts in {directory} cannot be read: {error.strerror}; only the original can be "
            "restored."
        )
        raise RecordError(message) from error


def text(directory: Path, number: int) -> bytes:
    """Return the accepted text with that number, from 1, or the original for 0.

    Raises RecordError if there is none with that number.
    """
    if number >= 0:
        for found in itertools.islice(texts(directory), number, None):
            return found
    count = sum(1 for _ in texts(directory)) - 1
    message = (
        f"There is no text {number} in this reduction; choose a number from 0 (the original) "
        f"to {count}."
    )
    raise RecordError(message)
