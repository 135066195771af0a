"""What the bench derives from its measurements, without measuring anything that takes long."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.bench import blocks, papers, plots, rivals, table, targets
from tests.bench.__main__ import main
from tests.bench.measure import engine, size_at, without_comments
from tests.bench.rivals import RivalResult
from tests.bench.table import Row

_DOCS = Path(__file__).parents[2] / "docs"
_SVG = "{http://www.w3.org/2000/svg}"

ROW = Row(
    case="some-case",
    language="C",
    strategy="default",
    jobs=1,
    guard=True,
    before_bytes=1300,
    before_size=1000,
    before_tokens=400,
    bytes=130,
    size=100,
    tokens=40,
    reference_bytes="100",
    runs=60,
    guarded=20,
    wasted=0,
    cache_hits=3,
    timeouts=1,
    reductions=4,
    oracle_seconds=1.5,
    wall_seconds="2.0",
    own_ms="0.5",
    cut_off="",
    interesting=True,
    engine=engine(),
    curve="0:1000 10:800 31:120 60:100",
)
_SHRINK_RAY = RivalResult("some-case", "Shrink Ray 26", "1000", "105", "700", "240", "by itself")
_NOTHING = RivalResult(
    "some-case", "C-Reduce 2", "1000", rivals.NOTHING, "9", "240", "stopped at 240 s"
)


def _verdicts(
    row: Row, *rivals: RivalResult, baseline: Row | None = None
) -> dict[str, bool | None]:
    rows = [row, *([baseline] if baseline else [])]
    found = targets.judged(rows, rivals, "default")[row.case]
    names = [target.name for target in targets.TARGETS]
    return {name: v and v[1] for name, v in zip(names, found, strict=True)}


@pytest.mark.parametrize(("runs", "size"), [(0, 1000), (9.5, 1000), (10, 800), (99, 100)])
def test_a_size_holds_until_the_run_that_made_it_smaller(runs: float, size: int) -> None:
    assert size_at(ROW.points, runs) == size


def test_anytime_is_the_size_at_half_of_the_runs_over_the_final_size() -> None:
    assert ROW.anytime == 8
    assert replace(ROW, half_size="250").anytime == 2.5


def test_rows_outlive_their_columns(tmp_path: Path) -> None:
    """A table from before the last columns were there is kept; one that lacks others is not."""
    file = tmp_path / "t.tsv"
    table.write(file, [replace(ROW, invalid="3", half_size="800", cpu_ms="0.41")])
    assert table.read(file) == [replace(ROW, invalid="3", half_size="800", cpu_ms="0.41")]
    lines = [line.split("\t") for line in file.read_text().splitlines()]
    file.write_text("".join("\t".join(line[:-3]) + "\n" for line in lines))
    assert table.read(file) == [ROW]
    file.write_text("".join("\t".join(line[:-5]) + "\n" for line in lines))
    assert table.read(file) == []


def test_rows_of_another_engine_are_marked_wherever_they_are_shown() -> None:
    old = replace(ROW, engine="other", cut_off="100")
    assert ROW.marks == ""
    assert old.marks == "\\*†"
    assert next(line for line in _lines(old) if line[0].startswith("some"))[0] == "some-case\\*†"
    assert "†" in plots.plot("some-case", [old])
    assert targets.unmeasured([old, replace(ROW, case="b")], "default", ["some-case", "b"]) == [
        "some-case"
    ]


def test_rows_survive_a_change_of_comments_and_docstrings_but_of_nothing_else() -> None:
    source = '"""What it is."""\n\ndef f(a):\n    """Say why."""\n    return "a"  # because\n'
    bare = 'def f(a):\n    return "a"\n'
    assert without_comments(source) == without_comments(bare)
    assert without_comments(bare) != without_comments(bare.replace('"a"', '"b"'))


def _lines(row: Row) -> list[list[str]]:
    return list(targets.lines([row], [], "default", ["some-case"]))


def test_each_target_judges_its_own_figure() -> None:
    baseline = replace(ROW, strategy="hddh*", runs=40)
    good = _verdicts(ROW, _SHRINK_RAY, _NOTHING, baseline=baseline)
    assert good == {
        "ref ≤ 1.0": True,
        "ref ≤ 1.1": True,
        "ref ≤ 1.6": True,
        "rivals": True,
        "hddh ≤ 1.5": True,
        "runs ≤ 300": True,
        "a tenth": True,
        "half ≤ 3": False,
        "papers": None,
    }
    worse = replace(ROW, size=111, runs=301, half_size="333")
    bad = _verdicts(worse, _SHRINK_RAY, baseline=baseline)
    wrong = {name for name, met in bad.items() if met is False}
    assert wrong == {"ref ≤ 1.0", "ref ≤ 1.1", "rivals", "hddh ≤ 1.5", "runs ≤ 300", "a tenth"}
    assert bad["half ≤ 3"]


def test_what_is_not_known_is_not_held_to_be_met() -> None:
    """Without hddh*'s runs the comparison fails; where nothing is to be compared, nothing is said."""
    verdicts = _verdicts(ROW)
    assert verdicts["hddh ≤ 1.5"] is False
    assert verdicts["rivals"] is None
    assert verdicts["a tenth"] is None


