"""The states that a search accepted, line by line on disk, and the repetition of a recorded search.

A state is a text, or a tree of files. Each line has what changed, and what the search had cost by
then. A line that a crash cut off is ignored when the lines are read.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import shutil
import sys
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import platformdirs

from pollard.errors import PollardError
from pollard.system import append_synced, locked, make_directory, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

S = TypeVar("S")

_LINES_FILE, _LOCK_FILE = "reductions", "lock"
# After `kill -9` a process that Pollard was just starting may keep the lock for a moment.
_PATIENCE_SECONDS = 3.0
_LOCK_INTERVAL_SECONDS = 0.05

#: What reading a damaged line raises, when it is parsed and when its values are used.
DAMAGED = (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError)
# The key of the cost on a line; no path of a file in a tree begins like this.
_COST = "/cost"


class JournalError(PollardError):
    """The journal cannot be written, or there is none to resume from."""


@dataclass(frozen=True, slots=True)
class StepCost:
    """What a reduction had cost when it accepted a state, all its sessions added up.

    `runs` are runs of the oracle for candidates, `seconds` are wall time, and `where` is the pass with
    its level, as in `Progress`.
    """

    runs: int = 0
    seconds: float = 0.0
    where: str = ""

    def after(self, earlier: StepCost) -> StepCost:
        """Return this cost, of one session, with that of the earlier sessions."""
        seconds = round(earlier.seconds + self.seconds, 3)
        return replace(self, runs=earlier.runs + self.runs, seconds=seconds)


def state_directory() -> Path:
    """Return the directory of journals and consents; POLLARD_STATE_DIR overrides it."""
    configured = os.environ.get("POLLARD_STATE_DIR")
    return Path(configured) if configured else Path(platformdirs.user_state_dir("pollard", False))


def journal_directory(file: Path, *more: Path) -> Path:
    """Return the directory of the journal of the latest reduction of a file, or of several files."""
    digest = hashlib.blake2b(digest_size=12)
    digest.update(b"\0".join(os.fsencode(path.resolve()) for path in (file, *more)))
    return state_directory() / "reductions" / f"{file.resolve().stem[:40]}-{digest.hexdigest()}"


@contextlib.contextmanager
def claimed(directory: Path, *, resume: bool) -> Iterator[Path]:
    """Hold the directory of a journal, so that no other reduction of the same file writes there.

    While another one does, this is a directory beside it: there is nothing to resume later. Raises
    JournalError if this one shall resume what still runs, or if the directory cannot be written.
    """
    with contextlib.ExitStack() as stack:
        for number in itertools.count(1):
            place = directory if number == 1 else directory.with_name(f"{directory.name}-{number}")
            try:
                make_directory(place)
                lock = stack.enter_context((place / _LOCK_FILE).open("ab"))
            except OSError as error:
                raise unwritable(place, error) from error
            if _locked_soon(lock, patience=_PATIENCE_SECONDS * resume) or sys.platform == "win32":
                if place != directory:
                    stack.callback(shutil.rmtree, place, ignore_errors=True)
                yield place
                return
            if resume:
                raise JournalError(
                    "The reduction that this would go on with still runs; wait for its end."
                )


def _locked_soon(lock: BinaryIO, patience: float) -> bool:
    """Lock an open file within some seconds; return whether that succeeded."""
    end = time.monotonic() + patience
    while not (is_locked := locked(lock)) and time.monotonic() < end:
        time.sleep(_LOCK_INTERVAL_SECONDS)
    return is_locked


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
    def difference(self, before: S, after: S) -> dict[str, object]:
        """Return what changed, for a line of JSON."""

    @abstractmethod
    def changed(self, before: S, difference: Any) -> S:
        """Return the state after a change.

        Raises one of `DAMAGED` if the line is damaged.
        """

    def states(self) -> Iterator[S]:
        """Yield the accepted states in order, without the original."""
        return (state for _, state in self._valid_lines())

    def state(self, number: int) -> S:
        """Return an accepted state by its number, from 1; 0 is the original."""
        return next(itertools.islice(self.states(), number - 1, None)) if number else self.original

    def costs(self) -> list[StepCost | None]:
        """Return the cost of each accepted state in order; None where an older version kept none."""
        return [_cost(json.loads(line).get(_COST)) for line, _ in self._valid_lines()]

    def _valid_lines(self) -> Iterator[tuple[bytes, S]]:
        """Yield lines and states up to the first invalid line, which a crash may have cut off."""
        state = self.original
        with contextlib.suppress(FileNotFoundError):
            for line in (self.directory / _LINES_FILE).read_bytes().splitlines():
                try:
                    difference = json.loads(line)
                    difference.pop(_COST, None)
                    state = self.changed(state, difference)
                except DAMAGED:
                    return
                yield line + b"\n", state

    def clear(self) -> None:
        """Begin with no accepted state. Raises OSError."""
        write_atomically(self.directory / _LINES_FILE, b"")

    def append(self, state: S, cost: StepCost | None = None) -> None:
        """Write an accepted state; it survives a power cut when this returns.

        Raises JournalError if it cannot be written (the disk is full, for example).
        """
        fields = self.difference(self.best, state)
        if cost is not None:
            fields[_COST] = [cost.runs, cost.seconds, cost.where]
        line = json.dumps(fields).encode() + b"\n"
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


def _cost(value: Any) -> StepCost | None:
    """Return the cost on a line; None if it has none, or a damaged one."""
    try:
        runs, seconds, where = value
        return StepCost(int(runs), float(seconds), str(where))
    except DAMAGED:
        return None


class Repetition(Generic[S]):
    """A search that starts anew and repeats what is recorded, as far as that went.

    The search is deterministic and its verdicts are cached, so it accepts the recorded states one by
    one without running the oracle. `count` is how many were accepted; `diverged` tells whether one of
    them was another than the recorded one. `earlier` is what the sessions before this one cost.
    """

    def __init__(self, recording: Recording[S]) -> None:
        self.count = 0
        self.diverged = False
        known = [cost for cost in recording.costs() if cost is not None]
        self.earlier = known[-1] if known else StepCost()
        self._recording = recording
        self._recorded = recording.states()

    def accept(self, state: S, cost: StepCost | None = None) -> bool:
        """Record an accepted state; return False if it only repeats the recorded one.

        `cost` is that of this session up to now.
        """
        self.count += 1
        recorded = next(self._recorded, None)
        if recorded == state:
            return False
        if recorded is not None:
            self._diverge()
        self._recording.append(state, cost.after(self.earlier) if cost else None)
        return True

    def _diverge(self) -> None:
        """Drop the recorded states that were not accepted again; the oracle may be flaky."""
        self.diverged = True
        self._recorded = iter(())
        self._recording.cut(self.count - 1)
