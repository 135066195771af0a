"""Reads a project from disk: a directory, or several files that are named."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.errors import PollardError
from pollard.file_tree import Entry, EntryKind, FileTree, shown, weight

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pollard.project.leaving_out import LeftOut

# All contents are kept in memory.
_MAX_BYTES = 2 << 30
# Nobody nests folders so deep on purpose, and each level takes stack.
_MAX_DEPTH = 200


class ProjectError(PollardError):
    """A file or a directory of a project cannot be read."""


@dataclass(frozen=True, slots=True)
class Project:
    """Files as they were read, below the directory `root`."""

    root: Path
    tree: FileTree


def read_directory(directory: Path, left_out: LeftOut) -> Project:
    """Return all files of a directory that are not left out. Raises ProjectError."""
    tree: dict[bytes, Entry] = {}
    total = 0
    for path, entry in _entries(os.fsencode(directory), b"", left_out):
        tree[path] = entry
        total += entry.weight
        if total > _MAX_BYTES:
            raise ProjectError(
                f"{directory} has more than 2 GiB of files; leave some out with --exclude PATTERN."
            )
    if not any(entry.kind is not EntryKind.FOLDER for entry in tree.values()):
        raise ProjectError(f"{directory} has no files to reduce; name another directory.")
    return Project(directory, tree)


def read_files(files: Sequence[Path]) -> Project:
    """Return several files, with paths below their common folder. Raises ProjectError."""
    absolute = [Path(os.path.abspath(file)) for file in files]  # noqa: PTH100 (resolves no links)
    root = Path(os.path.commonpath([file.parent for file in absolute]))
    tree: dict[bytes, Entry] = {}
    for given, file in zip(files, absolute, strict=True):
        if file.is_dir():
            raise ProjectError(f"{given} is a directory; name either one directory or files.")
        path = os.fsencode(file.relative_to(root).as_posix())
        tree[path] = _read(os.fsencode(file.resolve()))
    if weight(tree) > _MAX_BYTES:
        raise ProjectError("The files have more than 2 GiB together; name fewer.")
    return Project(root, tree)


def read_all(directory: Path) -> FileTree:
    """Return everything in a directory. Raises ProjectError."""
    return dict(_entries(os.fsencode(directory), b"", None))


def companions_of(sources: Sequence[Path], project: Project) -> FileTree:
    """Return the files and folders that an oracle needs beside a project, under their names.

    Those that are part of it already, at the same place, are not among them. Raises ProjectError.
    """
    found: dict[bytes, Entry] = {}
    for source in sources:
        if _is_part(source, project):
            continue
        for path, entry in _companion(source).items():
            if path in project.tree or path in found:
                raise ProjectError(
                    f"Two files are called {shown(path)!r}, one of them for the oracle; rename one."
                )
            found[path] = entry
    return found


def _is_part(source: Path, project: Project) -> bool:
    place = project.root.resolve() / source.name
    return (
        source.exists() and source.resolve() == place and os.fsencode(source.name) in project.tree
    )


def _companion(path: Path) -> FileTree:
    name = os.fsencode(path.name)
    if not path.is_dir():
        return {name: _read(os.fsencode(path))}
    return dict(_entries(os.fsencode(path.parent), name, None))


def _entries(root: bytes, folder: bytes, left_out: LeftOut | None) -> Iterator[tuple[bytes, Entry]]:
    """Yield what is in a folder, in the order of the names, and in the folders in it."""
    place = os.path.join(root, folder)  # noqa: PTH118 (bytes)
    items = _items(place)
    if left_out is not None:
        names = [item.name for item in items]
        left_out.read_rules(
            folder,
            names,
            lambda: _read(os.path.join(place, b".gitignore")).content,  # noqa: PTH118
        )
    if not items and folder:
        yield folder, Entry(b"", _mode(place), EntryKind.FOLDER)
    if folder.count(b"/") >= _MAX_DEPTH:
        raise ProjectError(
            f"{shown(place)} is more than {_MAX_DEPTH} folders deep; leave it out with --exclude."
        )
    for item in items:
        path = folder + b"/" + item.name if folder else item.name
        if item.is_dir(follow_symlinks=False):
            if left_out is None or not left_out.skips_folder(path, _names_in(item)):
                yield from _entries(root, path, left_out)
        elif left_out is None or not left_out.skips_file(path):
            if item.is_file(follow_symlinks=False) or item.is_symlink():
                yield path, _read(item.path)
            elif left_out is not None:
                left_out.special.append(shown(path))


def _names_in(folder: os.DirEntry[bytes]) -> Callable[[], list[bytes]]:
    return lambda: [item.name for item in _items(folder.path)]


def _items(folder: bytes) -> list[os.DirEntry[bytes]]:
    try:
        with os.scandir(folder) as items:
            return sorted(items, key=lambda item: item.name)
    except OSError as error:
        raise _unreadable(folder, error) from error


def _read(path: bytes) -> Entry:
    """Return the file or the link at a path. Raises ProjectError."""
    try:
        status = os.lstat(path)
        if stat.S_ISLNK(status.st_mode):
            return Entry(os.readlink(path), kind=EntryKind.LINK)  # noqa: PTH115 (bytes)
        if not stat.S_ISREG(status.st_mode):
            raise ProjectError(f"{shown(path)} is not a regular file; leave it out.")
        if status.st_size > _MAX_BYTES:
            raise ProjectError(f"{shown(path)} has more than 2 GiB; leave it out with --exclude.")
        with open(path, "rb") as stream:  # noqa: PTH123 (bytes)
            content = stream.read()
    except OSError as error:
        raise _unreadable(path, error) from error
    if len(content) != status.st_size:
        raise ProjectError(f"{shown(path)} changes while it is read; stop that and try again.")
    return Entry(content, stat.S_IMODE(status.st_mode) & 0o777)


def _mode(folder: bytes) -> int:
    try:
        return stat.S_IMODE(os.lstat(folder).st_mode) & 0o777
    except OSError as error:
        raise _unreadable(folder, error) from error


def _unreadable(path: bytes, error: OSError) -> ProjectError:
    if isinstance(error, FileNotFoundError):
        return ProjectError(f"There is no file {shown(path)} any more, or it never was; try again.")
    return ProjectError(
        f"{shown(path)} cannot be read: {error.strerror}; correct that, or leave it out with --exclude."
    )
