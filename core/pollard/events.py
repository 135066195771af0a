"""What a reduction tells those who listen: a command line, an editor, a log."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pollard.syntax.tree.sizes import size, tokens

if TYPE_CHECKING:
    from pollard.engine.statistics import PassStatistics
    from pollard.syntax.tree.document import Document


@dataclass(frozen=True, slots=True)
class Size:
    """How large a text is: in bytes, in bytes that are no white space, and in tokens.

    Tokens are the leaves of the syntax tree; without a grammar, the words between white space.
    """

    bytes: int
    non_whitespace: int
    tokens: int

    @classmethod
    def of(cls, document: Document) -> Size:
        """Measure a document."""
        return cls(len(document.text), size(document.text), tokens(document))


@dataclass(frozen=True, slots=True)
class Counts:
    """What a reduction has cost so far; seconds are wall time."""

    runs: int = 0
    wasted_runs: int = 0
    check_runs: int = 0
    guarded: int = 0
    cache_hits: int = 0
    invalid: int = 0
    timeouts: int = 0
    reductions: int = 0
    seconds: float = 0.0
    oracle_seconds: float = 0.0

    @property
    def unresolved(self) -> tuple[str, ...]:
        """What is to be said of runs that were invalid or took too long; nothing if none was."""
        said = ((self.invalid, "invalid"), (self.timeouts, "timed out"))
        return tuple(f"{number} {what}" for number, what in said if number)


@dataclass(frozen=True, slots=True)
class Started:
    """The original was seen to be interesting; the search begins."""

    original: Size
    language: str | None
    strategy: str
    jobs: int
    timeout: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """A run ended. `bytes` is the size of the best text so far, `where` the pass and its level."""

    bytes: int
    original_bytes: int
    where: str
    counts: Counts

    @property
    def rate(self) -> float:
        """Oracle runs a second, since the start."""
        return self.counts.runs / self.counts.seconds if self.counts.seconds else 0.0


@dataclass(frozen=True, slots=True)
class Reduced:
    """A smaller text, or one that was formatted, was seen to be interesting and is now the best."""

    text: bytes = field(repr=False)
    number: int
    where: str
    counts: Counts


@dataclass(frozen=True, slots=True)
class PassEnded:
    """A round of a pass ended; `statistics` has the figures of this round alone."""

    statistics: PassStatistics


@dataclass(frozen=True, slots=True)
class Finished:
    """The reduction ended; `result` says how."""

    result: Result


@dataclass(frozen=True, slots=True)
class Result:
    """What a reduction came to. `text` was seen to be interesting, also if it was cancelled.

    `passes` has the figures of each pass in all its rounds, in the order in which they began.
    """

    text: bytes = field(repr=False)
    original: Size
    reduced: Size
    counts: Counts
    strategy: str
    jobs: int
    cancelled: bool = False
    notes: tuple[str, ...] = ()
    passes: tuple[PassStatistics, ...] = ()

    @property
    def interesting(self) -> bool:
        """Always true: a text that was not seen to be interesting never becomes a result."""
        return True


Event = Started | Progress | Reduced | PassEnded | Finished
