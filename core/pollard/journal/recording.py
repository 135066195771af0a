"""The states that a search accepted, line by line on disk, and the repetition of a recorded search.

A state is a text, or a tree of files. A line that a crash cut off is ignored when the lines are read.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import platformdirs

from pollard.errors import PollardError
from pollard.system import append_synced, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

S = TypeVar("S")

_LINES_FILE = "reductions"


class JournalError(PollardError):
    """The journal cannot be written, or there is none to resume from."""


def state_directory() -> Path:
    """Return the directory of journals and consents; POLLARD_STATE_DIR overrides it."""
    configured = os.environ.get("POLLARD_STATE_DIR")
    return Path(configured) if configured else Path(platformdirs.user_state_dir("pollard", False))


def journal_directory(file: Path, *more: Path) -> Path:
    """Return the directory of the journal of the latest reduction of a file, or of several files."""
    digest = hashlib.blake2b(digest_size=12)
    digest.update(b"\0".join(os.fsencode(path.resolve()) for path in (file, *more)))
    return state_directory() / "reductions" / f"{file.resolve().stem[:40]}-{digest.hexdigest()}"


def unwritable(directory: Path, error: OSError) -> JournalError:
    """Return the error to raise when a journal cannot be written."""
    return JournalError(
        f"The journal in {directory} cannot be written: {error.strerror}. Make room there, or name "
        "another place for journals in the environment variable POLLARD_STATE_DIR."
    )


class Recording(ABC, Generic[S]):
    """Accepted states in the file `reductions` of a directory, from the original to the best.

    `best` is the last one, and `count` how many there are without the original.
    """

    def __init__(self, directory: Path, original: S) -> None:
        self.directory = directory
        self.original = original
        self.best = original
        self.count = 0
        self._file: BinaryIO | None = None

    @abstractmethod
    def difference(self, before: S, after: S) -> object:
        """Return what changed, for a line of JSON."""

    @abstractmethod
    def changed(self, before: S, difference: Any) -> S:
        """Return the state after a change.

        Raises ValueError, TypeError, KeyError or AttributeError if the line is damaged.
        """

    def states(self) -> Iterator[S]:
        """Yield the accepted states in order, without the original."""
        return (state for _, state in self._valid_lines())

    def state(self, number: int) -> S:
        """Return an accepted state by its number, from 1; 0 is the original."""
        return next(itertools.islice(self.states(), number - 1, None)) if number else self.original

    def _valid_lines(self) -> Iterator[tuple[bytes, S]]:
        """Yield lines and states up to the first invalid line, which a crash may have cut off."""
        state = self.original
        with contextlib.suppress(FileNotFoundError):
            for line in (self.directory / _LINES_FILE).read_bytes().splitlines():
                try:
                    state = self.changed(state, json.loads(line))
                except (ValueError, TypeError, KeyError, AttributeError):
                    return
                yield line + b"\n", state

    def clear(self) -> None:
        """Begin with no accepted state. Raises OSError."""
        write_atomically(self.directory / _LINES_FILE, b"")

    def append(self, state: S) -> None:
        """Write an accepted state; it survives a power cut when this returns.

        Raises JournalError if it cannot be written (the disk is full, for example).
        """
        line = json.dumps(self.difference(self.best, state)).encode() + b"\n"
        try:
            if self._file is None:
                self._file = (self.directory / _LINES_FILE).open("ab", buffering=0)
            append_synced(self._file, line)
        except OSError as error:
            raise unwritable(self.directory, error) from error
        self.best = state
        self.count += 1

    def cut(self, count: int) -> None:
        """Drop all but the first `count` accepted states, and a torn line after them."""
        kept = b"".join(line for line, _ in itertools.islice(self._valid_lines(), count))
        self.close()
        try:
            write_atomically(self.directory / _LINES_FILE, kept)
        except OSError as error:
            raise unwritable(self.directory, error) from error
        self.reread()

    def reread(self) -> None:
        """Read from disk how many states there are, and the last one."""
        self.best, self.count = self.original, 0
        for state in self.states():
            self.best, self.count = state, self.count + 1

    def close(self) -> None:
        """Close the file; the lines stay on disk."""
        if self._file is not None:
            self._file.close()
            self._file = None


class Repetition(Generic[S]):
    """A search that starts anew and repeats what is recorded, as far as that went.

    The search is deterministic and its verdicts are cached, so it accepts the recorded states one by
    one without running the oracle. `count` is how many were accepted; `diverged` tells whether one of
    them was another than the recorded one.
    """

    def __init__(self, recording: Recording[S]) -> None:
        self.count = 0
        self.diverged = False
        self._recording = recording
        self._recorded = recording.states()

    def accept(self, state: S) -> bool:
        """Record an accepted state; return False if it only repeats the recorded one."""
        self.count += 1
        recorded = next(self._recorded, None)
        if recorded == state:
            return False
        if recorded is not None:
            self._diverge()
        self._recording.append(state)
        return True

    def _diverge(self) -> None:
        """Drop the recorded states that were not accepted again; the oracle may be flaky."""
        self.diverged = True
        self._recorded = iter(())
        self._recording.cut(self.count - 1)
