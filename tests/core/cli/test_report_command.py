"""`pollard report` makes a report long after the reduction, and finds the reduction that is meant."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.core.cli.helpers import JSON, NEEDLE, PYTHON, pollard


@pytest.fixture
def reduced(tmp_path: Path) -> Path:
    """A folder in which two files were reduced, `second.py` last."""
    (tmp_path / "first.json").write_text(JSON)
    (tmp_path / "second.py").write_text(PYTHON)
    for name in ("first.json", "second.py"):
        done = pollard("reduce", name, "--", *NEEDLE, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        report = next((Path(os.environ["POLLARD_STATE_DIR"]) / "reductions").glob(
            f"{Path(name).stem}-*/report.json"
        ))  # fmt: skip
        for file in report.parent.iterdir():  # files of the same moment have no order
            os.utime(file, (1e9, 1e9 + (name == "second.py")))
    return tmp_path


def test_without_an_argument_the_newest_reduction_is_reported(reduced: Path) -> None:
    done = pollard("report", cwd=reduced)
    assert done.returncode == 0, done.stderr
    assert f"the report on {reduced / 'second.py'} is in second.py.report.html" in done.stderr
    assert "<h1>second.py</h1>" in (reduced / "second.py.report.html").read_text()


def test_a_file_names_its_reduction_even_if_it_has_changed_or_is_gone(reduced: Path) -> None:
    (reduced / "first.json").unlink()
    done = pollard("report", "first.json", "-o", "r.html", cwd=reduced)
    assert done.returncode == 0, done.stderr
    page = (reduced / "r.html").read_text()
    assert "<h1>first.json</h1>" in page
    assert "grep -q needle first.json" in page


def test_markdown_has_the_same_data(reduced: Path) -> None:
    done = pollard("report", "first.json", "-o", "r.md", cwd=reduced)
    assert done.returncode == 0, done.stderr
    result = (reduced / "first.reduced.json").read_text().rstrip()
    assert f"```json\n{result}\n```\n" in (reduced / "r.md").read_text()


def test_the_list_has_numbers_that_name_reductions(reduced: Path) -> None:
    listed = pollard("report", "--list", cwd=reduced).stdout.splitlines()
    assert [line.split()[0] for line in listed] == ["1", "2"]
    assert listed[0].endswith(str(reduced / "second.py"))
    assert " -> " in listed[1]
    done = pollard("report", "2", "-o", "r.html", cwd=reduced)
    assert done.returncode == 0, done.stderr
    assert "<h1>first.json</h1>" in (reduced / "r.html").read_text()


def test_a_directory_with_a_journal_is_reported_wherever_it_is(reduced: Path) -> None:
    journals = Path(os.environ["POLLARD_STATE_DIR"]) / "reductions"
    shutil.copytree(next(journals.glob("first-*")), reduced / "copy")
    done = pollard("report", "copy", "-o", "r.html", cwd=reduced)
    assert done.returncode == 0, done.stderr
    assert "<h1>first.json</h1>" in (reduced / "r.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["third.c"], "There is no reduction of third.c; `pollard report --list` lists"),
        (["3"], "There is no reduction 3; the list of `pollard report --list` ends at 2."),
        (["0"], "There is no reduction 0"),
        (["-o", "r.pdf"], "r.pdf: name a report that ends in .html or in .md."),
        (["-o", "no/r.html"], "choose another file with -o"),
        (["first.json", "--list"], "--list takes neither"),
    ],
)
def test_mistakes_get_a_sentence(reduced: Path, arguments: list[str], sentence: str) -> None:
    done = pollard("report", *arguments, cwd=reduced)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert list(reduced.glob("r.*")) == []


@pytest.mark.parametrize("arguments", [[], ["--list"]])
def test_without_any_reduction_there_is_a_sentence(tmp_path: Path, arguments: list[str]) -> None:
    done = pollard("report", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert "There is no reduction on this machine yet" in done.stderr


def test_a_report_never_replaces_the_file_itself(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text("a\nneedle\n")
    pollard("reduce", "x.md", "--", *NEEDLE, cwd=tmp_path)
    done = pollard("report", "x.md", "-o", "x.md", cwd=tmp_path)
    assert done.returncode == 2
    assert (tmp_path / "x.md").read_text() == "a\nneedle\n"
