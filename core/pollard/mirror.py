"""A directory on disk that shows one tree of files after the other; only the difference is written.

A file is never written through: it is removed and made anew. So whatever else has the old one open, or
linked under another name, keeps it.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.file_tree import FOLDER_MODE, Entry, EntryKind, folders
from pollard.system import remove_tree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pollard.file_tree import FileTree

    _Stamp = tuple[int, int, int, int]

# Times of files advance in steps of up to 10 ms; within two of them a change may leave no trace.
_CLOCK_STEP_NS = 20_000_000


class Mirror:
    """Keeps an existing directory equal to a tree; the directory is empty at first.

    `check` finds out what somebody else changed in it since, such as the program that ran there. In a
    `shared` directory others work, too: their own files stay, and `take_changed` tells of changed ones.
    """

    def __init__(self, directory: Path, *, shared: bool = False) -> None:
        self._root = os.fsencode(directory)
        self._shared = shared
        self._entries: dict[bytes, tuple[Entry, _Stamp]] = {}
        self._folders: set[bytes] = set()
        self._last_write_ns = 0

    def show(self, tree: FileTree) -> None:
        """Make the directory equal to `tree`. Raises `OSError`."""
        entries, needed = self._entries, folders(tree)
        self._last_write_ns = time.time_ns()
        for path in [path for path in entries if tree.get(path) != entries[path][0]]:
            del entries[path]
            os.unlink(self._path(path))  # noqa: PTH108 (bytes)
        self._remove_folders(self._folders - needed)
        for path in sorted(needed - self._folders):
            if not (self._shared and os.path.isdir(self._path(path))):  # noqa: PTH112 (bytes)
                os.mkdir(self._path(path), FOLDER_MODE)  # noqa: PTH102 (bytes)
            self._folders.add(path)
        for path in [path for path in tree if path not in entries]:
            if tree[path].kind is not EntryKind.FOLDER:
                entries[path] = tree[path], self._write(self._path(path), tree[path])

    def check(self) -> None:
        """Remove what does not belong to the tree that was shown; `show` brings back what is missing.

        Raises `OSError` if something cannot be removed.
        """
        seen: set[bytes] = set()
        self._check_folder(b"", seen)
        self._entries = {path: kept for path, kept in self._entries.items() if path in seen}
        self._folders &= seen

    def take_changed(self) -> list[bytes]:
        """Return the paths of files that now have something else than was shown, and forget these.

        The caller must move them away. `show` brings them and removed ones back. May raise OSError.
        """
        changed = []
        for path, (entry, stamp) in list(self._entries.items()):
            now = self._now(path)
            if now is None or not self._holds(path, entry, stamp, now):
                changed += [path] if now is not None else []
                del self._entries[path]
        self._folders = {each for each in self._folders if os.path.isdir(self._path(each))}  # noqa: PTH112
        return changed

    def _now(self, path: bytes) -> os.stat_result | None:
        try:
            return os.lstat(self._path(path))
        except (FileNotFoundError, NotADirectoryError):
            return None

    def _holds(self, path: bytes, entry: Entry, stamp: _Stamp, now: os.stat_result) -> bool:
        """Return whether a file has what was shown, although somebody may have touched it."""
        if _stamp(now) == stamp and now.st_ctime_ns < self._last_write_ns - _CLOCK_STEP_NS:
            return True
        if entry.is_file:
            return stat.S_ISREG(now.st_mode) and _content(self._path(path)) == entry.content
        return stat.S_ISLNK(now.st_mode) and os.readlink(self._path(path)) == entry.content  # noqa: PTH115

    def _path(self, path: bytes) -> bytes:
        return os.path.join(self._root, path)  # noqa: PTH118 (bytes)

    def _remove_folders(self, paths: Iterable[bytes]) -> None:
        for path in sorted(paths, reverse=True):  # what is inside comes first
            self._folders.discard(path)
            try:
                os.rmdir(self._path(path))  # noqa: PTH106 (bytes)
            except OSError as error:
                if not (self._shared and error.errno in (errno.ENOTEMPTY, errno.EEXIST)):
                    raise

    def _write(self, place: bytes, entry: Entry) -> _Stamp:
        if entry.kind is EntryKind.LINK:
            os.symlink(entry.content, place)  # noqa: PTH211 (bytes)
        else:
            descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                with open(descriptor, "wb", buffering=0) as stream:  # noqa: PTH123 (no path)
                    view = memoryview(entry.content)
                    while view:
                        view = view[stream.write(view) :]
                    os.chmod(place, entry.mode)  # noqa: PTH101 (bytes)
            except OSError:  # such as a full disk
                os.unlink(place)  # noqa: PTH108 (bytes)
                raise
        return _stamp(os.lstat(place))

    def _check_folder(self, folder: bytes, seen: set[bytes]) -> None:
        with os.scandir(self._path(folder)) as inside:
            items = list(inside)
        for item in items:
            path = folder + b"/" + item.name if folder else item.name
            if not item.is_dir(follow_symlinks=False):
                is_kept = self._is_unchanged(path, item)
            elif is_kept := path in self._folders and _is_open(item):
                self._check_folder(path, seen)
            if is_kept:
                seen.add(path)
            else:
                remove_tree(Path(os.fsdecode(item.path)))

    def _is_unchanged(self, path: bytes, item: os.DirEntry[bytes]) -> bool:
        if path not in self._entries:
            return False
        entry, stamp = self._entries[path]
        status = item.stat(follow_symlinks=False)
        if _stamp(status) != stamp:
            return False
        if not entry.is_file or status.st_ctime_ns < self._last_write_ns - _CLOCK_STEP_NS:
            return True
        return _content(item.path) == entry.content


def _content(place: bytes) -> bytes:
    with open(place, "rb") as stream:  # noqa: PTH123 (bytes)
        return stream.read()


def _stamp(status: os.stat_result) -> _Stamp:
    return status.st_ino, status.st_size, status.st_ctime_ns, status.st_mode


def _is_open(item: os.DirEntry[bytes]) -> bool:
    """Return whether a folder's permissions are as they were, so that it can be read and changed."""
    return stat.S_IMODE(item.stat(follow_symlinks=False).st_mode) & 0o700 == 0o700
