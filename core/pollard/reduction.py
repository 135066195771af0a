"""One reduction from start to end: check, search, confirm, and tell what happens."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.errors import Cancelled, PollardError
from pollard.events import Counts, Event, Finished, Progress, Reduced, Result, Size, Started
from pollard.journal import Journal, Terms
from pollard.oracle.cache import VerdictCache
from pollard.oracle.check import check
from pollard.oracle.sandbox import Runner
from pollard.oracle.speculation import Judge
from pollard.oracle.verdict import Verdict
from pollard.passes.strategy import WITHOUT_GRAMMAR, Strategy
from pollard.passes.subject import Subject
from pollard.syntax.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pollard.oracle.oracle import Oracle
    from pollard.syntax.languages import Grammar


class Unstable(PollardError):
    """The oracle's verdict on a text changed; what it said before cannot be trusted."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to reduce and how.

    `region` is the byte span (start, end) that may change; None stands for all. `checks` is how often
    the original is run first. `cache` says whether verdicts are kept on disk. `journal` is the
    directory that keeps every accepted text; with `resume` the reduction begun there goes on.
    """

    text: bytes
    filename: str
    oracle: Oracle
    grammar: Grammar | None = None
    strategy: Strategy = Strategy.parse("default")
    jobs: int = 1
    region: tuple[int, int] | None = None
    guard: bool = True
    checks: int = 3
    cache: bool = True
    journal: Path | None = None
    resume: bool = False


class Reduction:
    """Carries out a plan; `listener` is called, in the thread of `run`, with every event."""

    def __init__(self, plan: Plan, listener: Callable[[Event], None] = lambda event: None) -> None:
        self._plan = plan
        self._listener = listener
        self._cancelled = threading.Event()
        self._judge: Judge | None = None
        self._subject: Subject | None = None
        self._journal: Journal | None = None
        self._replayed = 0
        self._best = plan.text
        self._where = ""
        self._check_runs = 0
        self._began = time.monotonic()
        self._notes: list[str] = []

    @property
    def best(self) -> bytes:
        """The smallest text so far that was seen to be interesting; may be read from any thread."""
        return self._best

    def cancel(self) -> None:
        """Stop, from any thread: `run` returns within half a second with the best so far."""
        self._cancelled.set()
        if self._judge is not None:
            self._judge.cancel()

    def pause(self) -> None:
        """Start no further oracle run until `resume` is called, from any thread."""
        if self._judge is not None:
            self._judge.pause()

    def resume(self) -> None:
        """Go on after `pause`, from any thread."""
        if self._judge is not None:
            self._judge.resume()

    def run(self) -> Result:
        """Reduce and return the result.

        Raises PollardError if the original is not interesting, flaky, or cannot be run at all, and
        Cancelled if the reduction was cancelled before that was known.
        """
        with ExitStack() as stack:
            return self._run(stack)

    def _run(self, stack: ExitStack) -> Result:
        plan = self._plan
        document, strategy = self._document(), self._strategy()
        runner = stack.enter_context(Runner(plan.oracle, plan.filename))
        timeout = self._checked(runner)
        self._open_journal(timeout, strategy)
        cache = stack.enter_context(VerdictCache(plan.oracle, plan.filename, on_disk=plan.cache))
        self._judge = stack.enter_context(
            Judge(runner, cache, plan.jobs, on_run=self._progress, cancelled=self._cancelled)
        )
        self._subject = Subject(
            document,
            self._judge,
            region=plan.region,
            guard=plan.guard,
            cancelled=self._cancelled,
            on_reduced=self._reduced,
        )
        language = plan.grammar.name if document.language and plan.grammar else None
        original = Size.of(document)
        self._tell(
            Started(original, language, strategy.name, plan.jobs, timeout, tuple(self._notes))
        )
        cancelled = self._search(strategy, runner)
        result = Result(
            text=self._best,
            original=original,
            reduced=Size.of(Document(self._best, document.language)),
            counts=self._counts(),
            strategy=strategy.name,
            jobs=plan.jobs,
            cancelled=cancelled,
            notes=tuple(self._notes),
        )
        self._tell(Finished(result))
        return result
