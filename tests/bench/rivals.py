"""Other reducers: those that PyPI or Debian have, how to call them, and the results of all, as a table.

Each runs one oracle at a time and gets the same input and oracle as Pollard. The results are kept as
tab-separated values, beside the corpus or in docs/rivals.tsv.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from tests.bench.cases import Case
from tests.bench.measure import Curve

_C = ("C", "C++")

# Of the case, the file to reduce, and the test that exits with 0 if a candidate is interesting.
Arguments = Callable[[Case, Path, Path], Sequence[str | Path]]


@dataclass(frozen=True)
class Rival:
    """A reducer: its program, what installs it, and its arguments."""

    name: str
    program: str
    install: str
    arguments: Arguments

    @property
    def path(self) -> str | None:
        """The program's path; None if it is not installed."""
        beside = str(Path(sys.executable).parent)
        return shutil.which(self.program, path=f"{os.environ.get('PATH', '')}{os.pathsep}{beside}")

    def command(self, case: Case, file: Path, test: Path) -> list[str]:
        """Return the command that reduces `file`, with `test` as its oracle."""
        assert self.path is not None
        return [self.path, *map(str, self.arguments(case, file, test))]

    def full_name(self) -> str:
        """Return the name, with the version if the program prints it."""
        assert self.path is not None
        said = subprocess.run(
            [self.path, "--version"],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            cwd=tempfile.gettempdir(),
        )
        number = re.search(r"\d+(\.\d+)+", said.stdout) if said.returncode == 0 else None
        return f"{self.name} {number[0]}" if number else self.name


def _picire(_case: Case, file: Path, test: Path) -> Sequence[str | Path]:
    return "--input", file, "--test", test, "--out", "out", "--atom", "both", "--quiet"


def _creduce(case: Case, file: Path, test: Path) -> Sequence[str | Path]:
    return "--n", "1", *(() if case.language in _C else ("--not-c",)), test, file.name


def _shrinkray(_case: Case, file: Path, test: Path) -> Sequence[str | Path]:
    return "--parallelism", "1", "--no-llm", test, file


RIVALS = (
    Rival("Picire", "picire", "pip install picire 'setuptools<81'", _picire),
    Rival("C-Reduce", "creduce", "apt-get install creduce", _creduce),
    Rival("C-Vise", "cvise", "apt-get install cvise", _creduce),
    Rival("Shrink Ray", "shrinkray", "pip install shrinkray", _shrinkray),
)


def named(names: Iterable[str]) -> list[Rival]:
    """Return the rivals with these programs; all if none is named."""
    wanted = set(names)
    return [rival for rival in RIVALS if not wanted or rival.program in wanted]


def missing(rivals: Iterable[Rival]) -> str:
    """Return a sentence on which are not installed and how to install them; empty if all are."""
    absent = [f"{rival.name} (`{rival.install}`)" for rival in rivals if rival.path is None]
    return f"Not installed: {', '.join(absent)}." if absent else ""


#: Stands in place of a size if a reducer found nothing smaller.
NOTHING = "none interesting"


@dataclass(frozen=True)
class RivalResult:
    """What one tool made of one case: sizes in bytes without white space, `seconds` of wall time.

    `curve` has sizes over runs, and `more_errors` says how many syntax errors the result has more than
    the input; both are empty if they were not recorded. `ended` says what ended the tool.
    """

    case: str
    tool: str
    input_non_whitespace: str
    output_non_whitespace: str
    oracle_runs: str
    seconds: str
    ended: str
    curve: str = ""
    more_errors: str = ""

    @property
    def breaks_syntax(self) -> bool:
        """Whether the result has more syntax errors than the input."""
        return int(self.more_errors or 0) > 0

    @property
    def size(self) -> int | None:
        """The size of the result; None if nothing smaller was found."""
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
    """Read a curve from its points `runs:size`, separated by blanks."""
    pairs = (point.split(":") for point in curve.split())
    return [(int(runs), int(size)) for runs, size in pairs]


def read(file: Path) -> list[RivalResult]:
    """Read results by position, since the corpus names the column of seconds otherwise."""
    if not file.is_file():
        return []
    with file.open(encoding="utf-8", newline="") as stream:
        return [RivalResult(*line) for line in list(csv.reader(stream, delimiter="\t"))[1:]]


def write(file: Path, results: Iterable[RivalResult]) -> None:
    """Write results, replacing the file."""
    with file.open("w", encoding="utf-8", newline="") as stream:
        names = [one.name for one in fields(RivalResult)]
        writer = csv.DictWriter(stream, names, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(one) for one in results)


def merged(
    old: Iterable[RivalResult], new: Iterable[RivalResult], order: Sequence[str]
) -> list[RivalResult]:
    """Return all results, new ones in place of old ones, cases in the given order."""
    found = {(one.case, one.tool): one for one in [*old, *new]}
    places = {name: place for place, name in enumerate(order)}
    return sorted(found.values(), key=lambda one: places.get(one.case, len(places)))
