"""The journal of a reduction: the original and every accepted text, on disk as they happen.

It makes a reduction survive a killed process, and lets an earlier text be had back. Each accepted
text is one line that tells how it differs from the one before; a line that was cut off by a crash is
left out when the journal is read.

The accepted texts of a reduction, from the original to the best, and their journal on disk.
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

from pollard.errors import PollardError
from pollard.files import write_atomically
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


Change = tuple[int, int, bytes]
"""One replacement: the bytes from `start` to `end` (exclusive) of the text before, and the new ones."""


class JournalError(PollardError):
    """There is no journal to resume from, or it cannot be written."""


def state_directory() -> Path:
    """Return where journals and consents are kept: POLLARD_STATE_DIR, else the user's own place."""
    override = os.environ.get("POLLARD_STATE_DIR")
    return Path(override) if override else Path(platformdirs.user_state_dir("pollard", False))


def journal_directory(file: Path) -> Path:
    """Return the directory of the journal of a file's latest reduction."""
    name = hashlib.blake2b(os.fsencode(file.resolve()), digest_size=12).hexdigest()
    return state_directory() / "reductions" / f"{file.stem[:40]}-{name}"


@dataclass(frozen=True, slots=True)
class Terms:
    """What must be the same for a resumed reduction to go the same way.

    `preprocessing` names what of it is switched off; `renaming` is true if the strategy is not the
    default one, which alone heeds it. `formatter` is the command that lays out the result.
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

    def differences(self, other: Terms) -> list[str]:
        """Return the names of the terms in which the other's differ."""
        mine, others = asdict(self), asdict(other)
        return [name for name in mine if mine[name] != others[name]]


class Journal:
    """The accepted texts of one reduction; `directory` holds `original`, `terms` and `reductions`."""

    def __init__(self, directory: Path, terms: Terms, original: bytes) -> None:
        self.directory = directory
        self.terms = terms
        self.original = original
        self.best = original
        self.count = 0
        self._file: BinaryIO | None = None

    @classmethod
    def begin(cls, directory: Path, terms: Terms, original: bytes) -> Journal:
        """Start a journal, in the place of an older one; raise JournalError if that is impossible."""
        try:
            directory.mkdir(parents=True, exist_ok=True)
            write_atomically(directory / "reductions", b"")
            write_atomically(directory / "original", original)
            write_atomically(directory / "terms", json.dumps(asdict(terms)).encode())
        except OSError as error:
            raise _unwritable(directory, error) from error
        return cls(directory, terms, original)

    @classmethod
    def load(cls, directory: Path) -> Journal:
        """Read the journal in `directory`; raise JournalError if there is none."""
        try:
            terms = json.loads((directory / "terms").read_bytes())
            original = (directory / "original").read_bytes()
            terms["region"] = tuple(terms["region"])
            terms["preprocessing"] = tuple(terms.get("preprocessing", ()))
            if isinstance(terms.get("formatter"), list):
                terms["formatter"] = tuple(terms["formatter"])
            journal = cls(directory, Terms(**terms), original)
        except (OSError, ValueError, TypeError, KeyError) as error:
            message = "There is no interrupted reduction of this file to resume."
            raise JournalError(message) from error
        for text in journal.texts():
            journal.best = text
            journal.count += 1
        return journal

    def texts(self) -> Iterator[bytes]:
        """Yield the accepted texts in order, the original not among them."""
        text = self.original
        for start, end, new in self._changes():
            text = text[:start] + new + text[end:]
            yield text

    def text(self, number: int) -> bytes:
        """Return the accepted text with that number, from 1; 0 is the original."""
        return next(itertools.islice(self.texts(), number - 1, None)) if number else self.original

    def _changes(self) -> Iterator[Change]:
        """Yield the changes up to the first line that is none: a crash may have cut it off."""
        with contextlib.suppress(FileNotFoundError):
            for line in (self.directory / "reductions").read_bytes().splitlines():
                change = _decoded(line)
                if change is None:
                    return
                yield change

    def append(self, text: bytes) -> None:
        """Write down an accepted text; it is on disk, for other processes, when this returns.

        Raises JournalError if the disk is full or does not let itself be written for another reason.
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
        """Forget all but the first `count` accepted texts, and a line that was cut off after them."""
        kept = b"".join(map(_encoded, itertools.islice(self._changes(), count)))
        self.close()
        try:
            write_atomically(self.directory / "reductions", kept)
        except OSError as error:
            raise _unwritable(self.directory, error) from error
        self.count = 0
        self.best = self.original
        for text in self.texts():
            self.best, self.count = text, self.count + 1

    def close(self) -> None:
        """Close the file; the journal stays."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _unwritable(directory: Path, error: OSError) -> JournalError:
    return JournalError(
        f"The journal in {directory} cannot be written: {error.strerror}. Make room there, or name "
        "another place for journals in the environment variable POLLARD_STATE_DIR."
    )


