"""What is around the candidate in a run's directory."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

_NOT_LINKED = ("__pycache__", "node_modules")


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
    """

    root: Path
    inside: Path
    links: tuple[Path, ...] = ()
    neighbours: bool = False

    def companions(self, sources: tuple[Path, ...]) -> tuple[Companion, ...]:
        """Return the companions for files; those outside `root` are beside the candidate."""
        copied = [Companion(source, self._place(source)) for source in sources]
        linked = [Companion(link, self._place(link), is_link=True) for link in self.links]
        taken = [each.place for each in (*copied, *linked)]
        return (*copied, *linked, *(self._neighbours(taken) if self.neighbours else ()))

    def read_files(self) -> Iterator[Path]:
        """Yield the linked files that decide what a tool reports, as far as that is known.

        These are the neighbours and the Python files in them, and what names all packages in a
        `node_modules`.
        """
        for link in self.links:
            yield link / ".package-lock.json"
        for each in self.companions(()):
            if each.is_link and each.source not in self.links:
                yield each.source
                if not (each.source / "pyvenv.cfg").exists():
                    yield from sorted(each.source.rglob("*.py"))

    def _place(self, source: Path) -> Path:
        if source.is_relative_to(self.root):
            return source.relative_to(self.root)
        return self.inside / source.name

    def _neighbours(self, taken: Collection[Path]) -> Iterator[Companion]:
        """Yield links to what is neither `taken`, nor has a place in it that is."""
        for folder in (self.inside, *self.inside.parents):
            with contextlib.suppress(OSError):
                for path in sorted((self.root / folder).iterdir()):
                    place = folder / path.name
                    hidden = path.name.startswith(".") or path.name in _NOT_LINKED
                    inner = (*taken, self.inside)
                    if not hidden and not any(each.is_relative_to(place) for each in inner):
                        yield Companion(path, place, is_link=True)
