"""Large inputs: memory and first runs. `python -m tests.bench.large` measures the rest."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.bench.cases import large
from tests.bench.large import make
from tests.bench.measure import measure

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


def test_preprocessed_cpp_is_below_100_kb_after_150_runs() -> None:
    """The headers are 99 % of the text, and nothing of them is needed."""
    name = "cpp-gxx12-headers"
    (make.HERE / name / "input.cpp").write_bytes(make.INPUTS[f"{name}/input.cpp"]())
    case = next(case for case in large() if case.name == name)
    found = measure(case, "default", run_limit=150)
    print(f"\n{len(case.text)} -> {len(found.text)} bytes in {found.result.counts.runs} runs")
    assert found.interesting
    assert len(found.text) <= 100_000
