"""The statement that the failure's output names is tried first, in its file, before all else."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from pollard.oracle import Criteria
from pollard.oracle.command import CommandOracle
from pollard.passes.strategy import Strategy
from pollard.project.reduction import ProjectReduction
from tests.core.project.support import plan_for, tree_of

FILES = {
    "main.py": "import first\nfirst.start({'a': 1, 'b': {'c': 2}})\n",
    "first.py": "import second\n\n\ndef start(table):\n    return second.step(table['b'])\n",
    "second.py": "LIMIT = 3\n\n\ndef step(row):\n    total = row['d'] + LIMIT\n    return total\n",
}
for _number in range(20):
    FILES[f"part{_number}.py"] = f"VALUE = {_number}\n"
    FILES["first.py"] = f"import part{_number}\n{FILES['first.py']}"


def _reduced(strategy="default", **changes):
    oracle = CommandOracle(
        [sys.executable, "-S", "main.py"], criteria=Criteria(stderr="KeyError: 'd'")
    )
    plan = plan_for(tree_of({**FILES, **changes}), None)
    plan = replace(plan, each=replace(plan.each, oracle=oracle, strategy=Strategy.parse(strategy)))
    reduction = ProjectReduction(plan)
    return reduction.run()


@pytest.mark.e2e
def test_the_statement_is_left_in_few_runs():
    result = _reduced()
    assert result.files == {"main.py": b"{}['d']\n"}
    assert result.counts.runs <= 45
