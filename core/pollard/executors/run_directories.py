"""Run directories: each run gets one that holds the candidate and its companions, nothing else.

Oracles leave files behind, replace the directory, or make it unreadable. All of that is removed
before the next run.
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
from pollard.system import locked, remove_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pollard.oracle.diagnostics.surroundings import Companion


_LOCK_FILE, _NEW_LOCK_FILE = "lock", "new-lock"
_MIN_UNCLAIMED_SECONDS = 60  # from the creation of a root to its lock it takes far less
_DISK_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT)


def _empty(directory: Path, kept: Path) -> None:
    """Remove all that is in a directory, or at its place, except the directory `kept`.

    Raises `OSError`.
    """
    if directory.is_symlink() or not directory.is_dir():
        remove_tree(directory)
        return
    directory.chmod(0o700)
    for path in directory.iterdir():
        if path != kept or path.is_symlink() or not path.is_dir():
            remove_tree(path)


def claim(root: Path) -> IO[bytes]:
    """Mark `root` as in use for as long as the returned file is open."""
    if sys.platform == "win32":
        return (root / _LOCK_FILE).open("wb")
    unlocked = root / _NEW_LOCK_FILE
    stream = unlocked.open("wb")
    locked(stream)
    unlocked.replace(root / _LOCK_FILE)  # so nobody finds a lock that is not held yet
    return stream


def remove_abandoned(parent: Path) -> None:
    """Remove the roots in `parent` whose process was killed before it could clean up."""
    for root in parent.glob("pollard-????????"):
        with contextlib.suppress(OSError, RecursionError):
            if (root / _LOCK_FILE).exists():
                _remove_unclaimed(root)
            elif time.time() - root.lstat().st_mtime > _MIN_UNCLAIMED_SECONDS:
                (root / _NEW_LOCK_FILE).unlink(missing_ok=True)
                root.rmdir()  # fails if there is anything in it: then it is not a root


def _remove_unclaimed(root: Path) -> None:
    with (root / _LOCK_FILE).open("rb+") as stream:
        if locked(stream):  # on Windows an open file cannot be removed anyway
            _remove_root(root)


def _remove_root(root: Path) -> None:
    """Remove the lock last: whatever a kill interrupts here, somebody else can finish."""
    for path in root.iterdir():
        if path.name != _LOCK_FILE:
            remove_tree(path)
    remove_tree(root)


class RunDirectory:
    """A directory for one run at a time; reused only if it is as empty as when it was created.

    It is in a `room`, a directory that runs may write as well. Beside it are only `temporary`, for
    programs' temporary files, and `cache`, where they keep what they want to find again. Go, for one,
    takes no file in the folder for temporary files for part of a program. Creating and removing a
    directory takes ten times as long as checking that it is empty (0.11 ms against 0.01 ms on ext4),
    so an untouched one is kept.
    """

    def __init__(self, directory: Path, file: Path, companions: Mapping[Path, Path]) -> None:
        """`file` is the candidate's place in the directory; `companions` are files by their places."""
        self.directory = directory
        self.room = directory.parent
        self.temporary = self.room / "tmp"
        self.cache = self.room / "cache"
        self.file = directory / file
        self._companions = {directory / place: source for place, source in companions.items()}
        self._folders = {path.parent for path in (self.file, *self._companions)} - {directory}
        self._identities = self._create()

    @property
    def folder(self) -> Path:
        """What `{dir}` stands for in a command: the folder of the candidate."""
        return self.file.parent

    @property
    def variables(self) -> dict[bytes, bytes]:
        """The variables that name the directories to programs."""
        temporary = dict.fromkeys((b"TMPDIR", b"TMP", b"TEMP"), os.fsencode(self.temporary))
        return {**temporary, b"PWD": os.fsencode(self.directory)}

    def fill(self, text: bytes) -> None:
        """Write the candidate and copy the companions. Raises `OracleError` if that fails."""
        try:
            for folder in self._folders:
                folder.mkdir(parents=True, exist_ok=True)
            with open(self.file, "xb", buffering=0) as stream:  # noqa: PTH123 (half the cost)
                view = memoryview(text)
                while view:
                    view = view[stream.write(view) :]
            for copy, source in self._companions.items():
                _copy(source, copy, follow_links=False)
        except OSError as error:
            raise cannot_write(self.directory, error) from error

    def clear(self) -> bool:
        """Empty the directory; return whether it can be reused."""
        try:
            if self._is_same() and self._is_alone() and self._is_reusable():
                for left in os.listdir(self.temporary):  # noqa: PTH208
                    remove_tree(self.temporary / left)
                return True
            _empty(self.room, self.cache)
            self._identities = self._create()
        except (OSError, OracleError, RecursionError):
            return False
        return True

    def _create(self) -> list[tuple[int, int, int]]:
        try:
            for directory in (self.directory, self.temporary):
                directory.mkdir(mode=0o700, parents=True)
        except OSError as error:
            raise cannot_write(self.directory, error) from error
        return self._read_identities()

    def _read_identities(self) -> list[tuple[int, int, int]]:
        found = [os.lstat(directory) for directory in (self.directory, self.temporary)]
        return [(status.st_dev, status.st_ino, status.st_mode) for status in found]

    def _is_reusable(self) -> bool:
        """Return whether the directory is as empty as a new one, once the candidate is removed."""
        for path in (self.file, *self._companions):
            try:
                if stat.S_ISDIR(os.lstat(path).st_mode):
                    return False
                os.unlink(path)  # noqa: PTH108 (half the cost)
            except FileNotFoundError:
                continue
        for left in os.listdir(self.directory):  # noqa: PTH208
            remove_tree(self.directory / left)
        return True

    def _is_same(self) -> bool:
        """Return whether the oracle did not replace a directory, by a link to another place maybe."""
        return self._read_identities() == self._identities

    def _is_alone(self) -> bool:
        """Return whether nothing else is beside the directory."""
        own = {self.directory.name, self.temporary.name, self.cache.name}
        return not set(os.listdir(self.room)) - own  # noqa: PTH208


