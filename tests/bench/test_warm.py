"""The table of warm and cold runs is made of runs that agree."""

from __future__ import annotations

import pytest

from pollard.errors import OracleError
from pollard.oracle import Criteria
from pollard.oracle.warm.warm_runs import WarmRuns
from tests.bench import warm
from tests.bench.warm_cases import WarmCase
from tests.core.executors.warm_programs import program


def _case(folder, source):
    command = (*program(folder, source), "{file}")
    return WarmCase("small", command, b'[1, "needle"]', "a.json", Criteria(exit_code=(0,)))


def test_both_times_are_measured_and_the_search_has_one_result(tmp_path, monkeypatch):
    case = _case(tmp_path, "import json, sys\nsys.exit('needle' not in open(sys.argv[1]).read())")
    monkeypatch.setattr(warm, "CASES", (case,))
    monkeypatch.setattr(warm, "_ROUNDS", 1)
    head, _, row = warm.table([], search=True)
    cells = dict(zip(head.split(" | "), row.split(" | "), strict=True))
    assert cells["| tool"] == "| small"
    assert cells["cold"].endswith(" ms")
    assert cells["result |"] == "the same |"


def test_runs_that_disagree_are_no_measurement(tmp_path):
    case = _case(tmp_path, "import gc, sys\nsys.exit(gc.get_freeze_count() > 0)")
    with pytest.raises(OracleError, match="Runs are cold"):
        warm.measured(case, rounds=1)


def test_a_script_stands_for_its_command(tmp_path):
    case = next(case for case in warm.CASES if case.staying)
    assert case.oracle(WarmRuns.PROTOCOL).command[0] == "node"
    assert case.oracle(WarmRuns.OFF).command == case.command
