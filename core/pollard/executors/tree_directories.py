"""Run directories that hold a tree of files, of which only the difference is written for each run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pollard.executors.run_directories import RunDirectories, RunDirectory, cannot_write
from pollard.mirror import Mirror

if TYPE_CHECKING:
    from pollard.file_tree import FileTree


class TreeDirectory(RunDirectory):
    """A directory for one run at a time, which shows the tree of that run."""

    def __init__(self, directory: Path, main: str) -> None:
        """`main` is the path of the main file in the directory; "" if there is none."""
        super().__init__(directory, Path(main), {})

    @property
    def folder(self) -> Path:
        """What `{dir}` stands for in a command: the root of the tree."""
        return self.directory

    def show(self, tree: FileTree) -> None:
        """Write the difference to the tree before. Raises `OracleError` if that fails."""
        try:
            self._mirror.show(tree)
        except OSError as error:
            raise cannot_write(self.directory, error) from error

    def _create(self) -> list[tuple[int, int, int]]:
        identities = super()._create()
        self._mirror = Mirror(self.directory)
        return identities

    def _is_reusable(self) -> bool:
        """Remove what the run left behind; return whether that was possible."""
        try:
            self._mirror.check()
        except (OSError, RecursionError):
            return False
        return True


class TreeDirectories(RunDirectories):
    """A temporary root with a `TreeDirectory` for each parallel run; `close` removes it."""

    def __init__(self, main: str) -> None:
        super().__init__(Path(main), ())

    def _new_directory(self, path: Path) -> RunDirectory:
        return TreeDirectory(path, str(self._file))
