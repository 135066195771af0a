"""The rows of the results: made from measurements, kept as tab-separated values."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from pollard.events import Size
from pollard.syntax.document import Document
from tests.bench.measure import Curve, Measurement, engine

_CURVE_POINTS = 60


@dataclass(frozen=True)
class Row:
    """One case and strategy; sizes in bytes without white space unless they are called bytes.

    `wall_seconds` and `own_ms` (milliseconds a candidate in which no oracle ran) are empty where
    they were not measured: remembered verdicts take no time, and with several jobs both overlap.
    `cut_off` is the limit in seconds that ended the reduction, empty if it ended by itself. `without`
    names what of the preprocessing was switched off.
    """

    case: str
    language: str
    strategy: str
    jobs: int
    guard: bool
    before_bytes: int
    before_size: int
    before_tokens: int
    bytes: int
    size: int
    tokens: int
    reference_bytes: str
    runs: int
    guarded: int
    wasted: int
    cache_hits: int
    timeouts: int
    reductions: int
    oracle_seconds: float
    wall_seconds: str
    own_ms: str
    cut_off: str
    interesting: bool
    engine: str
    curve: str
    without: str = ""

    @property
    def key(self) -> tuple[str, str, bool, str]:
        return self.case, self.strategy, self.guard, self.without

    @property
    def is_usual(self) -> bool:
        """Whether nothing was switched off."""
        return self.guard and not self.without

    @property
    def share(self) -> float:
        """The share of candidates that the parser rejected, of all that were new."""
        return self.guarded / max(self.guarded + self.runs, 1)

    @property
    def points(self) -> Curve:
        pairs = (point.split(":") for point in self.curve.split())
        return [(int(runs), int(size)) for runs, size in pairs]


def row(measured: Measurement, time_limit: float | None) -> Row:
    """Make a row of a measurement."""
    case, counts, reduced = measured.case, measured.result.counts, measured.result.reduced
    before = Size.of(Document(case.text, case.grammar.language))
    alone = measured.jobs == 1
    return Row(
        case=case.name,
        language=case.language,
        strategy=measured.strategy,
        jobs=measured.jobs,
        guard=measured.guard,
        before_bytes=before.bytes,
        before_size=before.non_whitespace,
        before_tokens=before.tokens,
        bytes=reduced.bytes,
        size=reduced.non_whitespace,
        tokens=reduced.tokens,
        reference_bytes=str(case.reference or ""),
        runs=counts.runs,
        guarded=counts.guarded,
        wasted=counts.wasted_runs,
        cache_hits=counts.cache_hits,
        timeouts=counts.timeouts,
        reductions=counts.reductions,
        oracle_seconds=round(counts.oracle_seconds, 1),
        wall_seconds="" if measured.ledger.remembered else f"{counts.seconds:.1f}",
        own_ms=f"{1000 * measured.own_seconds / max(measured.candidates, 1):.1f}" if alone else "",
        cut_off=f"{time_limit:g}" if measured.result.cancelled else "",
        interesting=measured.interesting,
        engine=engine(),
        curve=" ".join(f"{runs}:{size}" for runs, size in _thinned(measured.curve)),
        without=" ".join(sorted(measured.without)),
    )


def read(file: Path) -> list[Row]:
    """Read rows; a file that is not there has none, one with other columns is begun anew.

    The column `without` may be missing: nothing was switched off then.
    """
    if not file.is_file():
        return []
    with file.open(encoding="utf-8", newline="") as stream:
        found = list(csv.DictReader(stream, delimiter="\t"))
    if not found or list(found[0]) not in (_COLUMNS, _COLUMNS[:-1]):
        return []
    return [Row(**{name: _READERS[name](value) for name, value in one.items()}) for one in found]


def write(file: Path, rows: Iterable[Row]) -> None:
    """Write rows, replacing the file."""
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, _COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(one) for one in rows)


def merged(old: Iterable[Row], new: Iterable[Row], order: Iterable[str]) -> list[Row]:
    """Return all rows, new ones in the place of old ones, cases in the given order."""
    rows = {one.key: one for one in [*old, *new]}
    places = {name: place for place, name in enumerate(order)}
    return sorted(rows.values(), key=lambda one: places.get(one.case, len(places)))


def _thinned(curve: Curve) -> Curve:
    """Keep so many points that no eye misses one: every n-th, and both ends."""
    steps = sorted({0, len(curve) - 1, *range(0, len(curve), len(curve) // _CURVE_POINTS + 1)})
    return [curve[step] for step in steps]


_COLUMNS = [one.name for one in fields(Row)]
_TYPES: dict[str, Callable[[str], Any]] = {
    "int": int,
    "float": float,
    "bool": "True".__eq__,
    "str": str,
}
_READERS = {one.name: _TYPES[str(one.type)] for one in fields(Row)}
