"""The table of results: rows made from measurements, kept as tab-separated values."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any

from pollard.events import Size
from pollard.syntax.tree.document import Document
from tests.bench.measure import Curve, Measurement, engine, size_at
from tests.bench.rivals import points

_CURVE_POINTS = 60


@dataclass(frozen=True)
class Row:
    """One case and strategy; sizes in bytes without white space unless they are called bytes.

    `wall_seconds` and `own_ms` (milliseconds a candidate in which no oracle ran) are empty where
    they were not measured: remembered verdicts take no time, and with several jobs both overlap.
    `cut_off` is the limit in seconds that ended the reduction, empty if it ended by itself. `without`
    names what of the preprocessing was switched off. `half_size` is the size when half of the runs were
    done, `cpu_ms` the milliseconds of the processor that pollard itself takes for a candidate; these
    and `invalid` are empty in rows from before they were measured.
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
    invalid: str = ""
    half_size: str = ""
    cpu_ms: str = ""

    @property
    def key(self) -> tuple[str, str, bool, str]:
        return self.case, self.strategy, self.guard, self.without

    @property
    def is_usual(self) -> bool:
        """Whether nothing was switched off."""
        return self.guard and not self.without

    @property
    def share(self) -> float:
        """The share of the new candidates that the parser rejected."""
        return self.guarded / max(self.guarded + self.runs, 1)

    @property
    def is_current(self) -> bool:
        """Whether it was measured with the present code."""
        return self.engine == engine()

    @property
    def marks(self) -> str:
        """Marks for the reader: cut off, measured with other code, or a wrong result."""
        old = "" if self.is_current else "†"
        bad = "" if self.interesting else " **not interesting**"
        return ("\\*" if self.cut_off else "") + old + bad

    @property
    def half(self) -> int:
        """The size when half of the runs were done; of old rows, what their thinned curve says."""
        return int(self.half_size) if self.half_size else size_at(self.points, self.runs / 2)

    @property
    def anytime(self) -> float:
        """The size after half of the runs, over the final size."""
        return self.half / max(self.size, 1)

    @property
    def points(self) -> Curve:
        return points(self.curve)


def row(measured: Measurement, time_limit: float | None) -> Row:
    """Make a row of a measurement."""
    case, counts, reduced = measured.case, measured.result.counts, measured.result.reduced
    before = Size.of(Document(case.text, case.grammar.language if case.grammar else None))
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
        invalid=str(counts.invalid),
        half_size=str(measured.half_size),
        cpu_ms=f"{1000 * measured.cpu_seconds / max(measured.candidates, 1):.2f}",
    )


def read(file: Path) -> list[Row]:
    """Read rows; a missing file, or one with other columns, has none.

    The last columns, which have defaults, may be missing.
    """
    if not file.is_file():
        return []
    with file.open(encoding="utf-8", newline="") as stream:
        found = list(csv.DictReader(stream, delimiter="\t"))
    there = list(found[0]) if found else []
    if there != _COLUMNS[: max(len(there), _NEEDED)]:
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


def aligned(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield lines of cells, escaped for Markdown, in columns to be read in a terminal."""
    lines = [[cell.replace("\\*", "*") for cell in line] for line in lines]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  ".join(map(str.ljust, line, widths)).rstrip()


def _thinned(curve: Curve) -> Curve:
    """Keep enough points for a plot: every n-th, and both ends."""
    steps = sorted({0, len(curve) - 1, *range(0, len(curve), len(curve) // _CURVE_POINTS + 1)})
    return [curve[step] for step in steps]


_COLUMNS = [one.name for one in fields(Row)]
_NEEDED = sum(one.default is MISSING for one in fields(Row))
_TYPES: dict[str, Callable[[str], Any]] = {
    "int": int,
    "float": float,
    "bool": "True".__eq__,
    "str": str,
}
_READERS = {one.name: _TYPES[str(one.type)] for one in fields(Row)}