def test_a_baseline_that_was_cut_off_is_a_bound() -> None:
    """It needs more runs than were counted: enough is enough, and too few say nothing good."""
    cut_off = replace(ROW, strategy="hddh*", runs=40, cut_off="100")
    told = targets.judged([ROW, cut_off], [], "default")["some-case"]
    assert ("≤ 1.50", True) in told
    assert _verdicts(ROW, baseline=replace(cut_off, runs=39))["hddh ≤ 1.5"] is False


def test_a_tenth_is_asked_only_where_the_sizes_are_within_ten_per_cent() -> None:
    far = replace(_SHRINK_RAY, output_non_whitespace="89", oracle_runs="61")
    near = replace(far, output_non_whitespace="90")
    assert _verdicts(ROW, far)["a tenth"] is None
    assert _verdicts(ROW, near)["a tenth"] is False


def test_the_papers_examples_are_judged_by_size_and_runs() -> None:
    row = replace(ROW, case="figure3", reference_bytes="", size=33, runs=26)
    assert _verdicts(row)["papers"]
    assert not _verdicts(replace(row, runs=27))["papers"]
    assert not _verdicts(replace(row, size=34))["papers"]


def test_a_target_counts_the_cases_that_meet_it() -> None:
    some = targets.Target("", "", lambda known: None, 2)
    every = replace(some, needed=None)
    verdicts = [("", True), None, ("", True), ("", False)]
    assert some.met(verdicts)
    assert not every.met(verdicts)
    assert every.met(verdicts[:3])


def test_the_command_prints_the_verdicts_and_what_is_not_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is measured for it, and it fails as long as a case was not, or with other code."""
    monkeypatch.setattr("tests.bench.cases.corpus", list)
    row = replace(ROW, case="figure3", reference_bytes="", size=33, runs=24)
    table.write(
        tmp_path / "benchmarks.tsv", [row, replace(row, case="figure5", engine="old", cut_off="9")]
    )
    assert main(["--targets", "--out", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert re.search(r"^figure3 +33 / 24 ✓$", said, re.MULTILINE)
    assert re.search(r"^figure5\*† +33 / 24 ✓$", said, re.MULTILINE)
    assert said.endswith("\nNot measured with the code as it is: figure5.\n")
    assert main(["--targets", "figure3", "--out", str(tmp_path)]) == 0


def test_a_plot_has_a_label_and_a_line_for_each_strategy_and_rival() -> None:
    rival = replace(_SHRINK_RAY, curve="0:1000 300:500 700:105", ended="stopped at 9 s")
    made = plots.plot("some-case", [ROW, replace(ROW, strategy="hdd*", size=7)], [rival, _NOTHING])
    root = ElementTree.fromstring(made)
    texts = [text.text for text in root.iter(f"{_SVG}text")]
    assert "default: 100 / 60" in texts
    assert "hdd*: 100 / 60" in texts
    assert "Shrink Ray 26: 105 / 700, cut off" in texts
    assert not any("C-Reduce" in (text or "") for text in texts)
    dashed = [path for path in root.iter(f"{_SVG}path") if path.get("stroke-dasharray")]
    assert len(dashed) == 2
    assert len(list(root.iter(f"{_SVG}circle"))) == 3


def test_others_are_read_as_recorded_and_as_written_here(tmp_path: Path) -> None:
    """The corpus's table has no curves and another name for the seconds."""
    file = tmp_path / "rivals.tsv"
    rivals.write(file, [replace(_SHRINK_RAY, curve="0:1000 700:105")])
    assert rivals.read(file)[0].points == [(0, 1000), (700, 105)]
    file.write_text(
        "case\ttool\tinput_non_whitespace\toutput_non_whitespace\toracle_runs\tseconds_here\tended\n"
        "a\tX 1\t1000\tnone interesting\t5\t9\tby itself\n"
    )
    (read,) = rivals.read(file)
    assert (read.case, read.size, read.runs, read.is_cut_off, read.points) == (
        "a",
        None,
        5,
        False,
        [],
    )
    assert rivals.read(tmp_path / "missing.tsv") == []


def test_the_papers_section_has_our_figures_of_the_table() -> None:
    """docs/comparison.md goes with docs/benchmarks.tsv: both are written by the same command."""
    section = papers.section(table.read(_DOCS / "benchmarks.tsv"))
    assert blocks.read(_DOCS / "comparison.md", "papers") == section.strip()


def test_only_what_is_between_the_comments_is_rewritten(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "a\n\n<!-- x: written by a program, see below -->\nold\n<!-- end of x -->\n\nb\n", "utf-8"
    )
    blocks.rewrite(page, "x", "new\n")
    assert blocks.read(page, "x") == "new"
    assert page.read_text().startswith("a\n\n<!-- x: ")
    assert page.read_text().endswith("<!-- end of x -->\n\nb\n")
    with pytest.raises(ValueError, match="no block y"):
        blocks.read(page, "y")
