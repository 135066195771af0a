"""The section on the second set says what its tables say, and not what a stopped reducer left open."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench import rivals, second, table
from tests.bench.__main__ import main
from tests.bench.cases import SETS, more
from tests.bench.pairs import Pair
from tests.bench.rivals import NOTHING, RivalResult
from tests.bench.test_figures import ROW

_DOCS = Path(__file__).parents[2] / "docs"
_CASE = "toml-array-of-tables"
_OURS = replace(ROW, case=_CASE, size=100, runs=60, before_size=1000)
_THEIRS = RivalResult(_CASE, "A 1", "1000", "100", "600", "9", "by itself", "0:1000 90:100 600:100")


def _pair(**changed: str) -> Pair:
    return Pair(_OURS, [replace(_THEIRS, **changed)])


@pytest.mark.parametrize(("size", "wins"), [("99", False), ("100", True), (NOTHING, True)])
def test_ours_is_smaller_or_equal_unless_another_got_below(size: str, wins: bool) -> None:
    assert _pair(output_non_whitespace=size, curve="").is_smaller_or_equal is wins


def test_the_runs_are_those_of_the_smallest_of_the_others() -> None:
    """One that found more in few runs says nothing about the price of the small result."""
    larger = replace(_THEIRS, tool="B 1", output_non_whitespace="101", oracle_runs="61")
    dearer = replace(_THEIRS, tool="C 1", oracle_runs="601")
    pair = Pair(_OURS, [larger, dearer, _THEIRS])
    assert (pair.best, pair.size, pair.until_then) == (_THEIRS, 100, 90)


@pytest.mark.parametrize(("runs", "size"), [(89, 1000), (90, 100)])
def test_meanwhile_is_what_the_others_had_after_as_many_runs(runs: int, size: int) -> None:
    assert Pair(replace(_OURS, runs=runs), [_THEIRS]).meanwhile == size


@pytest.mark.parametrize(
    ("runs", "ended", "tenth"),
    [
        ("600", "by itself", True),
        ("599", "by itself", False),
        ("599", "stopped at 9 s", None),
        ("600", "stopped at 9 s", True),
    ],
)
def test_a_stopped_reducer_leaves_open_whether_it_needs_ten_times_the_runs(
    runs: str, ended: str, tenth: bool | None
) -> None:
    assert _pair(oracle_runs=runs, ended=ended).is_tenth is tenth


def test_the_sums_are_those_of_the_cases() -> None:
    """Each half has a line of its own, so that a reader sees what was not tuned on."""
    unseen = SETS["report"]()[0].name
    rows = [_OURS, replace(_OURS, case=unseen)]
    worse = replace(_THEIRS, case=unseen, output_non_whitespace="7", oracle_runs="300")
    others = [_THEIRS, replace(worse, curve="0:1000 120:7", more_errors="2")]
    made = second.section([*rows, replace(_OURS, strategy="smallest", runs=90)], others)
    assert made.startswith(f"Of the {len(more())} cases, 2 were measured.")
    assert "every other reducer on 1 of them; on 1 of the other 1," in made
    assert (
        "others took 7.5 times the default's runs,\nas a median, and at least ten times on 1"
        in made
    )
    both = "| 2 | 1 (50%) | 1 | 2 | 1 (0 not known) | 1 | 7.5 | 1.8 |"
    assert f"| `default` | both halves {both}" in made
    assert "| `default` | report | 1 | 0 (0%) | 1 | 1 | 0 (0 not known) | 0 | 5.0 |" in made
    assert "| `smallest` | both halves | 1 | 1 (100%) | 0 | 1 | 0 (0 not known) | 0 | 6.7 |" in made
    line = "tune | 1,000 | 100 / 60 ✓✓ | 100 / 90 ✓✗ | 1,000 | 100 / 600 | 90 | A 1 |"
    assert f"| {_CASE} | {line}" in made
    assert f"| {unseen} | report | 1,000 | 100 / 60 ✗✗ |  | 1,000 | 7 / 300† | 120 | A 1 |" in made


def test_cases_without_figures_are_named() -> None:
    made = second.section([_OURS, replace(_OURS, case="less-each-ruleset")], [_THEIRS])
    said = made[made.index("Not measured") :]
    assert "less-each-ruleset" in said
    assert _CASE not in said


def test_the_page_has_what_its_tables_say() -> None:
    made = second.section(table.read(_DOCS / second.OURS), rivals.read(_DOCS / second.THEIRS))
    assert second.written(_DOCS) == made


def test_the_tables_have_only_cases_of_the_set_and_interesting_results() -> None:
    rows = table.read(_DOCS / second.OURS)
    assert all(row.interesting for row in rows)
    names = {case.name for case in more()}
    assert (
        names
        >= {row.case for row in rows}
        >= {one.case for one in rivals.read(_DOCS / second.THEIRS)}
    )


def test_the_second_set_leaves_the_tables_of_the_corpus_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.bench.cases.corpus", list)
    monkeypatch.setattr("tests.bench.__main__.trial", lambda *_: replace(_THEIRS, tool="new"))
    monkeypatch.setattr("tests.bench.rivals.Rival.path", "/bin/true")
    shutil.copy(_DOCS / "comparison.md", tmp_path)
    table.write(tmp_path / second.OURS, [_OURS])
    assert main([_CASE, "--rivals", "picire", "--out", str(tmp_path)]) == 0
    assert {file.name for file in tmp_path.iterdir() if file.is_file()} == {
        "comparison.md", second.OURS, second.THEIRS
    }  # fmt: skip
    assert "| 100 / 600 | 90 | new |" in second.written(tmp_path)
