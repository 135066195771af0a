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
from typing import TYPE_CHECKING, Protocol

from pollard.errors import PollardError
from pollard.system import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


_ELSEWHERE = "choose another place with -o"
_GO_ON = "put that right and go on with --resume"


class OutputError(PollardError):
    """The result cannot be written."""


class Destination(Protocol):
    """What the last lines of a reduction tell of the place of its result."""

    @property
    def label(self) -> str:
        """Its name in messages."""

    @property
    def original_copy(self) -> Path | None:
        """The copy of the original, if that was overwritten or moved."""

    @property
    def set_aside(self) -> list[Path]:
        """The places of versions of the result that somebody else made meanwhile."""

    @property
    def can_resume(self) -> bool:
        """Whether `--resume` can go on with the reduction."""


def beside(file: Path, infix: str) -> Path:
    """Return the path next to `file` with `infix` before the extension: `x.c` → `x.reduced.c`."""
    return file.with_name(f"{file.stem}.{infix}{file.suffix}")


class Output:
    """The file at `path`, which holds the best text from the first reduction on.

    Each `write` is atomic, so a killed process leaves a complete text. If somebody else changes the
    file meanwhile, that version is renamed. Devices and pipes (and `-`, standard output) cannot be
    replaced: they only get the final text, from `finish`.
    """

    can_resume = True

    def __init__(self, path: Path, file: Path) -> None:
        """Raises OutputError for a name that is too long."""
        _require_name(path, _ELSEWHERE)
        self.path = path
        self.file = file
        self._is_stdout = str(path) == "-"
        self._only_final = self._is_stdout or (path.exists() and not path.is_file())
        self._target = path if self._only_final else path.resolve()
        self._is_new = not self._target.exists()
        self._last_text: bytes | None = None
        self._last_signature: tuple[int, int, int] | None = None
        #: The places of versions that somebody else wrote over the result.
        self.set_aside: list[Path] = []
        #: Whether the text of the last `write` is on disk.
        self.has_best = False

    @property
    def places(self) -> tuple[Path, ...]:
        """The absolute paths of the files that it writes."""
        return (self._target,)

    @property
    def label(self) -> str:
        """Its name in messages."""
        return "standard output" if self._is_stdout else str(self.path)

    @property
    def original_copy(self) -> Path | None:
        """The copy of the original; None, since only `InPlace` overwrites FILE."""
        return None

    @property
    def keeps_best(self) -> bool:
        """Whether the best text so far is written, and not only the final one."""
        return not self._only_final

    def check(self) -> None:
        """Raise OutputError if writing is sure to fail."""
        if self._is_stdout:
            if sys.__stdout__ is None:  # what `prepare_streams` opened instead is no one's
                raise OutputError("Standard output is closed; name a file with -o.")
            return
        if self._target.is_dir():
            raise OutputError(f"{self.path} is a directory; name a file in it with -o.")
        if _same(self._target, self.file):
            raise OutputError(f"{self.path} is FILE itself; use --in-place to replace it.")
        require_writable(self.path, _ELSEWHERE)

    def write(self, text: bytes) -> None:
        """Write the best text so far. Raises OutputError."""
        if not self._only_final:
            self.has_best = False
            self._replace(text)
            self.has_best = True

    def finish(self, text: bytes) -> None:
        """Write the final text. Raises OutputError."""
        if self._is_stdout:
            self._print(text)
        elif self._only_final:
            self._target.write_bytes(text)
        else:
            self._replace(text)

    def _print(self, text: bytes) -> None:
        try:
            sys.stdout.buffer.write(text)
            sys.stdout.buffer.flush()
        except BrokenPipeError:  # `main` ends quietly then
            raise
        except OSError as error:
            raise OutputError(
                f"{self.label} cannot be written: {error.strerror}; {_GO_ON}."
            ) from error

    def _replace(self, text: bytes) -> None:
        try:
            self._set_changed_aside()
            write_atomically(self._target, text)
            self._last_text, self._last_signature = text, self._signature()
            if self._is_new:
                self._is_new = False
                with contextlib.suppress(FileNotFoundError):  # FILE was removed meanwhile
                    mode = stat.S_IMODE(self.file.stat().st_mode)
                    self._target.chmod(mode | stat.S_IWUSR)
        except OSError as error:
            raise unwritable(self.path, error, _GO_ON) from error

    def _set_changed_aside(self) -> None:
        """Rename the file if somebody else has changed it since it was written."""
        if self._last_text is None or self._signature() == self._last_signature:
            return
        if self._target.is_file() and self._target.read_bytes() != self._last_text:
            aside = next(path for path in _numbered(self._target, "edited") if not path.exists())
            self._target.rename(aside)
            self.set_aside.append(aside)

    def _signature(self) -> tuple[int, int, int]:
        try:
            status = self._target.stat()
        except OSError:
            return 0, 0, 0
        return status.st_ino, status.st_size, status.st_mtime_ns


