"""`--report` writes a bug report to paste into an issue tracker, or a page."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from pollard.executors.program_version import program_version
from pollard.oracle import CommandOracle
from tests.core.cli.helpers import NEEDLE, pollard, script


def test_the_report_has_the_result_the_command_and_the_versions(tmp_path: Path) -> None:
    (tmp_path / "a b.json").write_text('[1, "needle", 3]\n')
    command = ["grep", "-q", "needle", "{file}"]
    done = pollard("reduce", "a b.json", "--report", "r.md", "--", *command, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    report = (tmp_path / "r.md").read_text()
    result = (tmp_path / "a b.reduced.json").read_text().rstrip()
    assert f"```json\n{result}\n```\n" in report
    assert "```sh\ngrep -q needle 'a b.json'\n```\n" in report
    assert "\n- Pollard " in report
    assert "\n- Python " in report
    assert "Reduced by Pollard from 17 B to " in report


def test_a_result_with_fences_does_not_end_the_code_block(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("a\n````needle\n")
    oracle = ["grep", "-q", "````needle"]
    done = pollard("reduce", "x.txt", "--report", "r.md", "--", *oracle, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "`````\n````needle\n`````\n" in (tmp_path / "r.md").read_text()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"\xff.txt", r"`\udcff.txt`"),
        (b"a\nb.txt", r"`a\nb.txt`"),
        (b"`x`.txt", "`` `x`.txt ``"),
    ],
)
def test_a_report_has_any_name_on_one_line(tmp_path: Path, name: bytes, shown: str) -> None:
    file = tmp_path / os.fsdecode(name)
    file.write_text("needle\nmore\n")
    done = pollard("reduce", file.name, "--report", "r.md", "--", *NEEDLE, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    opening = f"The file below, {shown}, shows the failure. Save it and run:\n"
    assert (tmp_path / "r.md").read_text().startswith(opening)


def test_a_name_that_ends_in_html_asks_for_a_page(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('[1, "needle", 3]\n')
    oracle = ["grep", "needle", "{file}"]
    done = pollard("reduce", "x.json", "--report", "r.html", "--", *oracle, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "r.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "<h1>x.json</h1>" in page
    assert "grep needle x.json" in page


def test_the_bug_report_has_the_end_of_a_long_output(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("needle\n")
    oracle = 'seq 100; grep needle {file}; printf "\\033[31mred\\033[0m\\n"'
    done = pollard("reduce", "x.txt", "--report", "r.md", "--", oracle, cwd=tmp_path)
    assert done.returncode in (0, 1), done.stderr
    report = (tmp_path / "r.md").read_text()
    assert "The output:\n\n```\n...\n" in report
    assert "\nred\n```" in report


def test_the_report_has_the_version_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('[1, "needle", 3]\n')
    pollard("reduce", "x.json", "--report", "r.md", "--", "grep", "-q", "needle", cwd=tmp_path)
    assert re.search(r"\n- grep: grep .*\d", (tmp_path / "r.md").read_text())
    pollard("report", "x.json", "-o", "later.md", cwd=tmp_path)
    assert (tmp_path / "later.md").read_text() == (tmp_path / "r.md").read_text()


def test_a_script_is_not_asked_for_its_version(tmp_path: Path) -> None:
    """It may take the option for a file."""
    (tmp_path / "x.json").write_text('[1, "needle", 3]\n')
    log = tmp_path / "log"
    oracle = script(tmp_path / "oracle", f'#!/bin/sh\necho "$1" >> {log}\ngrep -q needle "$1"\n')
    pollard("reduce", "x.json", "--report", "r.md", "--", oracle, cwd=tmp_path)
    assert (tmp_path / "r.md").exists()
    assert "--version" not in log.read_text()


def test_a_program_that_tells_no_version_has_none(tmp_path: Path, monkeypatch) -> None:
    """Such as one that fails, or prints something else."""
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    for name, text in {
        "failing": "echo 1.2; exit 1",
        "other": "echo usage",
        "good": "echo v1",
    }.items():
        script(tmp_path / name, f"#!/bin/sh\n{text}\n")
    told = {name: program_version(CommandOracle((name,))) for name in ("failing", "other", "good")}
    assert told == {"failing": "", "other": "", "good": "good: v1"}


def test_statistics_do_not_replace_the_report(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("needle\n")
    both = ("--report", "out.md", "--stats", "./out.md")
    done = pollard("reduce", "x.py", *both, "--", *NEEDLE, cwd=tmp_path)
    assert (done.returncode, "--stats names FILE" in done.stderr) == (2, True)
    assert not (tmp_path / "out.md").exists()


@pytest.mark.parametrize(
    ("report", "sentence"),
    [("r.pdf", "ends in .html or in .md"), ("x.md", "names FILE or its result")],
)
def test_a_report_that_cannot_be_is_refused_before_any_run(
    tmp_path: Path, report: str, sentence: str
) -> None:
    (tmp_path / "x.md").write_text("needle\n")
    done = pollard("reduce", "x.md", "--report", report, "--", *NEEDLE, cwd=tmp_path)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert not (tmp_path / "x.reduced.md").exists()
