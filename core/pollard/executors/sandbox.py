"""Run directories: one for each run, with the candidate, its companions and nothing else.

Removing what oracles leave behind, also when they made it hard to remove.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING

from pollard.errors import OracleError

if TYPE_CHECKING:
    from collections.abc import Iterator


if sys.platform != "win32":
    import fcntl

_LOCK = "lock"
_GRACE_SECONDS = 60


def remove_tree(path: Path) -> None:
    """Remove the directory, link or file at `path`; it may be gone, or closed to us by its modes.

    Raises `OSError` if something resists.
    """
    if path.is_symlink() or path.is_file():
        path.unlink()
        return
    with contextlib.suppress(OSError):
        shutil.rmtree(path)
        return
    if path.exists():
        _open_up(path)
        shutil.rmtree(path)


def claim(root: Path) -> IO[bytes]:
    """Mark `root` as in use for as long as the returned file is open."""
    stream = (root / _LOCK).open("wb")
    _lock(stream)
    return stream


def remove_abandoned(parent: Path) -> None:
    """Remove the roots in `parent` whose owner was killed before it could tidy up."""
    for root in parent.glob("pollard-*"):
        with contextlib.suppress(OSError, RecursionError):
            # A young root may not have been claimed yet.
            if time.time() - root.lstat().st_mtime > _GRACE_SECONDS:
                _remove_unclaimed(root)


def _remove_unclaimed(root: Path) -> None:
    with (root / _LOCK).open("rb+") as stream:
        if _lock(stream):
            remove_tree(root)


def _open_up(path: Path) -> None:
    path.chmod(0o700)
    for parent, directories, _ in os.walk(path):
        for name in directories:
            inside = Path(parent, name)
            if not inside.is_symlink():
                inside.chmod(0o700)


def _lock(stream: IO[bytes]) -> bool:
    if sys.platform == "win32":
        return False  # an open file cannot be removed there anyway
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


_FULL = (errno.ENOSPC, errno.EDQUOT)


class Slot:
    """One run directory that is used again as long as it can be made exactly as new.

    Making and removing a directory costs ten times as much as looking whether it is empty
    (0.11 ms against 0.01 ms on ext4), so an untouched one is kept.
    """

    def __init__(self, directory: Path, filename: str, companions: tuple[Path, ...]) -> None:
        self.directory = directory
        self.file = directory / filename
        self._companions = companions
        self._copies = tuple(directory / path.name for path in companions)
        self._identity = self._make()

    def fill(self, text: bytes) -> None:
        """Write the candidate and copy the companions; raises `OracleError` on a full disk."""
        try:
            with open(self.file, "xb", buffering=0) as stream:  # noqa: PTH123 (half the cost)
                view = memoryview(text)
                while view:
                    view = view[stream.write(view) :]
            for source, copy in zip(self._companions, self._copies, strict=True):
                if source.is_dir():
                    shutil.copytree(source, copy, symlinks=True)
                else:
                    shutil.copy2(source, copy)
        except OSError as error:
            raise _cannot_write(self.directory, error) from error

    def clear(self) -> bool:
        """Bring the directory back to empty; False if it cannot be used again."""
        try:
            if self._untouched():
                return True
            remove_tree(self.directory)
            self._identity = self._make()
        except (OSError, OracleError, RecursionError):
            return False
        return True

    def _make(self) -> tuple[int, int, int]:
        try:
            self.directory.mkdir(mode=0o700)
        except OSError as error:
            raise _cannot_write(self.directory, error) from error
        return self._look()

    def _look(self) -> tuple[int, int, int]:
        status = os.lstat(self.directory)
        return status.st_dev, status.st_ino, status.st_mode

    def _untouched(self) -> bool:
        # Looked at first: an oracle may have put a link to some other place here.
        if self._look() != self._identity:
            return False
        for path in (self.file, *self._copies):
            try:
                if stat.S_ISDIR(os.lstat(path).st_mode):
                    return False
                os.unlink(path)  # noqa: PTH108 (half the cost)
            except FileNotFoundError:
                continue
        with os.scandir(self.directory) as entries:
            return next(entries, None) is None


class Sandbox:
    """One temporary root with as many slots as there are runs at a time; removed by `close`."""

    def __init__(self, filename: str, sources: tuple[Path, ...]) -> None:
        """`sources` are copied once, here, so that editing them cannot change a reduction midway.

        Raises `OracleError` if one is missing, or would overwrite the candidate.
        """
        self._filename = filename
        self._lock = threading.Lock()
        self._free: list[Slot] = []
        self._made = 0
        remove_abandoned(Path(tempfile.gettempdir()))
        self.root = _new_root()
        self._claim = claim(self.root)
        try:
            self._companions = _snapshot(sources, filename, self.root / "files")
        except BaseException:
            self.close()
            raise

    @contextlib.contextmanager
    def slot(self) -> Iterator[Slot]:
        """An empty run directory for the time of one run."""
        taken = self._take()
        try:
            yield taken
        finally:
            if taken.clear():
                with self._lock:
                    self._free.append(taken)

    def close(self) -> None:
        """Remove everything; what cannot be removed stays in the temporary directory."""
        with contextlib.suppress(OSError, RecursionError):
            remove_tree(self.root)
        self._claim.close()

    def _take(self) -> Slot:
        with self._lock:
            if self._free:
                return self._free.pop()
            self._made += 1
            directory = self.root / f"run{self._made}"
        return Slot(directory, self._filename, self._companions)


def _new_root() -> Path:
    try:
        return Path(tempfile.mkdtemp(prefix="pollard-")).resolve()
    except OSError as error:
        raise _cannot_write(Path(tempfile.gettempdir()), error) from error


def _snapshot(sources: tuple[Path, ...], filename: str, into: Path) -> tuple[Path, ...]:
    into.mkdir()
    for source in sources:
        copy = into / source.name
        if source.name == filename or copy.exists():
            message = f"Two files of the oracle are called {source.name!r}; rename one of them."
            raise OracleError(message)
        try:
            if source.is_dir():
                shutil.copytree(source, copy, symlinks=True)
            else:
                shutil.copy2(source, copy)
        except OSError as error:
            if error.errno in _FULL:
                raise _cannot_write(into, error) from error
            message = f"The oracle's file {str(source)!r} cannot be copied: {error.strerror}."
            raise OracleError(message) from error
    return tuple(into / source.name for source in sources)


def _cannot_write(directory: Path, error: OSError) -> OracleError:
    if error.errno in _FULL:
        return OracleError(
            f"The disk of the temporary directory {directory} is full; free some space or set "
            "TMPDIR to another disk."
        )
    return OracleError(
        f"The run directory {directory} cannot be written ({error.strerror}); "
        "set TMPDIR to a directory of your own."
    )
