"""Large inputs: how much memory a reduction takes. `python -m tests.bench.large` measures the rest."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.bench.large import make

pytestmark = pytest.mark.bench
_CASE = "sql-sqlite-dump"


def test_a_dump_of_megabytes_ends_small_within_400_mb() -> None:
    """A reduction of 1.7 MB of SQL, which has names, errors and long lists."""
    path = make.HERE / _CASE / "input.sql"
    path.write_bytes(make.INPUTS[f"{_CASE}/input.sql"]())
    command = [sys.executable, "-m", "tests.bench.large", _CASE, "--one"]
    found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    print(f"\n{path.stat().st_size} -> {found['left']} bytes, peak {found['peak']:.0f} MB")
    assert found["interesting"]
    assert found["left"] < 200
    assert found["peak"] < 400
