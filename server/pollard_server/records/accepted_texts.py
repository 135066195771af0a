"""The accepted texts of a record: a list of them (`steps`), and the texts in the engine's journal.

`steps` has one line of JSON for each accepted text, appended as they come.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from cattrs import BaseValidationError, Converter

from pollard.journal import Journal, JournalHeader
from pollard.system import append_synced, write_atomically
from pollard_server.records.directories import RecordError
from pollard_server.records.facts import ORIGINAL_FILE, text_digest

if TYPE_CHECKING:
    import builtins
    from collections.abc import Iterator, Sequence
    from pathlib import Path

STEPS_FILE = "steps"
_CONVERTER = Converter()


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """One accepted text: its number from 1, its size in bytes, its cost so far, and its pass.

    `runs` and `seconds` (wall time) count from the beginning of the reduction, over all its
    sessions. `where` is the pass and its level; `digest` is the hash of the text.
    """

    number: int
    bytes: int
    runs: int
    seconds: float
    where: str
    digest: str

    def is_of(self, text: builtins.bytes) -> bool:
        """Return whether `text` is this step's text."""
        return text_digest(text) == self.digest


def read_steps(directory: Path) -> list[RecordedStep]:
    """Return the steps in order; damaged lines are skipped, and a missing file has none."""
    steps: list[RecordedStep] = []
    for step in map(_decoded, _lines(directory)):
        if step is not None:
            steps = followed_by(steps, step)
    return steps


def followed_by(steps: list[RecordedStep], step: RecordedStep) -> list[RecordedStep]:
    """Return the steps with one more, which replaces all that do not come before it.

    That happens when a continued reduction takes another course than before. The list is only
    changed by appending, so that other threads may read it.
    """
    if steps and steps[-1].number >= step.number:
        steps = [earlier for earlier in steps if earlier.number < step.number]
    steps.append(step)
    return steps


def _lines(directory: Path) -> list[bytes]:
    try:
        return (directory / STEPS_FILE).read_bytes().split(b"\n")
    except OSError:
        return []


def _decoded(line: bytes) -> RecordedStep | None:
    """Return the step on a line; None if the line is incomplete or damaged."""
    try:
        return _CONVERTER.structure(json.loads(line), RecordedStep)
    except (ValueError, TypeError, RecursionError, BaseValidationError):
        return None


def _encoded(step: RecordedStep) -> bytes:
    return json.dumps(asdict(step)).encode() + b"\n"


class StepsFile:
    """Writes the steps of one session; `append` returns when the step is on disk."""

    def __init__(self, directory: Path, known: Sequence[RecordedStep] = ()) -> None:
        """Begin with the known steps, dropping an incomplete line after them. Raises OSError."""
        write_atomically(directory / STEPS_FILE, b"".join(map(_encoded, known)))
        self._file: BinaryIO = (directory / STEPS_FILE).open("ab", buffering=0)

    def append(self, step: RecordedStep) -> None:
        """Write one step. Raises OSError."""
        append_synced(self._file, _encoded(step))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


# Reading texts does not need the header, which a killed process may not have written.
_NO_HEADER = JournalHeader(file="", oracle="", strategy="", region=(0, 0), guard=True)


def original(directory: Path) -> bytes:
    """Return the original text. Raises RecordError if somebody removed it."""
    try:
        return (directory / ORIGINAL_FILE).read_bytes()
    except OSError as error:
        message = (
            f"The original text in {directory} cannot be read: {error.strerror}; undo in the editor, "
            "or choose another reduction of the history."
        )
        raise RecordError(message) from error


def texts(directory: Path) -> Iterator[bytes]:
    """Yield the original and all accepted texts in order. Raises RecordError."""
    first = original(directory)
    yield first
    try:
        yield from Journal(directory, _NO_HEADER, first).texts()
    except OSError as error:
        message = (
            f"The texts in {directory} cannot be read: {error.strerror}; only the original can be "
            "restored."
        )
        raise RecordError(message) from error


def text(directory: Path, number: int) -> bytes:
    """Return the accepted text with that number, from 1, or the original for 0.

    Raises RecordError if there is none.
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
