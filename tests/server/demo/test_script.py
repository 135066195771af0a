"""The demo's script and settings: a failure worth reducing, and an oracle that recognises it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pollard.executors import Runner
from pollard.oracle import CommandOracle, Verdict
from pollard.settings import settings_for
from pollard_server.demo.script import (
    FAILURE,
    FILENAME,
    FUNCTION,
    LANGUAGE,
    count_lines,
    environment,
    script,
    settings,
    workspace,
)


def _oracle(folder: Path) -> CommandOracle:
    (folder / "pollard.toml").write_text(settings(), encoding="utf-8")
    return settings_for(folder / FILENAME).oracle_for(LANGUAGE).to_oracle(folder)


def test_the_bundled_script_fails_as_the_demo_says(tmp_path: Path) -> None:
    file = tmp_path / FILENAME
    file.write_bytes(script())
    ran = subprocess.run(
        [sys.executable, "-I", "-S", file], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert f", in {FUNCTION}\n" in ran.stderr
    assert ran.stderr.rstrip().endswith(FAILURE)


def test_the_bundled_script_is_worth_reducing() -> None:
    text = script().decode()
    assert 100 <= count_lines(script()) <= 180
    assert text.count("\nclass ") >= 2
    assert text.count("def ") >= 10


@pytest.mark.parametrize(
    "other",
    [
        b"def settle():\n    1 / 0\nsettle()\n",
        b"def other():\n    d = {1: 1}\n    for k in d:\n        del d[k]\nother()\n",
        b"def settle():\n    raise RuntimeError('dictionary')\nsettle()\n",
        b"print('in settle\\nRuntimeError: dictionary changed size during iteration')\n",
        b"",
    ],
    ids=["another error", "another function", "another text", "on standard output", "empty"],
)
def test_the_demo_does_not_slip_to_another_failure(other: bytes, tmp_path: Path) -> None:
    with Runner(_oracle(tmp_path), FILENAME) as runner:
        assert runner.run(script()).verdict is Verdict.INTERESTING
        assert runner.run(other).verdict is Verdict.UNINTERESTING


def test_the_number_of_jobs_gets_into_the_settings(tmp_path: Path) -> None:
    (tmp_path / "pollard.toml").write_text(settings(jobs=3), encoding="utf-8")
    assert settings_for(tmp_path / FILENAME).jobs == 3
    (tmp_path / "pollard.toml").write_text(settings(), encoding="utf-8")
    assert settings_for(tmp_path / FILENAME).jobs == "auto"


def test_any_path_of_python_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Including backslashes, quotes and non-ASCII letters."""
    python = 'C:\\Ünïcode "new"\\x\\🐍'
    monkeypatch.setattr(sys, "executable", python)
    assert _oracle(tmp_path).command == (python, "-I", "-S", "{file}")


def test_the_server_keeps_everything_in_a_folder_that_is_removed() -> None:
    """So no verdict comes from an earlier demo's cache, and nothing is left behind."""
    with workspace(jobs=2) as folder:
        for name in ("POLLARD_CACHE_DIR", "POLLARD_STATE_DIR", "TMPDIR"):
            assert Path(environment(folder)[name]).parent == folder.parent
        assert (folder / FILENAME).read_bytes() == script()
        assert not list(folder.parent.glob("cache/*"))
    assert not folder.parent.exists()


def test_a_relative_pythonpath_leads_the_server_to_the_same_modules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The server starts in another folder, so that none of the user's modules can shadow its own."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["core", "server"]))
    with workspace(jobs=None) as folder:
        found = environment(folder)["PYTHONPATH"].split(os.pathsep)
    assert found == [str(Path("core").absolute()), str(Path("server").absolute())]
