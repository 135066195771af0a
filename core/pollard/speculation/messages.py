"""What the coordinator and the processes of the search say to each other.

Each message is pickled and sent through a `Connection`, which both sides trust: a process of the search
is started by the coordinator, or forked from one that was.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pollard.speculation.changes import Change

if TYPE_CHECKING:
    from pollard.engine.statistics import Tally
    from pollard.oracle import Verdict
    from pollard.passes.searching import SearchPlan


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question: the index of the first interesting text, or None.

    `verdicts` has those of all texts up to it if the search asked for them, else nothing.
    """

    hit: int | None
    verdicts: tuple[tuple[int, Verdict], ...] = ()


@dataclass(frozen=True, slots=True)
class PrintedText:
    """What the formatter printed, or why there is nothing."""

    text: bytes | None
    problem: str = ""


Given = Answer | PrintedText
"""What the search waits for."""


# From the coordinator.


@dataclass(frozen=True, slots=True)
class Begin:
    """Begin the search; `formats` says whether there is a formatter for its result."""

    plan: SearchPlan
    formats: bool


@dataclass(frozen=True, slots=True)
class ReadOn:
    """Read the next text of the question's stream, and offer it."""


@dataclass(frozen=True, slots=True)
class Assume:
    """Fork: the new process goes on as if this were the answer, and gets a connection of its own.

    The descriptor of that connection follows.
    """

    answer: Answer


@dataclass(frozen=True, slots=True)
class Follow:
    """Go on silently with these answers; to a process that replays.

    Where they end, read so many of the question's texts, and wait; or, with None, report from there
    on. `afresh` begins the search again.
    """

    answers: tuple[Given, ...]
    texts: int | None
    afresh: bool = False


# From a process of the search.


@dataclass(frozen=True, slots=True)
class Born:
    """The first message of a process that was forked."""

    pid: int


@dataclass(frozen=True, slots=True)
class PassBegan:
    """A round of a pass begins."""

    name: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class PassDone:
    """The round of the pass that began last is done."""

    tally: Tally


@dataclass(frozen=True, slots=True)
class Accepted:
    """A text became the document; `level` is where in the tree the pass is."""

    text: bytes
    level: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class Offered:
    """The next texts of a stream: any number of None, which need no run, then a text if there is one.

    `change` is how the last text differs from the best one. `exhausted` says that there are no more.
    """

    texts: tuple[bytes | None, ...]
    exhausted: bool
    guarded: int
    change: Change = field(default_factory=Change)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, with its first text; `wants_verdicts` if the answer must have all verdicts."""

    wants_verdicts: bool
    level: int
    tally: Tally
    offered: Offered


@dataclass(frozen=True, slots=True)
class Unformatted:
    """A text for the formatter."""

    text: bytes


@dataclass(frozen=True, slots=True)
class SearchDone:
    """The search ended, with a sentence for the user or none; or an error ended it."""

    tally: Tally
    note: str | None = None
    error: BaseException | None = None


@dataclass(frozen=True, slots=True)
class Arrived:
    """The process waits where its answers end, and has nothing to report."""


Report = PassBegan | PassDone | Accepted | SearchDone
FromCoordinator = Begin | ReadOn | Assume | Follow | Given
Told = Report | Asked | Offered | Unformatted
FromFork = Born | Told
FromReplay = Arrived | Told
