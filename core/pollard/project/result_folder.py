"""New directories with the best tree so far, and archives of trees, as other failures are kept."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import tarfile
import time
from typing import TYPE_CHECKING

from pollard import other_failures
from pollard.file_tree import Entry, EntryKind, shown
from pollard.journal.recording import unwritable
from pollard.mirror import Mirror
from pollard.oracle import OtherFailure
from pollard.project.project_files import read_all

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pollard.file_tree import FileTree
    from pollard.project.outcome import OtherTree
    from pollard.project.project_journal import ProjectJournal

_WRITE_SECONDS = 1.0


def free_place(directory: Path, word: str) -> Path:
    """Return `NAME.word` beside a directory, or `NAME.word.1` and so on if that exists."""
    names = itertools.chain([word], (f"{word}.{number}" for number in itertools.count(1)))
    paths = (directory.with_name(f"{directory.name}.{name}") for name in names)
    return next(path for path in paths if not (path.exists() or path.is_symlink()))


class ResultFolder:
    """Shows the best tree; it is brought up to date once a second. Methods raise `OSError`.

    What somebody else changes in it meanwhile is moved to a folder beside it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        #: The folders with what somebody else changed.
        self.set_aside: list[Path] = []
        self._mirror: Mirror | None = None
        self._written = 0.0
        self._replaces = False

    @property
    def is_empty(self) -> bool:
        """Whether the directory has nothing, or does not exist."""
        return not self.path.is_dir() or not any(self.path.iterdir())

    def replaces(self, interrupted: ProjectJournal) -> bool:
        """Return whether it has nothing but what an interrupted reduction wrote, to be replaced."""
        self._replaces = interrupted.explains(read_all(self.path))
        return self._replaces

    def write(self, tree: FileTree) -> None:
        """Write the best tree so far, unless the last one was written just now."""
        if time.monotonic() - self._written >= _WRITE_SECONDS:
            self.finish(tree)
            self._written = time.monotonic()

    def finish(self, tree: FileTree) -> None:
        """Write the final tree."""
        if self._mirror is None:
            self.path.mkdir(exist_ok=True)
            self._mirror = Mirror(self.path.absolute(), shared=True)
            if self._replaces:
                self._mirror.check()
        else:
            self._set_changed_aside(self._mirror)
            self.path.mkdir(exist_ok=True)
        self._mirror.show(tree)

    def discard(self) -> None:
        """Remove what was written, since it is no result."""
        if self._mirror is not None:
            self.finish({})
            with contextlib.suppress(OSError):  # somebody else put something into it
                self.path.rmdir()

    def _set_changed_aside(self, mirror: Mirror) -> None:
        if not (changed := mirror.take_changed()):
            return
        aside = free_place(self.path, "edited")
        for path in map(os.fsdecode, changed):
            (aside / path).parent.mkdir(parents=True, exist_ok=True)
            (self.path / path).rename(aside / path)
        self.set_aside.append(aside)


_TYPES = {
    EntryKind.FILE: tarfile.REGTYPE,
    EntryKind.LINK: tarfile.SYMTYPE,
    EntryKind.FOLDER: tarfile.DIRTYPE,
}
_KINDS = {kind: entry_kind for entry_kind, kind in _TYPES.items()}


def archive_of(tree: FileTree, *, compressed: bool = False) -> bytes:
    """Return a tree as a tar archive."""
    mode, data = "w:gz" if compressed else "w", io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as archive:  # type: ignore[call-overload]
        for path, entry in sorted(tree.items()):
            content = io.BytesIO(entry.content if entry.is_file else b"")
            archive.addfile(_member(path, entry), content)
    return data.getvalue()


def _member(path: bytes, entry: Entry) -> tarfile.TarInfo:
    member = tarfile.TarInfo(shown(path))
    member.type = _TYPES[entry.kind]
    member.mode = entry.mode
    member.size = entry.weight
    if entry.kind is EntryKind.LINK:
        member.linkname = shown(entry.content)
    return member


def tree_in(archive: bytes) -> FileTree:
    """Return the tree in an archive that `archive_of` made."""
    tree: dict[bytes, Entry] = {}
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:") as opened:
        for member in opened:
            file = opened.extractfile(member) if member.isreg() else None
            content = file.read() if file else os.fsencode(member.linkname)
            tree[os.fsencode(member.name)] = Entry(content, member.mode, _KINDS[member.type])
    return tree


def keep_others(directory: Path, others: Iterable[OtherTree]) -> None:
    """Write other failures beside the journal. Raises JournalError if that is impossible."""
    kept = (
        OtherFailure(other.failure, archive_of(other.tree), other.runs, other.bytes)
        for other in others
    )
    try:
        other_failures.save(directory, kept)
    except OSError as error:
        raise unwritable(directory, error) from error
