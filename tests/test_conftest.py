"""The safety nets of conftest.py do hold: directories of one's own, and leftovers are noticed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import oracle_processes


def test_cache_and_state_are_outside_the_users_directories(own_directories: Path) -> None:
    for name in ("POLLARD_CACHE_DIR", "POLLARD_STATE_DIR"):
        folder = Path(os.environ[name])
        assert folder.is_relative_to(own_directories)
        assert Path.home() not in folder.parents


def test_a_surviving_oracle_process_is_noticed(own_directories: Path) -> None:
    """`no_leftovers` rests on this: the process is seen while it lives, and not when it is gone."""
    state = os.environ["POLLARD_STATE_DIR"]
    sleeper = [sys.executable, "-c", "print(flush=True); input()"]
    with subprocess.Popen(
        sleeper,
        env=os.environ | {"POLLARD_RUN": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert [line.split()[0] for line in oracle_processes(state)] == [str(process.pid)]
        assert oracle_processes("another test's directory") == []
        process.kill()
        process.wait()
    assert oracle_processes(state) == []


def test_a_missing_corpus_fails_instead_of_skipping(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLLARD_CORPUS", str(tmp_path / "nowhere"))
    with pytest.raises(pytest.fail.Exception, match="set POLLARD_CORPUS"):
        request.getfixturevalue("corpus")