def _write_all(file: BinaryIO, content: bytes) -> None:
    """Write to an unbuffered file, which takes less than all of it when the disk gets full."""
    while content:
        content = content[file.write(content) :]


def splice(old: bytes, new: bytes) -> Change:
    """Return the one replacement (start, end, bytes) that turns `old` into `new`."""
    start = _common(old, new, min(len(old), len(new)))
    most = min(len(old), len(new)) - start
    common = _common(old[::-1], new[::-1], most)
    return start, len(old) - common, new[start : len(new) - common]


def _common(left: bytes, right: bytes, most: int) -> int:
    """Return the length, up to `most`, of the common beginning, by halving what is compared."""
    low = 0
    while low < most:
        middle = (low + most + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            most = middle - 1
    return low


def _encoded(change: Change) -> bytes:
    start, end, new = change
    line = json.dumps({"start": start, "end": end, "new": new.decode("latin-1")})
    return line.encode() + b"\n"


def _decoded(line: bytes) -> Change | None:
    """Return what a line says; None if it was torn or spoilt."""
    try:
        change = json.loads(line)
        return int(change["start"]), int(change["end"]), change["new"].encode("latin-1")
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


class History:
    """What was accepted so far.

    A resumed reduction starts from the original again and meets the recorded texts one by one, since
    the search is deterministic and its verdicts are in the cache: so it ends as it would have without
    the interruption, and pays for nothing twice. Until it has passed them, `best` stays the best of
    the recorded ones.
    """

    def __init__(self, original: bytes) -> None:
        self.original = original
        self.best = original
        self.count = 0
        self._journal: Journal | None = None
        self._recorded: Iterator[bytes] = iter(())
        self._diverged = False
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    def keep(self, directory: Path | None, terms: Terms, *, resume: bool) -> None:
        """Keep the journal in `directory` (None: in a temporary one), or go on with the one there.

        Raises JournalError if it cannot be written, or is not that of an interrupted reduction of
        the same text on the same terms.
        """
        if directory is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="pollard-journal-")
            directory = Path(self._temporary.name)
        if not resume:
            self._journal = Journal.begin(directory, terms, self.original)
            return
        self._journal = Journal.load(directory)
        self._require_same(self._journal, terms)
        self._journal.cut(self._journal.count)
        self.best = self._journal.best
        self._recorded = self._journal.texts()

    def _require_same(self, journal: Journal, terms: Terms) -> None:
        if journal.original != self.original:
            message = (
                "The file has changed since it was interrupted; begin anew instead of resuming."
            )
            raise JournalError(message)
        changed = journal.terms.differences(terms)
        if changed:
            message = (
                f"The interrupted reduction had another {' and another '.join(changed)}; "
                "use the same again or begin anew instead of resuming."
            )
            raise JournalError(message)

    def accept(self, text: bytes) -> bool:
        """Take note of an accepted text; tell whether it is new, and not one met again."""
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
        """Forget the recorded texts that were not met again: something is not deterministic."""
        assert self._journal is not None
        self._diverged = True
        self._recorded = iter(())
        self._journal.cut(self.count - 1)

    def backwards(self) -> Iterator[bytes]:
        """Yield the best text, then earlier and earlier ones in growing steps, then the original."""
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
        """Make an earlier text the best one again."""
        assert self._journal is not None
        self._journal.append(text)
        self.best = text

    def close(self) -> None:
        """Close the journal; a temporary one is removed."""
        if self._journal is not None:
            self._journal.close()
        if self._temporary is not None:
            self._temporary.cleanup()
