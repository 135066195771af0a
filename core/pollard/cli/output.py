"""Where the result goes: a file beside FILE, FILE itself, or standard output."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import shutil
import stat
import sys
import tempfile
from typing import TYPE_CHECKING

from pollard.errors import PollardError
from pollard.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path


class OutputError(PollardError):
    """The result cannot be written where it should."""


def beside(file: Path, word: str) -> Path:
    """Return the path next to `file` with `word` before the extension: `x.c` → `x.reduced.c`."""
    return file.with_name(f"{file.stem}.{word}{file.suffix}")


class Output:
    """The file at `path`, which holds the best text from the first reduction on.

    Every `write` is atomic, so that a killed process leaves a whole text. Devices and pipes (also
    `-`, standard output) cannot be replaced: they get the last text only, at `finish`.
    """

    def __init__(self, path: Path, file: Path) -> None:
        self.path = path
        self._file = file
        self._stream = str(path) == "-"
        self._late = self._stream or (path.exists() and not path.is_file())
        self._target = path if self._late else path.resolve()
        self._new = not self._target.exists()

    @property
    def place(self) -> str:
        """How a message calls it."""
        return "standard output" if self._stream else str(self.path)

    @property
    def kept(self) -> Path | None:
        """Where the original was put, if FILE was written to."""
        return None

    @property
    def written(self) -> bool:
        """Whether the best so far is on disk."""
        return not self._late

    def check(self) -> None:
        """Raise OutputError if it is clear already that writing will fail."""
        if self._stream:
            return
        if self._target.is_dir():
            raise OutputError(f"{self.path} is a directory; name a file in it with -o.")
        if _same(self._target, self._file):
            raise OutputError(f"{self.path} is FILE itself; use --in-place to replace it.")
        require_writable(self.path, "choose another place with -o")

    def write(self, text: bytes) -> None:
        """Make `text` the content; raises OutputError."""
        if not self._late:
            self._replace(text)

    def finish(self, text: bytes) -> None:
        """Make `text` the last content; raises OutputError."""
        if self._stream:
            sys.stdout.buffer.write(text)
            sys.stdout.buffer.flush()
        elif self._late:
            self._target.write_bytes(text)
        else:
            self._replace(text)

    def _replace(self, text: bytes) -> None:
        try:
            write_atomically(self._target, text)
            if self._new:
                self._new = False
                mode = stat.S_IMODE(self._file.stat().st_mode)
                self._target.chmod(mode | stat.S_IWUSR)
        except OSError as error:
            raise _unwritable(self.path, error, "put that right and go on with --resume") from error


class InPlace(Output):
    """FILE itself, whose original is kept beside it before the first change.

    Whoever changes FILE meanwhile keeps what they wrote: the result goes beside it, and OutputError
    says so.
    """

    def __init__(self, file: Path, original: bytes) -> None:
        super().__init__(file, file)
        self._original = original
        self._keep = _free_place(file, original)
        self._kept = False
        self._seen = self._signature()

    @property
    def kept(self) -> Path | None:
        """Where the original was put, if FILE was written to."""
        return self._keep if self._kept else None

    def check(self) -> None:
        """Raise OutputError if it is clear already that writing will fail."""
        require_writable(self.path, "use -o to write elsewhere")
        require_writable(self._keep, "use -o to write elsewhere")

    def _replace(self, text: bytes) -> None:
        if text == self._original and not self._kept:
            return
        self._keep_original()
        if self._signature() != self._seen:
            other = beside(self.path, "reduced")
            with contextlib.suppress(OSError):
                write_atomically(other, text)
            raise OutputError(
                f"{self.path} was changed by somebody else and is left as it is now; the best so "
                f"far is in {other}, the original in {self._keep}."
            )
        super()._replace(text)
        self._seen = self._signature()

    def _keep_original(self) -> None:
        if self._kept:
            return
        try:
            if not self._keep.exists():
                write_atomically(self._keep, self._original)
                shutil.copymode(self._file, self._keep)
        except OSError as error:
            raise _unwritable(self._keep, error, "nothing was changed") from error
        self._kept = True

    def _signature(self) -> tuple[int, int, int]:
        try:
            status = self._target.stat()
        except OSError:
            return 0, 0, 0
        return status.st_ino, status.st_size, status.st_mtime_ns


def _free_place(file: Path, original: bytes) -> Path:
    """Return `x.orig.c`, or `x.orig.1.c` ... if there is a file with another content."""
    words = itertools.chain(["orig"], (f"orig.{number}" for number in itertools.count(1)))
    for place in (beside(file, word) for word in words):
        with contextlib.suppress(FileNotFoundError):
            if not place.is_file() or place.read_bytes() != original:
                if place.exists():
                    continue
                raise FileNotFoundError
        return place
    raise AssertionError  # there is always another number


def require_writable(path: Path, advice: str) -> None:
    """Raise OutputError, ending in `advice`, if a file at `path` can surely not be written."""
    try:
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "it is read-only")
        if not path.exists() or path.is_file():
            with tempfile.NamedTemporaryFile(dir=path.resolve().parent, prefix=".pollard-"):
                pass
    except OSError as error:
        raise _unwritable(path, error, advice) from error


def _unwritable(path: Path, error: OSError, advice: str) -> OutputError:
    return OutputError(f"{path} cannot be written: {error.strerror}; {advice}.")


def _same(path: Path, other: Path) -> bool:
    return path.exists() and path.samefile(other)
