"""The targets of the default strategy on the corpus, and how far a strategy is from them.

Sizes are in bytes without white space, runs are sequential. `prop-sql-sqlite-row` has degenerate
answers: its size is judged by eye and not here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.bench.rivals import RivalResult
from tests.bench.table import Row

_BY_EYE = ("prop-sql-sqlite-row",)
_BASELINE = "hddh*"
_SHRINK_RAY = "Shrink Ray"

# Of the HDDH paper's two examples: the size in characters and the runs that are allowed.
_PAPER = {"figure3": (33, 26), "figure5": (140, 200)}


@dataclass(frozen=True)
class Known:
    """One case's row with what it is compared with."""

    row: Row
    baseline: Row | None
    others: Sequence[RivalResult]

    @property
    def rivals(self) -> list[int]:
        """The sizes that other reducers came to."""
        return [other.size for other in self.others if other.size is not None]

    @property
    def neighbours(self) -> list[int]:
        """The runs of Shrink Ray where its size is within 10 % of ours."""
        near = [o for o in self.others if o.tool.startswith(_SHRINK_RAY) and o.size is not None]
        return [o.runs for o in near if abs((o.size or 0) - self.row.size) <= self.row.size / 10]


# The figure as shown, and whether it meets the target; None if the target does not apply to the case.
Verdict = tuple[str, bool] | None


@dataclass(frozen=True)
class Target:
    """A target, to be met on `needed` cases; None for all cases that it applies to."""

    name: str
    meaning: str
    judge: Callable[[Known], Verdict]
    needed: int | None = None

    def met(self, verdicts: Sequence[Verdict]) -> bool:
        """Return whether the verdicts on all cases meet the target."""
        asked = [verdict[1] for verdict in verdicts if verdict is not None]
        return sum(asked) >= (len(asked) if self.needed is None else self.needed)


def _size_ratio(most: float) -> Callable[[Known], Verdict]:
    def judge(known: Known) -> Verdict:
        reference = int(known.row.reference_bytes or 0)
        if not reference or known.row.case in _BY_EYE:
            return None
        ratio = known.row.size / reference
        return f"{ratio:.2f}", ratio <= most

    return judge


def _rivals(known: Known) -> Verdict:
    if not known.rivals or known.row.case in _BY_EYE:
        return None
    best = min(known.rivals)
    return f"{known.row.size:,} : {best:,}", known.row.size <= best


def _baseline(known: Known) -> Verdict:
    if known.row.case in _PAPER:
        return None
    if known.baseline is None:
        return "?", False
    ratio = known.row.runs / max(known.baseline.runs, 1)
    # A baseline that was cut off would have needed more runs than were counted.
    sign = "≤ " if known.baseline.cut_off else ""
    return f"{sign}{ratio:.2f}", ratio <= 1.5


def _few_runs(known: Known) -> Verdict:
    return None if known.row.case in _PAPER else (f"{known.row.runs:,}", known.row.runs <= 300)


def _tenth(known: Known) -> Verdict:
    if not known.neighbours:
        return None
    fewest = min(known.neighbours)
    return f"{known.row.runs:,} : {fewest:,}", known.row.runs * 10 <= fewest


def _anytime(known: Known) -> Verdict:
    return (
        None if known.row.case in _PAPER else (f"{known.row.anytime:.1f}", known.row.anytime <= 3)
    )


def _paper(known: Known) -> Verdict:
    if known.row.case not in _PAPER:
        return None
    size, runs = _PAPER[known.row.case]
    return f"{known.row.size} / {known.row.runs}", known.row.size <= size and known.row.runs <= runs


TARGETS = (
    Target("ref ≤ 1.0", "the size is at most that of the reference", _size_ratio(1.0), 6),
    Target("ref ≤ 1.1", "at most 1.1 times that", _size_ratio(1.1), 9),
    Target("ref ≤ 1.6", "at most 1.6 times that", _size_ratio(1.6)),
    Target("rivals", "the size is not larger than that of the best other reducer", _rivals),
    Target("hddh ≤ 1.5", "the runs are at most 1.5 times those of `hddh*`", _baseline),
    Target("runs ≤ 300", "the runs themselves", _few_runs, 9),
    Target("a tenth", "of Shrink Ray's runs, where its size is within 10 % of ours", _tenth),
    Target("half ≤ 3", "with half of the runs, the size is within 3 times the final one", _anytime),
    Target("papers", "33 characters in 26 runs and 140 in 200 on the two examples", _paper),
)


def judged(
    rows: Sequence[Row], others: Sequence[RivalResult], strategy: str
) -> dict[str, list[Verdict]]:
    """Return the verdict of each target, for each case that the strategy was measured on."""
    usual = {(row.case, row.strategy): row for row in rows if row.is_usual}
    return {
        row.case: [target.judge(_known(row, usual, others)) for target in TARGETS]
        for (_, of), row in usual.items()
        if of == strategy
    }


def _known(row: Row, usual: Mapping[tuple[str, str], Row], others: Sequence[RivalResult]) -> Known:
    own = [other for other in others if other.case == row.case]
    return Known(row, usual.get((row.case, _BASELINE)), own)


def lines(
    rows: Sequence[Row], others: Sequence[RivalResult], strategy: str, order: Sequence[str]
) -> Iterator[list[str]]:
    """Yield a table: a head, a row for each case, and how many cases meet and must meet each target."""
    verdicts = judged(rows, others, strategy)
    marks = {row.case: row.marks for row in rows if row.is_usual and row.strategy == strategy}
    yield ["case", *(target.name for target in TARGETS)]
    for case in order:
        if case in verdicts:
            yield [case + marks[case], *(_cell(verdict) for verdict in verdicts[case])]
    columns = [[of[place] for of in verdicts.values()] for place in range(len(TARGETS))]
    yield ["met (to be met)", *map(_total, TARGETS, columns)]


def unmeasured(rows: Sequence[Row], strategy: str, order: Sequence[str]) -> list[str]:
    """Return the cases on which the strategy was not measured with the present code."""
    there = {r.case for r in rows if r.is_usual and r.strategy == strategy and r.is_current}
    return [case for case in order if case not in there]


def _cell(verdict: Verdict) -> str:
    if verdict is None:
        return ""
    shown, met = verdict
    return f"{shown} {'✓' if met else '✗'}"


def _total(target: Target, verdicts: Sequence[Verdict]) -> str:
    asked = [verdict[1] for verdict in verdicts if verdict is not None]
    needed = "all" if target.needed is None else str(target.needed)
    reached = "✓" if target.met(verdicts) else "✗"
    return f"{sum(asked)} of {len(asked)} ({needed}) {reached}"
