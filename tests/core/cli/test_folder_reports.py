"""Reports on directories: which files are needed, what is left of them, and how it came to that."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from pollard.report.html.stepping import stepping
from pollard.report.journal_report import report_of_journal
from pollard.report.project_report import report_of
from pollard.report.report_model import NoReportError, Report
from tests.core.cli.helpers import pollard

_ORACLE = "grep -h needle a.txt; grep -q needle a.txt && grep -q thorn lib/b.txt"
_LEFT = {"a.txt": "needle", "lib/b.txt": "thorn"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a directory of which two lines of two files are needed."""
    root = tmp_path / "project"
    (root / "lib").mkdir(parents=True)
    (root / "a.txt").write_text("first\nneedle\nlast\n")
    (root / "lib" / "b.txt").write_text("one\nthorn\ntwo\n")
    (root / "lib" / "c.txt").write_text("not needed\n" * 20)
    return tmp_path


def _reduce(folder: Path, *options: str) -> None:
    done = pollard("reduce", "project", *options, "--", _ORACLE, cwd=folder)
    assert done.returncode == 0, done.stderr


def _journal() -> Path:
    found = (Path(os.environ["POLLARD_STATE_DIR"]) / "reductions").glob("project-*")
    return next(found)


def _report(folder: Path) -> Report:
    _reduce(folder)
    return report_of(_journal())


def test_the_page_has_a_table_of_files_and_their_texts(project: Path) -> None:
    _reduce(project, "--report", "r.html")
    page = (project / "r.html").read_text()
    assert "<h1>project</h1>" in page
    assert "2 of 3 files are needed." in page
    assert '<th scope="row">lib/c.txt</th><td>removed</td><td>220 B</td><td></td>' in page
    assert "<h3>lib/b.txt</h3>" in page


def test_the_markdown_has_each_file_that_is_left_with_its_name(project: Path) -> None:
    _reduce(project, "--report", "r.md")
    report = (project / "r.md").read_text()
    for name, text in _LEFT.items():
        assert f"`{name}`:\n\n```\n{text}\n```\n" in report
    assert "c.txt" not in report
    assert _ORACLE in report


def test_the_report_agrees_with_the_result(project: Path) -> None:
    report = _report(project)
    left = {file.name: file.result.decode() for file in report.files if file.result is not None}
    assert left == _LEFT
    assert report.original_bytes == 18 + 14 + 220
    assert report.result_bytes == sum(map(len, _LEFT.values()))
    assert report.output == "needle"
    assert [step.size for step in report.steps][-1] == report.result_bytes
    costs = [step.runs for step in report.steps]
    assert costs == sorted(costs)
    assert 0 < costs[-1] <= report.runs


def test_the_changes_name_the_files_and_show_what_is_known_of_them(project: Path) -> None:
    report = _report(project)
    changes = list(report.changes(4_000))
    assert len(changes) == len(report.steps)
    assert "- lib/c.txt (220 bytes)" in changes
    assert any(change.startswith("  a.txt:\n") and "- first" in change for change in changes)
    assert "\\x00" not in stepping(report)


def test_a_report_needs_neither_the_directory_nor_its_original(project: Path) -> None:
    _reduce(project)
    shutil.rmtree(project / "project")
    done = pollard("report", "project", "-o", "r.html", cwd=project)
    assert done.returncode == 0, done.stderr
    assert "- first" in (project / "r.html").read_text()
    assert str(project / "project") in pollard("report", "--list", cwd=project).stdout


def test_bytes_that_are_no_text_are_shown_as_escapes(project: Path) -> None:
    (project / "project" / "a.txt").write_bytes(b"first\nneedle \xff\n")
    oracle = "LC_ALL=C grep -aqP 'needle \\xff' a.txt"
    done = pollard("reduce", "project", "--report", "r.html", "--", oracle, cwd=project)
    assert done.returncode == 0, done.stderr
    assert "needle \\xff" in (project / "r.html").read_text()


def test_several_files_have_a_report(project: Path) -> None:
    words = (
        "reduce",
        "a.txt",
        "lib/b.txt",
        "-o",
        project / "small",
        "--report",
        project / "r.html",
    )
    done = pollard(*words, "--", _ORACLE, cwd=project / "project")
    assert done.returncode == 0, done.stderr
    assert "<h1>a.txt, b.txt</h1>" in (project / "r.html").read_text()


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        ("r.pdf", "ends in .html or in .md"),
        ("project/r.html", "names one of the files, or is among them"),
        ("no/r.html", "choose another file for --report"),
    ],
)
def test_a_report_that_cannot_be_is_refused_before_any_run(
    project: Path, report: str, sentence: str
) -> None:
    done = pollard("reduce", "project", "--report", report, "--", _ORACLE, cwd=project)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert not (project / "project.reduced").exists()


def test_without_its_files_a_journal_has_no_report(project: Path) -> None:
    """As after a reduction of a directory that was killed."""
    _reduce(project)
    (_journal() / "files.json").unlink()
    with pytest.raises(NoReportError):
        report_of_journal(_journal())
    done = pollard("report", "project", cwd=project)
    assert done.returncode == 2
    assert "There is no reduction" in done.stderr
