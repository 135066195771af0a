"""A new directory with the best tree so far, and names for such directories."""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING

from pollard.mirror import Mirror
from pollard.project.project_files import read_all
from pollard.system import remove_tree

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.file_tree import FileTree
    from pollard.project.project_journal import ProjectJournal

_WRITE_SECONDS = 1.0


def free_place(directory: Path, word: str) -> Path:
    """Return `NAME.word` beside a directory, or `NAME.word.1` and so on if that exists."""
    names = itertools.chain([word], (f"{word}.{number}" for number in itertools.count(1)))
    paths = (directory.with_name(f"{directory.name}.{name}") for name in names)
    return next(path for path in paths if not (path.exists() or path.is_symlink()))


class ResultFolder:
    """Shows the best tree; it is brought up to date once a second. Methods raise `OSError`."""

    def __init__(self, path: Path) -> None:
        self.path = path
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
            self._mirror = Mirror(self.path.absolute())
            if self._replaces:
                self._mirror.check()
        self._mirror.show(tree)

    def discard(self) -> None:
        """Remove what was written, since it is no result."""
        if self._mirror is not None:
            remove_tree(self.path)
