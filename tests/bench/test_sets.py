"""Our own sets: how one is divided, what each case has, and that its oracle agrees with the index."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.cases import SETS, is_for_reports, more

_MORE = Path(__file__).with_name("more")
_SETS = [_MORE, Path(__file__).with_name("small")]
_MAX_COMMITTED_BYTES = 60_000


def test_half_of_the_second_set_is_for_reports() -> None:
    """The halves are disjoint, and a new case changes nothing about the others."""
    names = {case.name for case in more()}
    tune = {case.name for case in SETS["tune"]()}
    report = {case.name for case in SETS["report"]()}
    assert tune | report == names
    assert not tune & report
    assert is_for_reports("less-each-ruleset") is is_for_reports("less-each-ruleset")


@pytest.mark.parametrize("chosen", _SETS)
def test_each_case_has_what_the_index_says(chosen: Path) -> None:
    rows = list(_rows(chosen))
    folders = sorted(folder.name for folder in chosen.iterdir() if folder.is_dir())
    assert [row["case"] for row in rows] == folders
    for row in rows:
        folder = chosen / row["case"]
        assert all(row.values()), row
        assert (folder / "oracle.sh").is_file()
        size, is_made = int(row["bytes"]), (folder / "make").is_file()
        assert is_made or (folder / row["file"]).stat().st_size == size <= _MAX_COMMITTED_BYTES


@pytest.mark.more
@pytest.mark.parametrize("chosen", _SETS)
def test_the_oracles_find_their_inputs_interesting(chosen: Path) -> None:
    """Needs `tests/bench/more/setup`; the script says what is wrong with a case."""
    verify = [sys.executable, _MORE / "verify"]
    there = {**os.environ, "SET": str(chosen)}
    done = subprocess.run(verify, env=there, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def _rows(chosen: Path) -> Iterator[dict[str, str]]:
    with (chosen / "INDEX.tsv").open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream, delimiter="\t")
