"""The accepted texts of a reduction, from the original to the best, and their journal on disk.

The journal lets a reduction survive a killed process, and keeps every earlier text available. Each
accepted text is one line, its difference from the text before. A line that a crash cut off is
ignored when the journal is read.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from pollard import other_failures
from pollard.errors import PollardError
from pollard.syntax.tree.sizes import size
from pollard.system import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

    from pollard.oracle import OtherFailure


Change = tuple[int, int, bytes]
"""One replacement: `start` and `end` (exclusive) in the previous text, and the new bytes."""

#: The file with the journal's header; it exists once the journal has begun.
HEADER_FILE = "terms"


class JournalError(PollardError):
    """The journal cannot be written, or there is none to resume from."""


def state_directory() -> Path:
    """Return the directory of journals and consents; POLLARD_STATE_DIR overrides it."""
    configured = os.environ.get("POLLARD_STATE_DIR")
    return Path(configured) if configured else Path(platformdirs.user_state_dir("pollard", False))


def journal_directory(file: Path) -> Path:
    """Return the directory of the journal of a file's latest reduction."""
    name = hashlib.blake2b(os.fsencode(file.resolve()), digest_size=12).hexdigest()
    return state_directory() / "reductions" / f"{file.stem[:40]}-{name}"


@dataclass(frozen=True, slots=True)
class JournalHeader:
    """The conditions of a reduction, which must be equal for a resumed one to repeat the search.

    `preprocessing` names the steps that are switched off. `renaming` matters for the default
    strategy only; for others it is always true. `formatter` is the command that formats the result.
    `same_failure` is the value of `SameFailure`.
    """

    file: str
    oracle: str
    strategy: str
    region: tuple[int, int]
    guard: bool
    preprocessing: tuple[str, ...] = ()
    learn_invalid: bool = False
    renaming: bool = True
    formatter: tuple[str, ...] | str | None = None
    same_failure: str = "kind"

    def differences(self, other: JournalHeader) -> list[str]:
        """Return the names of the fields that differ in *other*."""
        own_fields, other_fields = asdict(self), asdict(other)
        return [name for name in own_fields if own_fields[name] != other_fields[name]]


