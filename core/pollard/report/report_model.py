"""What a report says, for the writers of a page and of Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pollard.errors import PollardError
from pollard.quantities import count_of, format_duration, format_size
from pollard.syntax.encodings.encoding import UTF_8, Encoding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pollard.engine.statistics import PassStatistics


class NoReportError(PollardError):
    """There is no reduction to report on, or what it left cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileInReport:
    """A file before and after; `result` is None if the file is not needed.

    `language` is the name of its grammar. The contents are the file's bytes, in its `encoding`.
    `size` is that of the original in bytes, if its content is not here: the file is not needed.
    """

    name: str
    original: bytes = field(repr=False)
    result: bytes | None = field(repr=False)
    language: str | None = None
    encoding: Encoding = UTF_8
    size: int | None = None

    @property
    def original_bytes(self) -> int:
        """The size of the original."""
        return len(self.original) if self.size is None else self.size


@dataclass(frozen=True, slots=True)
class ReportStep:
    """An accepted candidate: its number from 1, its size in bytes, and what the search had cost.

    `runs` and `seconds` (wall time) count from the beginning of the reduction; `where` is the pass with
    its level, "" if unknown.
    """

    number: int
    size: int
    runs: int
    seconds: float
    where: str

    @property
    def pass_name(self) -> str:
        """The pass without its level."""
        return self.where.partition(" level ")[0] or "unknown pass"


@dataclass(frozen=True, slots=True)
class OtherInReport:
    """A failure of another kind that candidates showed.

    `failure` says which, `size` is that of the smallest text that showed it, in bytes, and `runs`
    counts the candidates that did.
    """

    failure: str
    size: int
    runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that a report says of one reduction.

    - `name`: the file or the directory
    - `files`: a single file, or all files of a directory
    - `command`: how to see the failure, as a line for the shell; "" for a Python function
    - `failure`: which failure it is, in a few words; `output`: what the command printed for the result
    - `state`: a sentence about a reduction that did not reach its end; "" if it did
    - `began`: ISO 8601 in UTC; "" if unknown
    - `runs`, `seconds`: what the search cost, all sessions added up
    - `steps`: the accepted candidates in order
    - `changes`: returns how each step changed the text, each in at most so many characters
    """

    name: str
    files: tuple[FileInReport, ...]
    command: str = ""
    failure: str = ""
    output: str = ""
    state: str = ""
    began: str = ""
    strategy: str = ""
    jobs: int = 1
    versions: tuple[str, ...] = ()
    runs: int = 0
    seconds: float = 0.0
    passes: tuple[PassStatistics, ...] = ()
    others: tuple[OtherInReport, ...] = ()
    notes: tuple[str, ...] = ()
    steps: tuple[ReportStep, ...] = ()
    changes: Callable[[int], Iterator[str]] = field(default=lambda _: iter(()), repr=False)

    @property
    def original_bytes(self) -> int:
        """The size of all files before."""
        return sum(file.original_bytes for file in self.files)

    @property
    def result_bytes(self) -> int:
        """The size of all files after."""
        return sum(len(file.result or b"") for file in self.files)

    @property
    def summary(self) -> str:
        """A sentence with both sizes and what the search cost."""
        before, after = map(format_size, (self.original_bytes, self.result_bytes))
        cost = f"{count_of(self.runs, 'run')} ({format_duration(self.seconds)})"
        return f"Reduced by Pollard from {before} to {after} in {cost}."

    @property
    def is_directory(self) -> bool:
        """Whether several files were reduced."""
        return len(self.files) != 1
