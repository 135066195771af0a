"""How good the forecasts are, and the figures of passes that they are made from (`pollard.forecast`).

A forecast is right if the text that it called likely final lost less than a percent in the next 100
runs, or until the end if that came first.
`python -m tests.bench.forecasts --remember FILE [--set SET] [--strategy S] [CASE...]` prints both.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pollard.engine.tidying import NAME as TIDY
from pollard.errors import PollardError
from pollard.events import Event, Progress, Reduced
from pollard.forecast import PERCENT, Outlook, TurnFigures
from pollard.syntax.tree.sizes import size
from tests.bench.cases import SETS, Case, by_name
from tests.bench.measure import measure
from tests.bench.memory import Memory

_HORIZON_RUNS = 100
_TIME_LIMIT_SECONDS = 600.0


@dataclass(frozen=True)
class Moment:
    """A run: how many there were, the pass, the size after it, and the forecast then."""

    runs: int
    name: str
    size: int
    outlook: Outlook


@dataclass
class Recording:
    """One reduction of `case`, run by run; `original` is its size without white space."""

    case: str
    original: int
    moments: list[Moment] = field(default_factory=list)

    def listen(self, event: Event) -> None:
        """Keep a run; an accepted text belongs to the run before it."""
        last = self.moments[-1].size if self.moments else self.original
        if isinstance(event, Progress):
            name = event.where.partition(" level ")[0]
            self.moments.append(Moment(event.counts.runs, name, last, event.outlook))
        elif isinstance(event, Reduced) and self.moments:
            run = self.moments.pop()
            # What was forecast before the text was accepted is not what stands then.
            outlook = Outlook(run.outlook.bytes, 1.0)
            self.moments.append(Moment(run.runs, run.name, size(event.text), outlook))

    @property
    def last(self) -> Moment:
        """The last run."""
        return self.moments[-1]

    @property
    def first_likely_final(self) -> Moment | None:
        """The run after which the text was first called likely final."""
        return next((each for each in self.moments if each.outlook.likely_final), None)

    @property
    def is_right(self) -> bool:
        """Whether that text lost less than a percent in the next 100 runs."""
        called = self.first_likely_final
        assert called is not None
        soon = [
            m.size for m in self.moments if called.runs <= m.runs <= called.runs + _HORIZON_RUNS
        ]
        return min(soon) > (1 - PERCENT) * called.size

    def factor_off(self, share_of_runs: float) -> float:
        """By which factor the forecast size was off after a share of the runs."""
        moment = self.moments[int(share_of_runs * (len(self.moments) - 1))]
        last = self.moments[-1]
        if moment.outlook.bytes is None:
            return math.inf
        off = moment.outlook.bytes / last.size
        return max(off, 1 / off)

    def turns(self) -> Iterator[tuple[str, int, int, list[int], int]]:
        """Yield of each turn of a pass: its name, the sizes before and after, runs between savings.

        The last number is that of the runs after the last saving.
        """
        name, before, mark, since, gaps, now = (
            "",
            self.original,
            self.original,
            0,
            [],
            self.original,
        )
        for moment in self.moments:
            if moment.name not in (name, TIDY):
                if name:
                    yield name, before, now, gaps, since
                name, before, mark, since, gaps = moment.name, now, now, 0, []
            since, now = since + 1, moment.size
            if now <= (1 - PERCENT) * mark:
                gaps, mark, since = [*gaps, since], now, 0
        if name:
            yield name, before, now, gaps, since


def recorded(case: Case, strategy: str, memory: Memory | None) -> Recording:
    """Reduce a case with one job, and record it."""
    recording = Recording(case.name, size(case.text))
    measure(
        case,
        strategy,
        memory=memory,
        time_limit=_TIME_LIMIT_SECONDS,
        on_event=recording.listen,
    )
    return recording


def fitted(recordings: Sequence[Recording]) -> dict[str, TurnFigures]:
    """Return the figures of each pass."""
    turns = defaultdict(list)
    for recording in recordings:
        for name, *turn in recording.turns():
            turns[name].append(turn)
    return {name: _figures(*zip(*of, strict=True)) for name, of in turns.items()}


def _figures(
    before: Sequence[int], after: Sequence[int], gaps: Sequence[list[int]], _: Sequence[int]
) -> TurnFigures:
    saving = [each for each in gaps if each]
    further = sum(len(each) - 1 for each in saving)
    return TurnFigures(
        first=len(saving) / len(gaps),
        again=further / (further + len(saving)) if saving else 0.0,
        runs=statistics.fmean(run for each in saving for run in each) if saving else 0.0,
        left=statistics.geometric_mean(
            now / then for then, now in zip(before, after, strict=True) if now
        ),
    )


def main(arguments: list[str]) -> int:
    """Print a line for each case, then sums and figures; skip cases whose programs are missing."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.forecasts", description=__doc__)
    parser.add_argument("case", nargs="*", help="cases (all of the set)")
    parser.add_argument("--set", choices=SETS, default="corpus")
    parser.add_argument("--strategy", default="default")
    parser.add_argument("--remember", type=Path, metavar="FILE", help="a file with verdicts")
    options = parser.parse_args(arguments)
    memory = Memory(options.remember) if options.remember else None
    cases = [by_name()[name] for name in options.case] or SETS[options.set]()
    recordings = []
    for case in cases:
        try:
            recordings.append(recorded(case, options.strategy, memory))
        except (PollardError, OSError) as error:
            print(f"{case.name}: {str(error).splitlines()[0]}", flush=True)
        else:
            print(_line(recordings[-1]), flush=True)
    for line in _sums(recordings):
        print(line)
    return 0


def _line(recording: Recording) -> str:
    called = recording.first_likely_final
    line = f"{recording.case}: {recording.last.size} B in {recording.last.runs} runs"
    if called is None:
        return line
    word = "right" if recording.is_right else "WRONG"
    return f"{line}; likely final with {called.size} B after {called.runs}: {word}"


def _sums(recordings: Sequence[Recording]) -> Iterator[str]:
    called = [each for each in recordings if each.first_likely_final]
    right = sum(each.is_right for each in called)
    yield f"likely final: said of {len(called)} of {len(recordings)} reductions, right {right} times"
    for share in (0.25, 0.5, 0.75):
        off = statistics.median(each.factor_off(share) for each in recordings)
        yield f"the size forecast after {share:.0%} of the runs is off by {off:.2f} times (median)"
    for name, figures in fitted(recordings).items():
        yield f"{name}: {figures}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