class RunDirectories:
    """A temporary root with a run directory for each parallel run; `close` removes it."""

    def __init__(self, file: Path, companions: Sequence[Companion]) -> None:
        """Prepare for candidates at the place `file` in a run directory.

        Companions are copied once, here, so that later changes to them cannot affect the reduction.

        Raises `OracleError` if one is missing, or would overwrite the candidate.
        """
        self._file = file
        self._lock = threading.Lock()
        self._free: dict[bool, list[RunDirectory]] = {False: [], True: []}
        self._count = 0
        remove_abandoned(Path(tempfile.gettempdir()))
        self.root = _new_root()
        self._claim = claim(self.root)
        try:
            self._companions = _copied(companions, file, self.root / "files")
        except BaseException:
            self.close()
            raise

    @contextlib.contextmanager
    def run_directory(self, *, warm: bool = False) -> Iterator[RunDirectory]:
        """Provide an empty directory for one run.

        Those of `warm` runs are others than those of cold ones: a loaded program belongs to one.
        """
        directory = self._take(self._free[warm])
        try:
            yield directory
        finally:
            if directory.clear():
                with self._lock:
                    self._free[warm].append(directory)

    def close(self) -> None:
        """Remove everything that can be removed."""
        with contextlib.suppress(OSError, RecursionError):
            _remove_root(self.root)
        self._claim.close()

    def _take(self, free: list[RunDirectory]) -> RunDirectory:
        with self._lock:
            if free:
                return free.pop()
            self._count += 1
            directory = self.root / f"room{self._count}" / "run"
        return self._new_directory(directory)

    def _new_directory(self, path: Path) -> RunDirectory:
        return RunDirectory(path, self._file, self._companions)


def _new_root() -> Path:
    try:
        return Path(tempfile.mkdtemp(prefix="pollard-")).resolve()
    except OSError as error:
        raise cannot_write(Path(tempfile.gettempdir()), error) from error


def _copied(companions: Sequence[Companion], file: Path, into: Path) -> dict[Path, Path]:
    """Copy the companions, and return the copies by their places in a run directory."""
    into.mkdir()
    copies: dict[Path, Path] = {}
    for companion in companions:
        source, place = companion.source, companion.place
        if companion.is_link and place == file:
            continue  # the original, among its neighbours
        if place in (file, *copies):
            message = f"Two files of the oracle are called {source.name!r}; rename one of them."
            raise OracleError(message)
        copies[place] = copy = into / place
        try:
            copy.parent.mkdir(parents=True, exist_ok=True)
            if companion.is_link:
                copy.symlink_to(source, target_is_directory=source.is_dir())
            else:
                _copy(source, copy)
        except OSError as error:
            if error.errno in _DISK_FULL_ERRORS:
                raise cannot_write(into, error) from error
            message = f"The oracle's file {str(source)!r} cannot be copied: {error.strerror}."
            raise OracleError(message) from error
    return copies


def _copy(source: Path, copy: Path, *, follow_links: bool = True) -> None:
    if source.is_symlink() and not follow_links:
        copy.symlink_to(source.readlink())
    elif source.is_dir():
        shutil.copytree(source, copy, symlinks=True)
    else:
        shutil.copy2(source, copy)


def cannot_write(directory: Path, error: OSError) -> OracleError:
    """Return the error to raise when a temporary directory cannot be written."""
    if error.errno in _DISK_FULL_ERRORS:
        return OracleError(
            f"The disk of the temporary directory {directory} is full; free some space or set "
            "TMPDIR to another disk."
        )
    return OracleError(
        f"The run directory {directory} cannot be written ({error.strerror}); "
        "set TMPDIR to a directory of your own."
    )
