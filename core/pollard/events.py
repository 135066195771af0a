"""The events of a reduction, for its listeners: a command line, an editor, a log."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from pollard.forecast import Outlook
from pollard.syntax.encodings.encoding import UTF_8, Encoding
from pollard.syntax.tree.sizes import tokens, without_white_space

if TYPE_CHECKING:
    from pollard.engine.statistics import PassStatistics
    from pollard.limits import EndedBy
    from pollard.oracle import Frequency, OtherFailure, Signature
    from pollard.syntax.tree.document import Document


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a text.

    - `bytes`: all bytes of the file
    - `non_whitespace`: those that are not white space
    - `tokens`: leaves of the syntax tree; without a grammar, words between white space
    """

    bytes: int
    non_whitespace: int
    tokens: int

    @classmethod
    def of(cls, document: Document, encoding: Encoding = UTF_8) -> Size:
        """Measure a document whose file has an encoding that can express it."""
        text = encoding.encoded(document.text) or b""
        dense = encoding.encoded(without_white_space(document.text)) or b""
        return cls(len(text), len(dense), tokens(document))


@dataclass(frozen=True, slots=True)
class Counts:
    """The cost of a reduction so far.

    - `runs`: executions of the oracle for candidates; the same for any number of jobs
    - `wasted_runs`: executions that were started ahead and not needed; 0 for one job
    - `check_runs`: executions on the original before the search, and on the result after it, with those
      that measure how often they fail
    - `guarded`: candidates that the parser rejected without a run; with several jobs the number
      varies a little
    - `cache_hits`: verdicts that were already known
    - `invalid`, `timeouts`, `other_failures`: the runs with these verdicts
    - `reductions`: accepted candidates
    - `seconds`: wall time since the reduction began
    - `oracle_seconds`: wall time of all executions for candidates, added up, also of wasted ones that
      were not cut short
    - `wasted_seconds`: that of the wasted ones alone
    """

    runs: int = 0
    wasted_runs: int = 0
    check_runs: int = 0
    guarded: int = 0
    cache_hits: int = 0
    invalid: int = 0
    timeouts: int = 0
    other_failures: int = 0
    reductions: int = 0
    seconds: float = 0.0
    oracle_seconds: float = 0.0
    wasted_seconds: float = 0.0

    def __add__(self, other: Counts) -> Counts:
        """Return the sum of all figures."""
        names = (key.name for key in fields(self))
        return Counts(**{name: getattr(self, name) + getattr(other, name) for name in names})

    @property
    def busy_workers(self) -> float:
        """How many executions for candidates were in progress on average."""
        return self.oracle_seconds / self.seconds if self.seconds else 0.0

    @property
    def unresolved(self) -> tuple[str, ...]:
        """Phrases for runs with the other verdicts, such as "3 timed out", if there were any."""
        phrases = (
            (self.invalid, "invalid"),
            (self.timeouts, "timed out"),
            (self.other_failures, "failed otherwise"),
        )
        return tuple(f"{number} {phrase}" for number, phrase in phrases if number)


@dataclass(frozen=True, slots=True)
class Measuring:
    """Further runs measure how often a text fails; `what` says it for people."""

    what: str


@dataclass(frozen=True, slots=True)
class Started:
    """The oracle holds for the original, and the search begins.

    - `original`: its size
    - `language`: the name of its grammar; None for plain text, or if no grammar knows the file
    - `strategy`, `jobs`: how it is reduced
    - `timeout`: the limit of each run in seconds
    - `failure`: what the original's failure is, if its output or its end tells
    - `notes`: sentences for the user
    """

    original: Size
    language: str | None
    strategy: str
    jobs: int
    timeout: float
    failure: Signature | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """A run ended.

    - `bytes`, `original_bytes`: the size of the best text so far, and of the original
    - `where`: the pass, with its level in the syntax tree if it goes by levels
    - `counts`: the cost so far
    - `outlook`: the size that is expected, and whether the text is likely final
    """

    bytes: int
    original_bytes: int
    where: str
    counts: Counts
    outlook: Outlook = field(default_factory=lambda: Outlook(None, 1.0))

    @property
    def rate(self) -> float:
        """Oracle runs a second since the start."""
        return self.counts.runs / self.counts.seconds if self.counts.seconds else 0.0


@dataclass(frozen=True, slots=True)
class Reduced:
    """A candidate was accepted: it is interesting, and now the best text.

    - `text`: the candidate, smaller than the one before or formatted
    - `number`: how many were accepted so far
    - `where`, `counts`: as in `Progress`
    """

    text: bytes = field(repr=False)
    number: int
    where: str
    counts: Counts

    @property
    def size(self) -> int:
        """The bytes of the text."""
        return len(self.text)


@dataclass(frozen=True, slots=True)
class PassEnded:
    """A round of a pass ended; `statistics` are the figures of this round alone."""

    statistics: PassStatistics


@dataclass(frozen=True, slots=True)
class Finished:
    """The reduction ended with `result`; the last event."""

    result: Result


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a reduction.

    - `text`: the smallest text that was seen to be interesting, even if the search was cancelled
    - `original`, `reduced`: the sizes before and after
    - `counts`: the cost
    - `strategy`, `jobs`: how it was reduced
    - `cancelled`: whether the user stopped the search
    - `ended_by`: the setting that ended the search early, such as "max_runs"; None: none did
    - `original_failure`, `failure`: the failures of the original and of `text`, where they are known
    - `original_frequency`, `frequency`: how often the original and `text` failed, if the oracle
      requires several runs; that of `text` is None if the search was cancelled
    - `others`: failures of another kind that candidates showed, with the smallest text of each
    - `notes`: sentences for the user, such as that no grammar knows the file
    - `passes`: the figures of each pass, all rounds added up, in the order in which they began
    """

    text: bytes = field(repr=False)
    original: Size
    reduced: Size
    counts: Counts
    strategy: str
    jobs: int
    cancelled: bool = False
    ended_by: EndedBy | None = None
    original_failure: Signature | None = None
    failure: Signature | None = None
    original_frequency: Frequency | None = None
    frequency: Frequency | None = None
    others: tuple[OtherFailure, ...] = ()
    notes: tuple[str, ...] = ()
    passes: tuple[PassStatistics, ...] = ()

    @property
    def interesting(self) -> bool:
        """Always true: only a text that the oracle found interesting becomes a result."""
        return True


Event = Measuring | Started | Progress | Reduced | PassEnded | Finished
