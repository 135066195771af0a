"""Makes the system refuse one write after the other, as a full, broken or read-only disk does."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

FAULTS = {"full": errno.ENOSPC, "read-only": errno.EROFS, "broken": errno.EIO}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_EVENTS = {"open", "os.rename", "os.mkdir", "os.link", "os.symlink"}


class Faults:
    """Lists the writes below a folder in `log`, and fails the one with the number `fatal`, from 1.

    A write is the opening of a file for writing, a rename, a new directory, or the wait until what was
    written is on the disk. Python announces all but the last to audit hooks, which may refuse them.
    """

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._code = self._fatal = self.count = 0
        self.log: list[tuple[str, ...]] = []
        self._sync = os.fsync
        sys.addaudithook(self._audit)  # it stays; without a folder it does nothing

    @contextlib.contextmanager
    def below(self, folder: Path, fatal: int, code: int) -> Iterator[None]:
        """Fail one write below a folder, with this error, while the context lasts."""
        self._folder, self._fatal, self._code, self.count = folder, fatal, code, 0
        self.log.clear()
        try:
            yield
        finally:
            self._folder = None

    def sync(self, descriptor: int) -> None:
        """Stand for `os.fsync`."""
        self._write("sync", os.readlink(f"/proc/self/fd/{descriptor}"))  # noqa: PTH115
        self._sync(descriptor)

    def _audit(self, event: str, arguments: tuple) -> None:
        if self._folder is None or event not in _EVENTS:
            return
        if event == "open" and not arguments[2] & _WRITING:
            return
        names = arguments[:2] if event in ("os.rename", "os.link", "os.symlink") else arguments[:1]
        if all(isinstance(name, (str, bytes, os.PathLike)) for name in names):
            self._write(event, *map(os.fsdecode, names))

    def _write(self, event: str, *names: str) -> None:
        paths = [Path(name).absolute() for name in names]
        if self._folder is None or not paths[-1].is_relative_to(self._folder):
            return
        self.count += 1
        self.log.append((event, *map(str, paths)))
        if self.count == self._fatal:
            raise OSError(self._code, os.strerror(self._code), names[-1])


_faults = Faults()


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Faults:
    """The only one of the process, since hooks cannot be removed."""
    monkeypatch.setattr(os, "fsync", _faults.sync)
    return _faults
