"""Pollard beside other reducers on the second set: a section of docs/comparison.md and its tables."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.bench import blocks, rivals, table
from tests.bench.cases import Case, is_for_reports, more
from tests.bench.pairs import Pair, pairs
from tests.bench.rivals import RivalResult
from tests.bench.table import Row

OURS = "second-set.tsv"
THEIRS = "second-set-rivals.tsv"
_BLOCK = "second set"
_MARKS = {True: "✓", False: "✗", None: "?"}

_HEAD_OF_SUMS = """
| strategy | half | cases | smaller or equal | broken | meanwhile | a tenth | both | runs | until then |
|---|---|---|---|---|---|---|---|---|---|"""
_HEAD = """\
| case | half | input | default | smallest | meanwhile | best other | until then | by | others |
|---|---|---|---|---|---|---|---|---|---|"""
_STRATEGIES = ("default", "smallest")

_CONDITIONS = """\
- **best other**: the smallest result of the other reducers; of two with that size, the one with fewer
  runs
- **smaller or equal**: the strategy's result is not larger than that
- **broken**: the best other is smaller, and has more syntax errors than the input; a † marks
  results that have
- **meanwhile**: the smallest size that any of the others had after as many runs as the strategy took;
  in the first table, the cases on which the strategy's is smaller or equal
- **a tenth**: the strategy took at most a tenth of the best other's runs
- **runs**: the best other's runs for each of the strategy's, as a median
- **until then**: the same with the runs after which the best other's text was found, since a reducer
  goes on for a while to see that nothing else can go

Sizes are bytes without white space. The marks behind figures stand for *smaller or equal* and *a
tenth*. A star says that a time limit ended the reduction, and that the smallest text until then is
shown. A question mark says that the best other was stopped before it had ten times as many runs. The
limit for the others was {limit}, on a busy machine with two cores. That is few runs where the oracle is
slow: with more time, what has a star might become smaller. All ran one oracle at a time. Pollard's
engine was {engines}, a digest of the code that searches.

Like Shrink Ray, C-Reduce and C-Vise, `smallest` may break the syntax; `default` may not. Shrink Ray ran
without its language model, and with the grammars that Pollard uses. C-Reduce and C-Vise were measured
on C and C++ only. Other reducers that know grammars, such as Perses, Picireny and treereduce, were not
measured. Nothing was tuned on the cases of the half *report*.
"""


def has(cases: Sequence[Case]) -> bool:
    """Return whether all cases are of the second set, which has tables of its own."""
    names = {case.name for case in more()}
    return bool(cases) and names.issuperset(case.name for case in cases)


def section(rows: Sequence[Row], others: Sequence[RivalResult]) -> str:
    """Return the section: sums first, then the conditions, then each case."""
    compared = {name: pairs(rows, others, name) for name in _STRATEGIES}
    cases = [pair.row.case for pair in compared["default"]]
    parts = [*_sums(compared), "", _conditions(compared["default"]), *_lines(compared), ""]
    return "\n".join([*parts, *_missing(cases)]).strip()


def rewrite(out: Path) -> None:
    """Write the section into `out`/comparison.md, from the tables beside it."""
    text = section(table.read(out / OURS), rivals.read(out / THEIRS))
    blocks.rewrite(out / "comparison.md", _BLOCK, text)


def written(out: Path) -> str:
    """Return the section as it stands in `out`/comparison.md."""
    return blocks.read(out / "comparison.md", _BLOCK)


def _sums(compared: Mapping[str, Sequence[Pair]]) -> Iterator[str]:
    yield _summary(compared["default"])
    yield _HEAD_OF_SUMS
    for strategy, found in compared.items():
        for half in ("both halves", "tune", "report"):
            if own := [pair for pair in found if half in ("both halves", _half(pair))]:
                yield f"| `{strategy}` | {half} | {len(own)} | {_sum(own)} |"


def _summary(found: Sequence[Pair]) -> str:
    """Return the default's figures in sentences."""
    larger = [one for one in found if not one.is_smaller_or_equal]
    ratio = statistics.median([one.best.runs / max(one.row.runs, 1) for one in found] or [0])
    return (
        f"Of the {len(more())} cases, {len(found)} were measured. The default's result is smaller "
        f"than or equal to\nthat of every other reducer on {len(found) - len(larger)} of them; on "
        f"{sum(one.best.breaks_syntax for one in larger)} of the other {len(larger)}, the smaller "
        f"text has\nmore syntax errors than the input. The smallest of the others took {ratio:.1f} "
        f"times the default's runs,\nas a median, and at least ten times on "
        f"{sum(one.is_tenth is True for one in found)} cases; the time limit stopped it on "
        f"{sum(one.best.is_cut_off for one in found)}."
    )


def _sum(found: Sequence[Pair]) -> str:
    good = [one for one in found if one.is_smaller_or_equal]
    broken = sum(one.best.breaks_syntax for one in found if one not in good)
    meanwhile = sum(one.row.size <= one.meanwhile for one in found)
    tenths = Counter(one.is_tenth for one in found)
    both = sum(one.is_tenth is True for one in good)
    ratio = statistics.median(one.best.runs / max(one.row.runs, 1) for one in found)
    early = statistics.median(one.until_then / max(one.row.runs, 1) for one in found)
    return (
        f"{len(good)} ({len(good) / len(found):.0%}) | {broken} | {meanwhile} "
        f"| {tenths[True]} ({tenths[None]} not known) | {both} | {ratio:.1f} | {early:.1f}"
    )


def _conditions(compared: Sequence[Pair]) -> str:
    """Return what a reader must know, with the longest limit that stopped one of the others."""
    ended = {one.ended for pair in compared for one in pair.others if one.is_cut_off}
    limits = sorted(found[0] for how in ended if (found := re.search(r"\d+ s$", how)))
    engines = sorted({pair.row.engine for pair in compared})
    return _CONDITIONS.format(
        limit=" or ".join(limits) or "not reached", engines=" and ".join(engines)
    )


def _lines(compared: Mapping[str, Sequence[Pair]]) -> Iterator[str]:
    yield _HEAD
    smallest = {pair.row.case: pair for pair in compared["smallest"]}
    for pair in compared["default"]:
        best, row = pair.best, pair.row
        more_work = _ours(smallest[row.case]) if row.case in smallest else ""
        rest = ", ".join(f"{one.tool} {_theirs(pair, one)}" for one in pair.others if one != best)
        yield (
            f"| {row.case} | {_half(pair)} | {row.before_size:,} | {_ours(pair)} | {more_work} "
            f"| {pair.meanwhile:,} | {_theirs(pair, best)} | {pair.until_then:,} "
            f"| {best.tool} | {rest} |"
        )


def _ours(pair: Pair) -> str:
    star = "\\*" if pair.row.cut_off else ""
    marks = f"{_MARKS[pair.is_smaller_or_equal]}{_MARKS[pair.is_tenth]}"
    return f"{pair.row.size:,} / {pair.row.runs:,}{star} {marks}"


def _theirs(pair: Pair, one: RivalResult) -> str:
    star = "\\*" if one.is_cut_off else ""
    broken = "†" if one.breaks_syntax else ""
    return f"{pair.size_of(one):,} / {one.runs:,}{star}{broken}"


def _missing(there: Sequence[str]) -> Iterator[str]:
    absent = [case.name for case in more() if case.name not in there]
    if absent:
        yield f"Not measured, since their oracles are the slowest: {', '.join(absent)}."


def _half(pair: Pair) -> str:
    return "report" if is_for_reports(pair.row.case) else "tune"
