"""The files that a consent covers: which ones a command names, and what they contain."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.oracle.command import words

if TYPE_CHECKING:
    from collections.abc import Iterator

# A file name may be only a part of a shell word: `x=1;./a.sh`, `--config=b.toml`,
# `sh -c "./c.sh | d"`.
_SEPARATORS = re.compile(r"[\s;|&()<>`$\"'=,:]+")
_PROGRAM = re.compile(r"[^\W_][\w.+-]*")
_WORKSPACE = "{workspace}"


def named_files(command: tuple[str, ...] | str, workspace: Path) -> list[Path]:
    """Return the regular files in the absolute folder `workspace` that a command may run or read.

    Each word is tried as a path relative to the workspace, as a path relative to each folder that
    another word names (`cd tools && ./run.sh`), and as a program on PATH, if that is inside the
    workspace. An extra file does no harm: it can only cause an unnecessary question.
    """
    names = set(_words(command, workspace))
    folders = {workspace, *(place for name in names if _is_dir(place := workspace / name))}
    places = {folder / name for folder in folders for name in names}
    files = [place for place in (*places, *_on_path(names)) if _is_file(place)]
    return sorted(file for file in set(files) if _is_inside(file, workspace))


def _words(command: tuple[str, ...] | str, workspace: Path) -> Iterator[str]:
    yield from filter(None, words(command, workspace))
    for text in (command,) if isinstance(command, str) else command:
        for part in filter(None, _SEPARATORS.split(text)):
            yield part.replace(_WORKSPACE, str(workspace))


def _on_path(names: set[str]) -> Iterator[Path]:
    for name in filter(_PROGRAM.fullmatch, names):
        found = shutil.which(name)
        if found is not None:
            yield Path(found).absolute()


def _is_inside(place: Path, workspace: Path) -> bool:
    """Return whether the workspace controls `place`, also through a link or ".."."""
    if place.is_relative_to(workspace):
        return True
    return Path(os.path.realpath(place)).is_relative_to(os.path.realpath(workspace))


def _is_dir(path: Path) -> bool:
    # os.path, unlike pathlib, answers False for names that are too long or may not be looked at.
    return os.path.isdir(path)  # noqa: PTH112


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113


#: A file larger than this (in bytes) is identified by its size and times instead of its content.
LARGE_FILE_BYTES = 64 << 20
_BLOCK = 1 << 20
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
Values = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class CoveredPath:
    """One file or folder: its name in the pin, its path, and its status or the reason it has none."""

    name: str
    path: Path
    target: str
    status: os.stat_result | None
    reason: str = ""

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder or a link to one."""
        return self.status is not None and stat.S_ISDIR(self.status.st_mode)

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file or a link to one."""
        return self.status is not None and stat.S_ISREG(self.status.st_mode)

    @property
    def size(self) -> int:
        """The number of bytes that `content` reads."""
        return self.status.st_size if self.status is not None and self.is_file else 0

    def again(self) -> CoveredPath:
        """Return the present state of the same path."""
        return _covered(self.name, self.path)

    def signature(self) -> Values:
        """Return a value that changes whenever the content does, without reading the content."""
        known = self.status
        if known is None:
            return (self.name, str(self.path), self.target, self.reason)
        changed = (known.st_size, known.st_mtime_ns, known.st_ctime_ns)
        identity = (known.st_dev, known.st_ino, known.st_mode)
        return (self.name, str(self.path), self.target, *identity, *changed)

    def content(self) -> Values:
        """Return the part of the pin about this path; unreadable files are recorded as such."""
        if self.status is None:
            return ("missing", self.reason)
        if not self.is_file:
            return ("folder",) if self.is_folder else ("special",)
        if self.size > LARGE_FILE_BYTES:
            return ("large", self.size, self.status.st_mtime_ns, self.status.st_ctime_ns)
        try:
            return ("file", _hash(self.path))
        except OSError as error:
            return ("unreadable", error.errno or 0)


def walk(name: str, path: Path) -> Iterator[CoveredPath]:
    """Yield `path` and, if it is a folder, everything below it, always in the same order.

    Links are followed, because an oracle sees what they lead to. No folder is entered twice.
    """
    entered: set[tuple[int, int]] = set()
    waiting = [(name, path)]
    while waiting:
        covered = _covered(*waiting.pop())
        yield covered
        if not covered.is_folder or covered.status is None:
            continue
        identity = covered.status.st_dev, covered.status.st_ino
        if identity not in entered:
            entered.add(identity)
            below = [
                (f"{covered.name}/{entry}", covered.path / entry) for entry in _entries(covered)
            ]
            waiting += reversed(below)


def _covered(name: str, path: Path) -> CoveredPath:
    target = ""
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            target = str(path.readlink())
            status = path.stat()
        return CoveredPath(name, path, target, status)
    except OSError as error:
        return CoveredPath(name, path, target, None, str(error.errno))
    except ValueError:  # a name with a null character
        return CoveredPath(name, path, target, None, "impossible name")


def _entries(folder: CoveredPath) -> list[str]:
    with contextlib.suppress(OSError):
        return sorted(os.listdir(folder.path))  # noqa: PTH208 (names are wanted, not paths)
    return []


def _hash(path: Path) -> str:
    digest = hashlib.blake2b(digest_size=32)
    # Without O_NONBLOCK, a pipe that has replaced the file meanwhile would block.
    with os.fdopen(os.open(path, _FLAGS), "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
