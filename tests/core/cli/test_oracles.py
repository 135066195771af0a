"""COMMAND and its options, as users write them."""

from __future__ import annotations

import pytest

from pollard.cli.main import run
from tests.core.cli.helpers import JSON, SCRIPT, pollard, script

CHECK = "import sys\nsys.exit('needle' not in open(sys.argv[1]).read())\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "f.json").write_text(JSON)
    (tmp_path / "needle").write_text("a file called like the word that is searched for\n")
    script(tmp_path / "oracle.sh", SCRIPT)
    (tmp_path / "check.py").write_text(CHECK)
    (tmp_path / "words.txt").write_text("needle\n")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ["./oracle.sh"],
        ["./oracle.sh", "{file}"],
        ["./oracle.sh", "src/f.json"],
        ["sh", "oracle.sh", "{file}"],
        ["sh", "./oracle.sh"],
        ["python3", "check.py"],
        ["grep", "-q", "-f", "words.txt", "{file}"],
        ["grep -q needle {file} && true"],
        ["grep -q needle"],
        ["sh", "-c", "grep -q needle {file}"],
    ],
)
def test_commands_work_as_users_expect(folder, command, monkeypatch):
    monkeypatch.chdir(folder)
    assert run(["reduce", "src/f.json", "-o", "out", "--", *command]) == 0
    assert "needle" in (folder / "out").read_text()
    assert len((folder / "out").read_text()) < 25


@pytest.mark.parametrize(
    "options",
    [
        ["--stdout", "needle", "--", "cat"],
        ["--output", "need.e", "--not-exit-code", "7", "--", "cat", "{file}"],
        ["--stdout", "needle", "--stdin", "--", "cat"],
        ["--stderr", "needle", "--exit-code", "3,4", "--", "cat {file} >&2; exit 4 #"],
        ["--signal", "SEGV", "--", "grep -q needle {file} && kill -SEGV $$ #"],
        ["--not-stdout", "hay", "--stdout", "needle", "--", "cat"],
        ["--with", "words.txt", "--", "grep -q -f words.txt"],
        ["--with", "words.txt", "--", "grep", "-q", "-f", "words.txt", "{file}"],
        ["--runs-required", "1 of 2", "--timeout", "5s", "--memory", "1GiB", "--", "./oracle.sh"],
    ],
)
def test_options_set_criteria_and_limits(folder, options, monkeypatch):
    monkeypatch.chdir(folder)
    assert run(["reduce", "src/f.json", "-o", "out", *options]) == 0
    assert "needle" in (folder / "out").read_text()
    assert len((folder / "out").read_text()) < 25


def test_a_flaky_oracle_is_exit_code_3(folder):
    oracle = script(
        folder / "flaky",
        f"#!/bin/sh\necho x >> {folder}/log\n[ $(($(wc -l < {folder}/log) % 2)) = 1 ]\n",
    )
    done = pollard("reduce", "src/f.json", "--", oracle, cwd=folder)
    assert done.returncode == 3
    assert "flaky" in done.stderr
    assert not (folder / "src" / "f.reduced.json").exists()


def test_an_uninteresting_file_is_exit_code_3_with_an_explanation(folder):
    command = ["sh", "-c", "echo out; echo err >&2; exit 9"]
    done = pollard("reduce", "src/f.json", "--stats", "s.json", "--", *command, cwd=folder)
    assert done.returncode == 3
    for part in ("not interesting", "exit 9", "exit code 9", "must be 0", "out", "err"):
        assert part in done.stderr
    assert '"interesting": false' in (folder / "s.json").read_text()


def test_check_explains_what_it_saw(folder):
    done = pollard("check", "src/f.json", "--", "./oracle.sh", cwd=folder)
    assert done.returncode == 0
    assert "3 of 3 runs" in done.stdout
    assert str(folder / "oracle.sh") in done.stdout
    done = pollard("check", "src/f.json", "--stdout", "nix", "--", "cat", cwd=folder)
    assert done.returncode == 3
    assert "FAILED: stdout must match /nix/" in done.stdout
    assert "    19" in done.stdout, "the end of what the command printed"
    assert (folder / "src" / "f.json").read_text() == JSON
