"""Pollard beside other reducers on the second set: a section of docs/comparison.md and its tables."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench import blocks, rivals, table
from tests.bench.cases import Case, is_for_reports, more
from tests.bench.measure import size_at
from tests.bench.rivals import RivalResult
from tests.bench.table import Row

OURS = "second-set.tsv"
THEIRS = "second-set-rivals.tsv"
_BLOCK = "second set"
_MARKS = {True: "✓", False: "✗", None: "?"}

_CONDITIONS = """\
- **smaller or equal**: no other reducer got below the size of the default's result
- **meanwhile**: the smallest size that any of the others had after as many runs as the default took; in
  the first table, the cases on which the default's is smaller or equal
- **smallest**: the smallest result of the others; of two with that size, the one with fewer runs
- **a tenth**: the default took at most a tenth of the smallest one's runs
- **runs**: the default's runs to the smallest one's, as a median
- **until then**: the same with the runs after which the smallest text was found, since a reducer goes
  on for a while to see that nothing else can go

Sizes are bytes without white space. The two marks behind the default's figures stand for *smaller or
equal* and for *a tenth*. A star marks a reducer that the time limit stopped. Its smallest text until
then counts; later it might have become smaller. A question mark says that it was stopped before it had
ten times the default's runs. The limit was {limit}, on a busy machine with two cores. All ran one
oracle at a time. The default is of engine {engines}, a digest of the code that searches.

Shrink Ray ran without its language model, and with the grammars that Pollard uses. C-Reduce and C-Vise
were measured on C and C++ only. Other reducers that know grammars, such as Perses, Picireny and
treereduce, were not measured. Nothing was tuned on the cases of the half *report*.
"""


@dataclass(frozen=True)
class Pair:
    """Our result on a case, and the smallest of the others; `others` has all of them."""

    row: Row
    others: Sequence[RivalResult]

    @property
    def smallest(self) -> RivalResult:
        """The smallest result of the others, which is the input if none found anything smaller."""
        return min(self.others, key=lambda one: (self.size_of(one), one.runs))

    @property
    def size(self) -> int:
        """The size of that result."""
        return self.size_of(self.smallest)

    @property
    def until_then(self) -> int:
        """The runs after which it was found."""
        return next(runs for runs, size in self.smallest.points if size == self.size)

    @property
    def meanwhile(self) -> int:
        """The smallest size that any of the others had after as many runs as ours took."""
        return min(size_at(one.points, self.row.runs) for one in self.others)

    @property
    def is_smaller_or_equal(self) -> bool:
        """Whether ours is not larger than any other."""
        return self.row.size <= self.size

    @property
    def is_tenth(self) -> bool | None:
        """Whether ours took at most a tenth of its runs; None if it was stopped too early to tell."""
        if self.row.runs * 10 <= self.smallest.runs:
            return True
        return None if self.smallest.is_cut_off else False

    def size_of(self, one: RivalResult) -> int:
        """Return the size of a result; of one that found nothing, the input's."""
        return self.row.before_size if one.size is None else one.size


def has(cases: Sequence[Case]) -> bool:
    """Return whether all cases are of the second set, which has tables of its own."""
    names = {case.name for case in more()}
    return bool(cases) and names.issuperset(case.name for case in cases)


def pairs(rows: Sequence[Row], others: Sequence[RivalResult]) -> list[Pair]:
    """Return the cases on which both the default and another reducer were measured."""
    own = [row for row in rows if row.strategy == "default" and row.is_usual]
    found = [Pair(row, [one for one in others if one.case == row.case]) for row in own]
    return [pair for pair in found if pair.others]


def section(rows: Sequence[Row], others: Sequence[RivalResult]) -> str:
    """Return the section: sums first, then the conditions, then each case."""
    compared = pairs(rows, others)
    parts = [
        *_sums(compared),
        "",
        _conditions(compared),
        *_lines(compared),
        "",
        *_missing(compared),
    ]
    return "\n".join(parts).strip()


def rewrite(out: Path) -> None:
    """Write the section into `out`/comparison.md, from the tables beside it."""
    text = section(table.read(out / OURS), rivals.read(out / THEIRS))
    blocks.rewrite(out / "comparison.md", _BLOCK, text)


def written(out: Path) -> str:
    """Return the section as it stands in `out`/comparison.md."""
    return blocks.read(out / "comparison.md", _BLOCK)


def _sums(compared: Sequence[Pair]) -> Iterator[str]:
    yield f"Measured: {len(compared)} of the {len(more())} cases."
    halves = [
        ("All", compared),
        ("The half that is tuned on", [one for one in compared if not _reports(one)]),
        ("The half that only reports", [one for one in compared if _reports(one)]),
    ]
    yield "\n| | cases | smaller or equal | meanwhile | a tenth | both | runs | until then |"
    yield "|---|---|---|---|---|---|---|---|"
    yield from (_sum(name, half) for name, half in halves if half)


def _sum(name: str, half: Sequence[Pair]) -> str:
    good = [one for one in half if one.is_smaller_or_equal]
    ratio = statistics.median(one.smallest.runs / max(one.row.runs, 1) for one in half)
    early = statistics.median(one.until_then / max(one.row.runs, 1) for one in half)
    meanwhile = sum(one.row.size <= one.meanwhile for one in half)
    verdicts = Counter(one.is_tenth for one in half)
    both = sum(one.is_tenth is True for one in good)
    return (
        f"| {name} | {len(half)} | {len(good)} ({len(good) / len(half):.0%}) | {meanwhile} "
        f"| {verdicts[True]} ({verdicts[None]} not known) | {both} "
        f"| 1 : {ratio:.1f} | 1 : {early:.1f} |"
    )


def _conditions(compared: Sequence[Pair]) -> str:
    """Return what a reader must know, with the longest limit that stopped one of the others."""
    ended = {one.ended for pair in compared for one in pair.others if one.is_cut_off}
    limits = sorted(found[0] for how in ended if (found := re.search(r"\d+ s$", how)))
    engines = sorted({pair.row.engine for pair in compared})
    return _CONDITIONS.format(
        limit=" or ".join(limits) or "not reached", engines=" and ".join(engines)
    )


_HEAD = (
    "| case | half | input | default / runs "
    "| meanwhile | smallest / runs | until then | which | others |",
    "|---|---|---|---|---|---|---|---|---|",
)


def _lines(compared: Sequence[Pair]) -> Iterator[str]:
    yield from _HEAD
    for pair in compared:
        best, row, half = pair.smallest, pair.row, "report" if _reports(pair) else "tune"
        rest = ", ".join(f"{one.tool} {_shown(pair, one)}" for one in pair.others if one != best)
        yield (
            f"| {row.case} | {half} | {row.before_size:,} | {row.size:,} / {row.runs:,} "
            f"{_MARKS[pair.is_smaller_or_equal]}{_MARKS[pair.is_tenth]} | {pair.meanwhile:,} "
            f"| {_shown(pair, best)} | {pair.until_then:,} | {best.tool} | {rest} |"
        )


def _shown(pair: Pair, one: RivalResult) -> str:
    star = "\\*" if one.is_cut_off else ""
    return f"{pair.size_of(one):,} / {one.runs:,}{star}"


def _missing(compared: Sequence[Pair]) -> Iterator[str]:
    there = {pair.row.case for pair in compared}
    absent = [case.name for case in more() if case.name not in there]
    if absent:
        yield f"Not measured, since their oracles are the slowest: {', '.join(absent)}."


def _reports(pair: Pair) -> bool:
    return is_for_reports(pair.row.case)
