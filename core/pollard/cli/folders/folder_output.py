"""Where the result of a directory or of several files goes: a new directory, or an archive."""

from __future__ import annotations

import io
import itertools
import tarfile
import time
from typing import TYPE_CHECKING

from pollard.cli.output import OutputError, require_writable, unwritable
from pollard.file_tree import EntryKind, shown
from pollard.mirror import Mirror
from pollard.project.project_files import read_all
from pollard.system import remove_tree, write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.file_tree import Entry, FileTree
    from pollard.project.project_journal import ProjectJournal

_WRITE_SECONDS = 1.0
_ELSEWHERE = "choose another place with -o"


class FolderOutput:
    """A new directory, which holds the best tree; it is brought up to date once a second."""

    original_copy: Path | None = None
    can_resume = True

    def __init__(self, path: Path) -> None:
        self.path = path
        self._folder = path
        self._mirror: Mirror | None = None
        self._written = 0.0
        self._replaces = False

    @property
    def label(self) -> str:
        """Its name in messages."""
        return str(self.path)

    def check(self, interrupted: ProjectJournal | None = None) -> None:
        """Raise OutputError if it cannot be written, or holds something already.

        The best tree of the `interrupted` reduction is replaced.
        """
        if self.path.exists() and not self.path.is_dir():
            raise OutputError(f"{self.path} is no directory; {_ELSEWHERE}.")
        if not (_is_empty(self._folder) or self._is_replaced(interrupted)):
            raise OutputError(f"{self.path} is not empty; remove it, or {_ELSEWHERE}.")
        if not self.path.exists():
            require_writable(self.path, _ELSEWHERE)

    def write(self, tree: FileTree) -> None:
        """Write the best tree so far, unless the last one was written just now. Raises OutputError."""
        now = time.monotonic()
        if now - self._written >= _WRITE_SECONDS:
            self._show(tree)
            self._written = time.monotonic()

    def finish(self, tree: FileTree) -> None:
        """Write the final tree. Raises OutputError."""
        self._show(tree)

    def discard(self) -> None:
        """Remove what was written, since it is no result."""
        if self._mirror is not None:
            remove_tree(self._folder)

    def _is_replaced(self, interrupted: ProjectJournal | None) -> bool:
        """Return whether there is nothing but what an interrupted reduction wrote, to be replaced."""
        self._replaces = interrupted is not None and interrupted.explains(read_all(self._folder))
        return self._replaces

    def _show(self, tree: FileTree) -> None:
        try:
            if self._mirror is None:
                self._folder.mkdir(exist_ok=True)
                self._mirror = Mirror(self._folder.absolute())
                if self._replaces:
                    self._mirror.check()
            self._mirror.show(tree)
        except OSError as error:
            raise unwritable(self.path, error, "put that right and try again") from error


class FolderInPlace(FolderOutput):
    """The directory itself; the original is moved aside as a whole when the result is complete."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self._directory = directory.resolve()
        self._folder = self._directory.with_name(f".{self._directory.name}.pollard")

    def check(self, interrupted: ProjectJournal | None = None) -> None:
        """Raise OutputError if the directory cannot be moved, or an earlier result is in the way."""
        require_writable(self._folder, "use -o to write elsewhere")
        if self._folder.exists() and not self._is_replaced(interrupted):
            raise OutputError(
                f"{self._folder} is left from a reduction that was killed; move or remove it."
            )

    def finish(self, tree: FileTree) -> None:
        """Write the final tree, and put it in the place of the directory. Raises OutputError."""
        super().finish(tree)
        aside = _free(self._directory)
        try:
            self._directory.rename(aside)
            self.original_copy, self.can_resume = aside, False
            self._folder.rename(self._directory)
        except OSError as error:
            advice = f"the result is in {self._folder}"
            raise unwritable(self.path, error, advice) from error


class ArchiveOutput(FolderOutput):
    """A tar archive, compressed if its name says so, which is written at the end."""

    def check(self, interrupted: ProjectJournal | None = None) -> None:  # noqa: ARG002 (replaced)
        """Raise OutputError if the archive cannot be written."""
        if not self.path.name.endswith((".tar", ".tar.gz", ".tgz")):
            raise OutputError(f"{self.path} must end in .tar.gz, .tgz or .tar.")
        if self.path.is_dir():
            raise OutputError(f"{self.path} is a directory; name a file in it.")
        require_writable(self.path, "choose another place for --archive")

    def write(self, tree: FileTree) -> None:
        """Write nothing before the end."""

    def finish(self, tree: FileTree) -> None:
        """Write the archive. Raises OutputError."""
        mode = "w" if self.path.suffix == ".tar" else "w:gz"
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode=mode) as archive:  # type: ignore[call-overload]
            for path, entry in sorted(tree.items()):
                content = io.BytesIO(entry.content if entry.is_file else b"")
                archive.addfile(_member(path, entry), content)
        try:
            write_atomically(self.path.resolve(), data.getvalue())
        except OSError as error:
            raise unwritable(self.path, error, "put that right and try again") from error


def _is_empty(directory: Path) -> bool:
    return not directory.is_dir() or not any(directory.iterdir())


_TYPES = {
    EntryKind.FILE: tarfile.REGTYPE,
    EntryKind.LINK: tarfile.SYMTYPE,
    EntryKind.FOLDER: tarfile.DIRTYPE,
}


def _member(path: bytes, entry: Entry) -> tarfile.TarInfo:
    member = tarfile.TarInfo(shown(path))
    member.type = _TYPES[entry.kind]
    member.mode = entry.mode
    member.size = entry.weight
    if entry.kind is EntryKind.LINK:
        member.linkname = shown(entry.content)
    return member


def _free(directory: Path) -> Path:
    """Return `NAME.orig`, or `NAME.orig.1` and so on if that exists."""
    names = itertools.chain(["orig"], (f"orig.{number}" for number in itertools.count(1)))
    paths = (directory.with_name(f"{directory.name}.{name}") for name in names)
    return next(path for path in paths if not path.exists())
