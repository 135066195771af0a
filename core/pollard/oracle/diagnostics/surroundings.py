"""What is around the candidate in a run's directory."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_NOT_LINKED = ("__pycache__", "node_modules")
# In a repository with more files, those that matter are hardly among the others.
_MAX_READ_FILES = 10_000
# A virtual environment has thousands of files, which change together.
_ENVIRONMENT = "pyvenv.cfg"


@dataclass(frozen=True, slots=True)
class Companion:
    """A file or directory that is copied, or linked, to a place relative to the run's directory."""

    source: Path
    place: Path
    is_link: bool = False


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The directory `root` that the run's directory stands for, so that files keep their places.

    - `root`: absolute; a file in it is copied to the same place in the run's directory
    - `inside`: the directory of the original, relative to `root`
    - `links`: directories in `root` that the run's directory has links to, since copies would take too
      long. The sandbox keeps runs from changing them
    - `neighbours`: whether there are links to all else that is in `root` and in the directories from
      there to the original, such as modules that it imports; hidden files are left out
    - `apart`: absolute paths of what changes during a reduction, such as its result, and is not linked
    """

    root: Path
    inside: Path
    links: tuple[Path, ...] = ()
    neighbours: bool = False
    apart: tuple[Path, ...] = ()

    def companions(self, sources: tuple[Path, ...]) -> tuple[Companion, ...]:
        """Return the companions for files; those outside `root` are beside the candidate."""
        copied = [Companion(source, self._place(source)) for source in sources]
        linked = [Companion(link, self._place(link), is_link=True) for link in self.links]
        taken = [each.place for each in (*copied, *linked)]
        return (*copied, *linked, *(self._neighbours(taken) if self.neighbours else ()))

    def read_files(self) -> Iterator[Path]:
        """Yield the linked files that decide what a tool reports, as far as that is known.

        These are the neighbours and the files in them, at most 10,000, and what names all packages in a
        `node_modules`.
        """
        for link in self.links:
            yield link / ".package-lock.json"
        linked = [each.source for each in self.companions(()) if each.is_link]
        neighbours = [source for source in linked if source not in self.links]
        yield from neighbours
        inner = (path for source in neighbours for path in _files_in(source))
        yield from islice(inner, _MAX_READ_FILES)

    def _place(self, source: Path) -> Path:
        if source.is_relative_to(self.root):
            return source.relative_to(self.root)
        return self.inside / source.name

    def _neighbours(self, taken: Collection[Path]) -> Iterator[Companion]:
        """Yield links to what is neither `taken` nor `apart`, and has no such place in it."""
        inner = [*taken, self.inside]
        apart = (path for path in self.apart if path.is_relative_to(self.root))
        inner += [path.relative_to(self.root) for path in apart]
        for folder in (self.inside, *self.inside.parents):
            with contextlib.suppress(OSError):
                for path in sorted((self.root / folder).iterdir()):
                    place = folder / path.name
                    is_taken = any(each.is_relative_to(place) for each in inner)
                    if not is_taken and not _is_left_out(path.name):
                        yield Companion(path, place, is_link=True)


def _is_left_out(name: str) -> bool:
    return name.startswith(".") or name in _NOT_LINKED


def _files_in(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, in order, but for what would not be linked itself."""
    for place, folders, names in os.walk(folder):
        if _ENVIRONMENT in names:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not _is_left_out(name))
        yield from (Path(place, name) for name in sorted(names) if not _is_left_out(name))
