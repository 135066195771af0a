"""Where the result of a directory or of several files goes: a new directory, or an archive."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from pollard.cli.output import OutputError, require_writable, unwritable
from pollard.project.result_folder import ResultFolder, archive_of, free_place
from pollard.system import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pollard.file_tree import FileTree
    from pollard.project.project_journal import ProjectJournal

_ELSEWHERE = "choose another place with -o"


class FolderOutput:
    """A new directory, which holds the best tree; it is brought up to date once a second."""

    original_copy: Path | None = None
    can_resume = True

    def __init__(self, path: Path, folder: Path | None = None) -> None:
        """The tree is written to `folder`, by default to `path` itself."""
        self.path = path
        self._result = ResultFolder(folder or path)

    @property
    def label(self) -> str:
        """Its name in messages."""
        return str(self.path)

    @property
    def set_aside(self) -> list[Path]:
        """Where what somebody else changed in the result is now."""
        return self._result.set_aside

    def check(self, interrupted: ProjectJournal | None = None) -> None:
        """Raise OutputError if it cannot be written, or holds something already.

        The best tree of the `interrupted` reduction is replaced.
        """
        if self.path.exists() and not self.path.is_dir():
            raise OutputError(f"{self.path} is no directory; {_ELSEWHERE}.")
        if not self._result.is_empty and not (interrupted and self._result.replaces(interrupted)):
            raise OutputError(f"{self.path} is not empty; remove it, or {_ELSEWHERE}.")
        if not self.path.exists():
            require_writable(self.path, _ELSEWHERE)

    def write(self, tree: FileTree) -> None:
        """Write the best tree so far, unless the last one was written just now. Raises OutputError."""
        with self._explained():
            self._result.write(tree)

    def finish(self, tree: FileTree) -> None:
        """Write the final tree. Raises OutputError."""
        with self._explained():
            self._result.finish(tree)

    def discard(self) -> None:
        """Remove what was written, since it is no result."""
        self._result.discard()

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise unwritable(self.path, error, "put that right and go on with --resume") from error


class FolderInPlace(FolderOutput):
    """The directory itself; the original is moved aside as a whole when the result is complete."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory.resolve()
        folder = self._directory.with_name(f".{self._directory.name}.pollard")
        super().__init__(directory, folder)

    def check(self, interrupted: ProjectJournal | None = None) -> None:
        """Raise OutputError if the directory cannot be moved, or an earlier result is in the way."""
        folder = self._result.path
        require_writable(folder, "use -o to write elsewhere")
        if folder.exists() and not (interrupted and self._result.replaces(interrupted)):
            raise OutputError(
                f"{folder} is left from a reduction that was killed; move or remove it."
            )

    def finish(self, tree: FileTree) -> None:
        """Write the final tree, and put it in the place of the directory. Raises OutputError."""
        super().finish(tree)
        aside, folder = free_place(self._directory, "orig"), self._result.path
        try:
            self._directory.rename(aside)
            self.original_copy, self.can_resume = aside, False
            folder.rename(self._directory)
        except OSError as error:
            advice = f"the result is in {folder}"
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
        archive = archive_of(tree, compressed=self.path.suffix != ".tar")
        try:
            write_atomically(self.path.resolve(), archive)
        except OSError as error:
            raise unwritable(self.path, error, "put that right and try again") from error
