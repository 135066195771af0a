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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pollard.engine.tidying import NAME as TIDY
from pollard.errors import PollardError
from pollard.events import Event, Progress, Reduced
from pollard.forecast import PERCENT, Outlook, TurnFigures
from pollard.passes.strategy import Strategy
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


@dataclass(frozen=True)
class Turn:
    """A turn of a pass: the sizes before and after it, and the runs before each saving of a percent."""

    before: int = 1
    after: int = 1
    gaps: tuple[int, ...] = ()


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

    def turns(self) -> Iterator[tuple[str, Turn]]:
        """Yield each turn that had a run, and the name of its pass."""
        name, before, mark, now = "", self.original, self.original, self.original
        since, gaps = 0, list[int]()
        for moment in self.moments:
            if moment.name not in (name, TIDY):
                if name:
                    yield name, Turn(before, now, tuple(gaps))
                name, before, mark, since, gaps = moment.name, now, now, 0, []
            since, now = since + 1, moment.size
            if now <= (1 - PERCENT) * mark:
                gaps, mark, since = [*gaps, since], now, 0
        if name:
            yield name, Turn(before, now, tuple(gaps))


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


def fitted(
    recordings: Sequence[Recording], passes: Sequence[str]
) -> dict[str, tuple[TurnFigures, ...]]:
    """Return the figures of each pass's turns; `passes` are those of the strategy in order.

    A turn without a run saved nothing.
    """
    of_steps: list[list[Turn]] = [[] for _ in passes]
    for recording in recordings:
        for turn, of_step in zip(_aligned(recording, passes), of_steps, strict=True):
            of_step.append(turn)
    found: dict[str, tuple[TurnFigures, ...]] = {}
    for name, of_step in zip(passes, of_steps, strict=True):
        found[name] = (*found.get(name, ()), _figures(of_step))
    return found


def _aligned(recording: Recording, passes: Sequence[str]) -> list[Turn]:
    """Return a turn for each pass of a strategy, in the way of `Forecast.began`."""
    turns, step = [Turn() for _ in passes], -1
    for name, turn in recording.turns():
        if name in passes[step + 1 :] and (step < 0 or passes[step] != name):
            step = passes.index(name, step + 1)
            turns[step] = turn
    return turns


def _figures(turns: Sequence[Turn]) -> TurnFigures:
    saving = [turn.gaps for turn in turns if turn.gaps]
    further = sum(len(each) - 1 for each in saving)
    left = statistics.geometric_mean(turn.after / turn.before for turn in turns if turn.after)
    return TurnFigures(
        first=round(len(saving) / len(turns), 2),
        again=round(further / (further + len(saving)), 2) if saving else 0.0,
        runs=round(statistics.fmean(run for each in saving for run in each), 1) if saving else 1.0,
        left=round(left, 2),
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
    passes = [step.name for step in Strategy.parse(options.strategy).steps]
    for line in _sums(recordings, passes):
        print(line)
    return 0


def _line(recording: Recording) -> str:
    called = recording.first_likely_final
    line = f"{recording.case}: {recording.last.size} B in {recording.last.runs} runs"
    if called is None:
        return line
    word = "right" if recording.is_right else "WRONG"
    return f"{line}; likely final with {called.size} B after {called.runs}: {word}"


def _sums(recordings: Sequence[Recording], passes: Sequence[str]) -> Iterator[str]:
    called = [each for each in recordings if each.first_likely_final]
    right = sum(each.is_right for each in called)
    yield f"likely final: said of {len(called)} of {len(recordings)} reductions, right {right} times"
    for share in (0.25, 0.5, 0.75):
        off = statistics.median(each.factor_off(share) for each in recordings)
        yield f"the size forecast after {share:.0%} of the runs is off by {off:.2f} times (median)"
    for name, figures in fitted(recordings, passes).items():
        yield f"{name}: {figures}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
