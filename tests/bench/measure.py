"""One measured reduction: a case, a strategy, and all that it cost."""

from __future__ import annotations

import hashlib
import io
import threading
import time
import tokenize
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import pollard
from pollard.events import Event, Progress, Reduced, Result, Started
from pollard.passes.strategy import Strategy, default_strategy
from pollard.reduction import Plan, Reduction
from pollard.syntax.branches.branches import Preprocessing
from pollard.syntax.tree.sizes import size
from tests.bench.cases import Case
from tests.bench.memory import Ledger, Memory, remembering

STRATEGIES = (
    "default",
    "hdd*",
    "hddh*",
    "coarse-hdd",
    "hoist*+hdd*",
    "hoist*+hddh*",
    "hddr*",
    "hdd+",
)

Curve = list[tuple[int, int]]


@dataclass(frozen=True)
class Measurement:
    """The outcome and cost of a reduction of `case` with `strategy`; `curve` is size over runs.

    `without` names what of the preprocessing was switched off. `result.counts` has the costs;
    `interesting` is the script's own word on the final text, run without pollard. `ledger` tells how
    many runs really took place. `cpu_seconds` are those of this process, without the oracle's.
    """

    case: Case
    strategy: str
    jobs: int
    guard: bool
    without: tuple[str, ...]
    result: Result
    ledger: Ledger
    interesting: bool
    cpu_seconds: float
    curve: Curve = field(repr=False)

    @property
    def text(self) -> bytes:
        return self.result.text

    @property
    def size(self) -> int:
        """Non-whitespace bytes."""
        return self.result.reduced.non_whitespace

    @property
    def candidates(self) -> int:
        counts = self.result.counts
        return counts.runs + counts.guarded + counts.cache_hits

    @property
    def guarded_share(self) -> float:
        counts = self.result.counts
        return counts.guarded / max(counts.guarded + counts.runs, 1)

    @property
    def own_seconds(self) -> float:
        """Seconds that no oracle ran; meaningful for one job."""
        return max(self.result.counts.seconds - self.ledger.seconds, 0.0)

    @property
    def half_size(self) -> int:
        """The size when half of the runs were done."""
        return size_at(self.curve, self.result.counts.runs / 2)


def measure(
    case: Case,
    strategy: str,
    *,
    jobs: int = 1,
    guard: bool = True,
    without: Sequence[str] = (),
    memory: Memory | None = None,
    read: bool = True,
    time_limit: float | None = None,
    run_limit: int | None = None,
    on_event: Callable[[Event], None] = lambda _: None,
) -> Measurement:
    """Reduce a case with an empty cache of verdicts.

    Its search is stopped after `time_limit` seconds or `run_limit` runs; with several jobs some more
    may have been counted by then.
    """
    curve: Curve = [(0, size(case.text))]

    def listen(event: Event) -> None:
        on_event(event)
        if isinstance(event, Started) and time_limit is not None:
            timer.start()
        if isinstance(event, Progress) and event.counts.runs == run_limit:
            reduction.cancel()
        if isinstance(event, Reduced):
            curve.append((event.counts.runs, size(event.text)))

    plan = Plan(
        text=case.text,
        filename=case.path.name,
        oracle=case.oracle,
        grammar=case.grammar,
        strategy=_strategy(strategy, case),
        jobs=jobs,
        guard=guard,
        preprocessing=replace(Preprocessing(), **dict.fromkeys(without, False)),
        checks=2,
        cache=False,
    )
    with remembering(memory, read=read) as ledger:
        reduction = Reduction(plan, listen)
        timer = threading.Timer(time_limit or 0, reduction.cancel)
        began = time.process_time()
        try:
            result = reduction.run()
        finally:
            timer.cancel()
        cpu_seconds = time.process_time() - began
    curve.append((result.counts.runs, result.reduced.non_whitespace))
    return Measurement(
        case=case,
        strategy=strategy,
        jobs=jobs,
        guard=guard,
        without=tuple(without),
        result=result,
        ledger=ledger,
        interesting=case.holds(result.text),
        cpu_seconds=cpu_seconds,
        curve=curve,
    )


@cache
def engine() -> str:
    """A digest of the code that reduces: rows of a table made by different code must not be mixed.

    Comments and docstrings change no result, so they are left out.
    """
    digest = hashlib.blake2b(digest_size=4)
    root = Path(pollard.__file__).parent
    for folder in ("syntax", "search", "engine", "passes"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in (".scm", ".toml"):
                digest.update(file.read_bytes())
            elif file.suffix == ".py":
                digest.update(without_comments(file.read_text()).encode())
    return digest.hexdigest()


def without_comments(source: str) -> str:
    """Return the tokens of a Python module, a line each, without its comments and docstrings."""
    kept, starts_statement = [], True
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.COMMENT, tokenize.NL):
            continue
        if starts_statement and token.type in (tokenize.STRING, tokenize.NEWLINE):
            continue
        kept.append(token.string)
        starts_statement = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    return "\n".join(kept)


def size_at(curve: Curve, runs: float) -> int:
    """Return the size that a curve shows after so many runs."""
    return next(size for done, size in reversed(curve) if done <= runs)


def _strategy(name: str, case: Case) -> Strategy:
    return default_strategy() if name == "default" else Strategy.parse(name)
