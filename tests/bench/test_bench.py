"""The bench itself: what it counts does not depend on what it remembers, and it writes what it says."""

from __future__ import annotations

import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.bench import blocks, table
from tests.bench.__main__ import main
from tests.bench.cases import bundled
from tests.bench.measure import measure
from tests.bench.memory import Memory

pytestmark = pytest.mark.bench

_FIGURE_3 = bundled()[0]
_COMPARISON = Path(__file__).parents[2] / "docs" / "comparison.md"


def test_remembered_verdicts_are_counted_as_runs(tmp_path: Path) -> None:
    """The second time only the checks of original and result run, and every figure is the same."""
    memory = Memory(tmp_path / "verdicts.sqlite3")
    first = measure(_FIGURE_3, "hdd*", memory=memory)
    memory.close()
    memory = Memory(tmp_path / "verdicts.sqlite3")
    second = measure(_FIGURE_3, "hdd*", memory=memory)
    memory.close()
    assert second.ledger.executed == 2 + 4
    assert second.ledger.remembered == first.result.counts.runs
    assert second.curve == first.curve
    assert second.result.counts.runs == first.result.counts.runs
    assert second.result.counts.guarded == first.result.counts.guarded
    assert second.text == first.text
    assert second.interesting


def test_a_cut_off_reduction_says_so(tmp_path: Path) -> None:
    """No result is passed off as complete: the row has the limit, and the text is interesting."""
    measured = measure(_FIGURE_3, "hdd*", time_limit=0.05)
    row = table.row(measured, 0.05)
    assert measured.result.cancelled
    assert row.cut_off == "0.05"
    assert row.interesting


def test_the_table_the_page_and_the_plot_are_written(corpus: Path, tmp_path: Path) -> None:
    """Rows of earlier calls are kept, rows measured again replaced."""
    memory = ["--remember", str(tmp_path / "verdicts.sqlite3"), "--out", str(tmp_path)]
    shutil.copy(_COMPARISON, tmp_path)
    assert main(["figure3", "--strategy", "hdd*", "--strategy", "hddh*", *memory]) == 0
    assert main(["figure3", "--strategy", "hdd*", *memory]) == 0
    rows = table.read(tmp_path / "benchmarks.tsv")
    assert [row.strategy for row in rows] == ["hdd*", "hddh*"]
    assert [row.wall_seconds for row in rows] == ["", ""]
    assert all(float(row.cpu_ms) > 0 for row in rows)
    assert [row.invalid for row in rows] == ["0", "0"]
    assert all(row.size <= int(row.half_size) <= row.before_size for row in rows)
    comparison = tmp_path / "comparison.md"
    assert f"{rows[0].size} / {rows[0].runs}" in blocks.read(comparison, "papers")
    assert blocks.read(comparison, "trees") == blocks.read(_COMPARISON, "trees")
    page = (tmp_path / "benchmarks.md").read_text()
    for row in rows:
        assert f"{row.size} / {row.runs}" in page
    plot = ElementTree.parse(tmp_path / "plots" / "figure3.svg").getroot()
    texts = {text.text for text in plot.iter("{http://www.w3.org/2000/svg}text")}
    assert texts >= {f"{row.strategy}: {row.size} / {row.runs}" for row in rows}


def test_what_parts_of_the_preprocessing_are_worth_is_measured(
    corpus: Path, tmp_path: Path
) -> None:
    """A row of its own beside the usual one; tables from before there was such a column are kept."""
    memory = ["--remember", str(tmp_path / "verdicts.sqlite3"), "--out", str(tmp_path)]
    assert main(["figure3", "--strategy", "hddh*", *memory]) == 0
    file = tmp_path / "benchmarks.tsv"
    file.write_text("".join("\t".join(line.split("\t")[:-4]) + "\n" for line in file.open()))
    assert main(["figure3", "--strategy", "hddh*", "--without", "hide", *memory]) == 0
    usual, lacking = table.read(file)
    assert (usual.without, lacking.without) == ("", "hide")
    assert (lacking.size, lacking.runs) == (usual.size, usual.runs)
    assert lacking.guarded > usual.guarded
    page = (tmp_path / "benchmarks.md").read_text()
    assert "## Without parts of the preprocessing" in page
    assert f"| hide | {lacking.size} / {lacking.runs} / {lacking.guarded} |" in page