class InPlace(Output):
    """FILE itself; the original is copied beside it before the first change.

    If somebody else changes FILE, it is left alone: the result is written beside it, and OutputError
    says so.
    """

    def __init__(self, file: Path, original: bytes) -> None:
        super().__init__(file, file)
        self._original = original
        self._copy = _path_for_copy(file, original)
        self._is_copied = False
        self._last_signature = self._signature()

    @property
    def original_copy(self) -> Path | None:
        """The copy of the original, if FILE was overwritten."""
        return self._copy if self._is_copied else None

    @property
    def places(self) -> tuple[Path, ...]:
        """The absolute paths of the file and of the copy of the original."""
        return (*super().places, self._copy.absolute())

    def check(self) -> None:
        """Raise OutputError if writing is sure to fail."""
        require_writable(self.path, "use -o to write elsewhere")
        require_writable(self._copy, "use -o to write elsewhere")

    def _replace(self, text: bytes) -> None:
        if text == self._original and not self._is_copied:
            return
        self._copy_original()
        if self._signature() != self._last_signature:
            rescue = beside(self.path, "reduced")
            with contextlib.suppress(OSError):
                write_atomically(rescue, text)
            raise OutputError(
                f"{self.path} was changed by somebody else and is left as it is now; the best so "
                f"far is in {rescue}, the original in {self._copy}."
            )
        super()._replace(text)

    def _copy_original(self) -> None:
        if self._is_copied:
            return
        try:
            if not self._copy.exists():
                write_atomically(self._copy, self._original)
                shutil.copymode(self.file, self._copy)
        except OSError as error:
            raise unwritable(self._copy, error, "nothing was changed") from error
        self._is_copied = True


def _path_for_copy(file: Path, original: bytes) -> Path:
    """Return `x.orig.c`, or `x.orig.1.c` and so on if that exists with other content."""
    _require_name(beside(file, "orig"), "use -o to write elsewhere")
    paths = _numbered(file, "orig")
    return next(path for path in paths if not path.exists() or _holds(path, original))


def _numbered(file: Path, infix: str) -> Iterator[Path]:
    """Yield `x.INFIX.c`, `x.INFIX.1.c` and so on."""
    yield beside(file, infix)
    yield from (beside(file, f"{infix}.{number}") for number in itertools.count(1))


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


def _require_name(path: Path, advice: str) -> None:
    """Raise OutputError, which ends with `advice`, if no file can have such a name."""
    try:
        path.exists()
    except OSError as error:
        raise unwritable(path, error, advice) from error


def require_writable(path: Path, advice: str) -> None:
    """Raise OutputError, which ends with `advice`, if `path` is sure to be unwritable."""
    try:
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "it is read-only")
        if not path.exists() or path.is_file():
            # Where the system can do it, this file has no name that a killed process would leave.
            with tempfile.TemporaryFile(dir=path.resolve().parent, prefix=".pollard-"):
                pass
    except OSError as error:
        raise unwritable(path, error, advice) from error


def unwritable(path: Path, error: OSError, advice: str) -> OutputError:
    """Return the error to raise when `path` cannot be written."""
    return OutputError(f"{path} cannot be written: {error.strerror}; {advice}.")


def _same(path: Path, other: Path) -> bool:
    return path.exists() and path.samefile(other)
