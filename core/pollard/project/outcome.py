"""The events and the result of a reduction of several files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pollard.events import Counts, Measuring, PassEnded, Progress
from pollard.file_tree import FileTree, file_count, shown, weight

if TYPE_CHECKING:
    from pollard.engine.statistics import PassStatistics
    from pollard.limits import EndedBy
    from pollard.oracle import Signature


@dataclass(frozen=True, slots=True)
class ProjectSize:
    """The size of a tree: its `files`, links included, and the `bytes` of all files."""

    files: int
    bytes: int

    @classmethod
    def of(cls, tree: FileTree) -> ProjectSize:
        """Measure a tree."""
        return cls(file_count(tree), weight(tree))


@dataclass(frozen=True, slots=True)
class ProjectStarted:
    """The oracle holds for the original, and the search begins; the fields are those of `Started`."""

    original: ProjectSize
    strategy: str
    jobs: int
    timeout: float
    failure: Signature | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FilesReduced:
    """A candidate was accepted: `tree` is now the best one.

    - `files`, `size`: the number of its files, and their bytes
    - `number`: how many were accepted so far
    - `where`, `counts`: as in `Progress`
    """

    tree: FileTree = field(repr=False)
    files: int
    size: int
    number: int
    where: str
    counts: Counts


@dataclass(frozen=True, slots=True)
class ReducedFile:
    """What became of one file: its bytes before and after; `reduced` is None if the file is gone."""

    path: str
    original: int
    reduced: int | None


@dataclass(frozen=True, slots=True)
class OtherTree:
    """A failure of another kind than the original's, and the smallest files that showed it.

    `runs` is the number of candidates that showed it.
    """

    failure: Signature
    tree: FileTree = field(repr=False)
    runs: int

    @property
    def bytes(self) -> int:
        """The size of all its files."""
        return weight(self.tree)


@dataclass(frozen=True, slots=True)
class ProjectResult:
    """The outcome of a reduction of several files; `Result` explains the fields that it has as well.

    - `tree`: the smallest tree that was seen to be interesting
    - `original`, `reduced`: the sizes before and after
    - `others`: failures of another kind that candidates showed
    """

    tree: FileTree = field(repr=False)
    original_tree: FileTree = field(repr=False)
    counts: Counts
    strategy: str
    jobs: int
    cancelled: bool = False
    ended_by: EndedBy | None = None
    original_failure: Signature | None = None
    failure: Signature | None = None
    notes: tuple[str, ...] = ()
    passes: tuple[PassStatistics, ...] = ()
    others: tuple[OtherTree, ...] = ()

    @property
    def original(self) -> ProjectSize:
        """The size before."""
        return ProjectSize.of(self.original_tree)

    @property
    def reduced(self) -> ProjectSize:
        """The size after."""
        return ProjectSize.of(self.tree)

    @property
    def files(self) -> dict[str, bytes]:
        """The contents of the files that are left, by path."""
        return {shown(path): each.content for path, each in self.tree.items() if each.is_file}

    @property
    def by_file(self) -> tuple[ReducedFile, ...]:
        """What became of each file, in the order of the paths."""
        return tuple(
            ReducedFile(shown(path), old.weight, new.weight if new else None)
            for path, old in sorted(self.original_tree.items())
            for new in (self.tree.get(path),)
            if old.is_file
        )


@dataclass(frozen=True, slots=True)
class ProjectFinished:
    """The reduction ended with `result`; the last event."""

    result: ProjectResult


ProjectEvent = Measuring | ProjectStarted | Progress | FilesReduced | PassEnded | ProjectFinished
