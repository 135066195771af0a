"""What is around the candidate in a run's directory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


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
    """

    root: Path
    inside: Path
    links: tuple[Path, ...] = ()

    def companions(self, sources: tuple[Path, ...]) -> tuple[Companion, ...]:
        """Return the companions for files; those outside `root` are beside the candidate."""
        copied = (Companion(source, self._place(source)) for source in sources)
        linked = (Companion(link, self._place(link), is_link=True) for link in self.links)
        return (*copied, *linked)

    def _place(self, source: Path) -> Path:
        if source.is_relative_to(self.root):
            return source.relative_to(self.root)
        return self.inside / source.name
