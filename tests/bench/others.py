"""What other reducers came to, recorded beside the corpus or measured here, in tab-separated values."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from tests.bench.measure import Curve

#: The sentence that stands where a size would if a reducer had found nothing smaller.
NOTHING = "none interesting"


@dataclass(frozen=True)
class Other:
    """One case and tool; sizes in bytes without white space, `seconds` of wall time.

    `curve` has sizes over runs, empty if nobody took them down; `ended` says what ended the tool.
    """

    case: str
    tool: str
    input_non_whitespace: str
    output_non_whitespace: str
    oracle_runs: str
    seconds: str
    ended: str
    curve: str = ""

    @property
    def size(self) -> int | None:
        """What was left; None if nothing smaller was found."""
        found = self.output_non_whitespace
        return None if found == NOTHING else int(found)

    @property
    def runs(self) -> int:
        return int(self.oracle_runs)

    @property
    def is_cut_off(self) -> bool:
        return self.ended != "by itself"

    @property
    def points(self) -> Curve:
        return points(self.curve)


def points(curve: str) -> Curve:
    """Read a curve: `runs:size` and a blank, as often as there are points."""
    pairs = (point.split(":") for point in curve.split())
    return [(int(runs), int(size)) for runs, size in pairs]


def read(file: Path) -> list[Other]:
    """Read what was recorded, by position: the corpus gives the column of seconds a name of its own."""
    if not file.is_file():
        return []
    with file.open(encoding="utf-8", newline="") as stream:
        return [Other(*line) for line in list(csv.reader(stream, delimiter="\t"))[1:]]


def write(file: Path, others: Iterable[Other]) -> None:
    """Write them, replacing the file."""
    with file.open("w", encoding="utf-8", newline="") as stream:
        names = [one.name for one in fields(Other)]
        writer = csv.DictWriter(stream, names, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(one) for one in others)


def merged(old: Iterable[Other], new: Iterable[Other], order: Sequence[str]) -> list[Other]:
    """Return all, new ones in the place of old ones, cases in the given order."""
    found = {(one.case, one.tool): one for one in [*old, *new]}
    places = {name: place for place, name in enumerate(order)}
    return sorted(found.values(), key=lambda one: places.get(one.case, len(places)))