class Journal:
    """The accepted texts of one reduction: the files `original`, `terms` (header) and `reductions`."""

    def __init__(self, directory: Path, header: JournalHeader, original: bytes) -> None:
        self.directory = directory
        self.header = header
        self.original = original
        self.best = original
        self.count = 0
        self._file: BinaryIO | None = None

    @classmethod
    def begin(cls, directory: Path, header: JournalHeader, original: bytes) -> Journal:
        """Start a journal and discard an older one. Raises JournalError if it cannot be written."""
        try:
            directory.mkdir(parents=True, exist_ok=True)
            other_failures.discard(directory)
            write_atomically(directory / "reductions", b"")
            write_atomically(directory / "original", original)
            write_atomically(directory / HEADER_FILE, json.dumps(asdict(header)).encode())
        except OSError as error:
            raise _unwritable(directory, error) from error
        return cls(directory, header, original)

    @classmethod
    def load(cls, directory: Path) -> Journal:
        """Read the journal in `directory`. Raises JournalError if there is none."""
        try:
            fields = json.loads((directory / HEADER_FILE).read_bytes())
            original = (directory / "original").read_bytes()
            fields = {
                name: tuple(value) if isinstance(value, list) else value
                for name, value in fields.items()
            }
            journal = cls(directory, JournalHeader(**fields), original)
        except (OSError, ValueError, TypeError, AttributeError) as error:
            message = "There is no interrupted reduction of this file to resume."
            raise JournalError(message) from error
        journal._reread()
        return journal

    def texts(self) -> Iterator[bytes]:
        """Yield the accepted texts in order, without the original."""
        text = self.original
        for start, end, new in self._changes():
            text = text[:start] + new + text[end:]
            yield text

    def text(self, number: int) -> bytes:
        """Return an accepted text by its number, from 1; 0 is the original."""
        return next(itertools.islice(self.texts(), number - 1, None)) if number else self.original

    def _changes(self) -> Iterator[Change]:
        """Yield the changes up to the first invalid line, which a crash may have cut off."""
        with contextlib.suppress(FileNotFoundError):
            for line in (self.directory / "reductions").read_bytes().splitlines():
                change = _decoded(line)
                if change is None:
                    return
                yield change

    def append(self, text: bytes) -> None:
        """Write an accepted text; other processes can read it when this returns.

        Raises JournalError if it cannot be written (the disk is full, for example).
        """
        line = _encoded(splice(self.best, text))
        try:
            if self._file is None:
                self._file = (self.directory / "reductions").open("ab", buffering=0)
            _write_all(self._file, line)
        except OSError as error:
            raise _unwritable(self.directory, error) from error
        self.best = text
        self.count += 1

    def cut(self, count: int) -> None:
        """Drop all but the first `count` accepted texts, and a torn line after them."""
        kept = b"".join(map(_encoded, itertools.islice(self._changes(), count)))
        self.close()
        try:
            write_atomically(self.directory / "reductions", kept)
        except OSError as error:
            raise _unwritable(self.directory, error) from error
        self._reread()

    def _reread(self) -> None:
        self.best, self.count = self.original, 0
        for text in self.texts():
            self.best, self.count = text, self.count + 1

    def close(self) -> None:
        """Close the file; the journal stays on disk."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _unwritable(directory: Path, error: OSError) -> JournalError:
    return JournalError(
        f"The journal in {directory} cannot be written: {error.strerror}. Make room there, or name "
        "another place for journals in the environment variable POLLARD_STATE_DIR."
    )


def _write_all(file: BinaryIO, content: bytes) -> None:
    """Write all of *content* to an unbuffered file, which may accept only a part of it at a time."""
    while content:
        content = content[file.write(content) :]


def splice(old: bytes, new: bytes) -> Change:
    """Return the one replacement (start, end, bytes) that turns `old` into `new`."""
    start = _common_prefix(old, new, min(len(old), len(new)))
    tail = _common_prefix(old[::-1], new[::-1], min(len(old), len(new)) - start)
    return start, len(old) - tail, new[start : len(new) - tail]


def _common_prefix(left: bytes, right: bytes, limit: int) -> int:
    """Return the length of the common prefix, at most *limit*, by binary search."""
    low = 0
    while low < limit:
        middle = (low + limit + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            limit = middle - 1
    return low


def _encoded(change: Change) -> bytes:
    start, end, new = change
    line = json.dumps({"start": start, "end": end, "new": new.decode("latin-1")})
    return line.encode() + b"\n"


def _decoded(line: bytes) -> Change | None:
    """Return the change on a line, or None if it is torn or damaged."""
    try:
        change = json.loads(line)
        return int(change["start"]), int(change["end"]), change["new"].encode("latin-1")
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


class History:
    """The texts that a reduction has accepted, and the best of them.

    A resumed reduction starts from the original again. The search is deterministic and its verdicts
    are cached, so it accepts the recorded texts one by one without running the oracle, and ends as
    if it had not been interrupted. Until it has accepted them all, `best` is the best recorded text.
    """

    def __init__(self, original: bytes) -> None:
        self.original = original
        self.best = original
        self.count = 0
        self._journal: Journal | None = None
        self._recorded: Iterator[bytes] = iter(())
        self._diverged = False
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    def keep(self, directory: Path | None, header: JournalHeader, *, resume: bool) -> None:
        """Start a journal in `directory` (None: a temporary one), or *resume* the one there.

        Raises JournalError if it cannot be written, or if the interrupted reduction had another
        text or header.
        """
        if directory is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="pollard-journal-")
            directory = Path(self._temporary.name)
        if not resume:
            self._journal = Journal.begin(directory, header, self.original)
            return
        self._journal = Journal.load(directory)
        self._require_same(self._journal, header)
        self._journal.cut(self._journal.count)
        self.best = self._journal.best
        self._recorded = self._journal.texts()

    def _require_same(self, journal: Journal, header: JournalHeader) -> None:
        if journal.original != self.original:
            message = (
                "The file has changed since it was interrupted; begin anew instead of resuming."
            )
            raise JournalError(message)
        changed = journal.header.differences(header)
        if changed:
            message = (
                f"The interrupted reduction had another {' and another '.join(changed)}; "
                "use the same again or begin anew instead of resuming."
            )
            raise JournalError(message)

    def accept(self, text: bytes) -> bool:
        """Record an accepted text; return False if it only repeats a recorded one."""
        assert self._journal is not None
        self.count += 1
        recorded = next(self._recorded, None)
        if recorded == text:
            return False
        if recorded is not None:
            self._diverge()
        self._journal.append(text)
        if not self._diverged or size(text) <= size(self.best):
            self.best = text
        return True

    def _diverge(self) -> None:
        """Drop the recorded texts that were not accepted again; the oracle may not be deterministic."""
        assert self._journal is not None
        self._diverged = True
        self._recorded = iter(())
        self._journal.cut(self.count - 1)

    def backwards(self) -> Iterator[bytes]:
        """Yield the best text, earlier ones (1, 2, 4, ... steps back), and finally the original."""
        assert self._journal is not None
        total = self._journal.count
        yield self.best
        step = 1
        while step < total:
            yield self._journal.text(total - step)
            step *= 2
        if total:
            yield self.original

    def go_back_to(self, text: bytes) -> None:
        """Make an earlier text the best one."""
        assert self._journal is not None
        self._journal.append(text)
        self.best = text

    def keep_others(self, others: Sequence[OtherFailure]) -> None:
        """Write other failures beside the journal. Raises JournalError if that is impossible."""
        assert self._journal is not None
        try:
            other_failures.save(self._journal.directory, others)
        except OSError as error:
            raise _unwritable(self._journal.directory, error) from error

    def close(self) -> None:
        """Close the journal, and remove a temporary one."""
        if self._journal is not None:
            self._journal.close()
        if self._temporary is not None:
            self._temporary.cleanup()
