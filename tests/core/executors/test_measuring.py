"""Measurements of flaky originals: real causes of chance, the remedies against them, the limits."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from pollard.errors import Cancelled
from pollard.executors import check_oracle, measuring
from pollard.oracle import CancelToken, Check, CommandOracle, Criteria, Health, Predicate
from tests.core.oracle.helpers import PYTHON, shell

# Fails if "beta" comes before "alpha" in a set, which depends on the seed of Python's hashes.
SET_ORDER = b"""
import sys
words = list({"alpha", "beta"})
sys.exit(0 if words == ["beta", "alpha"] else 1)
"""

# Fails if the thirteenth bit of the stack's end is set, as it always is without randomisation.
STACK = r"""
end=$(sed -n 's/^[0-9a-f]*-\([0-9a-f]*\) .*\[stack\]$/\1/p' /proc/self/maps)
case $end in *[13579bdf]000) exit 0;; esac
exit 1
"""


def by_count(path: Path, script: str) -> str:
    """A script with the number of the run, from 0, in `$n`."""
    return f"n=$(cat {path} 2>/dev/null || echo 0); echo $((n+1)) > {path}; {script}"


def measured(oracle: CommandOracle | Predicate, text: bytes = b"x", **options) -> Check:
    return check_oracle(oracle, "case.txt", text, on_step=lambda _: None, **options)


def until_flaky(oracle: CommandOracle, text: bytes) -> Check:
    """Check until chance makes three runs differ, which two of three checks do."""
    checks = (measured(oracle, text) for _ in itertools.count())
    return next(each for each in checks if each.health is Health.FLAKY)


def test_the_order_of_a_set_becomes_certain_with_a_hash_seed():
    found = until_flaky(CommandOracle((PYTHON, "{file}")), SET_ORDER).flakiness
    assert found is not None
    assert found.remedy is not None
    assert found.remedy.prefix[0] == "env"
    last = found.attempts[-1]
    assert last.title == found.remedy.title
    assert last.frequency.hits == last.frequency.runs >= 10
    assert 0 < found.plain.hits < found.plain.runs == 10


def test_what_depends_on_addresses_becomes_certain_without_their_randomisation():
    checked = until_flaky(shell(STACK), b"x")
    assert checked.flakiness is not None
    assert checked.flakiness.remedy is not None
    assert "setarch -R" in checked.describe()


def test_the_offered_command_is_certain(tmp_path: Path):
    """Here only the seed 3 shows the failure; 0 to 2 never do, and no seed gives every other run."""
    script = by_count(
        tmp_path / "n",
        'case "$PYTHONHASHSEED" in "") [ $((n % 2)) = 0 ];; *) [ $PYTHONHASHSEED = 3 ];; esac # python',
    )
    oracle = CommandOracle(script, stdin=True)
    found = measured(oracle)
    assert found.flakiness is not None
    assert found.flakiness.remedy is not None
    assert [(each.title, str(each.frequency)) for each in found.flakiness.attempts] == [
        ("a fixed PYTHONHASHSEED", "0 of 3 runs"),
        ("PYTHONHASHSEED=3", "10 of 10 runs"),
    ]
    assert found.measured_runs == 10 + 3 + 10 == int((tmp_path / "n").read_text())
    again = measured(found.flakiness.remedy.applied(oracle), runs=12)
    assert (again.health, again.hits) == (Health.INTERESTING, 12)


def test_chance_without_a_known_cause_is_measured_and_gets_no_remedy(tmp_path: Path):
    """Two of three runs fail, whatever the conditions are; a remedy ends with its first miss."""
    found = measured(shell(by_count(tmp_path / "n", "[ $((n % 3)) != 1 ]")))
    assert found.flakiness is not None
    assert str(found.flakiness.plain) == "7 of 10 runs"
    assert found.flakiness.remedy is None
    assert all(each.frequency.runs <= 3 for each in found.flakiness.attempts)
    assert 'runs_required = "2 of 5"' in found.describe()
    assert found.measured_runs == int((tmp_path / "n").read_text())


def test_another_failure_under_a_remedy_is_not_the_failure(tmp_path: Path):
    """With a seed the program always fails, but of another cause."""
    script = by_count(
        tmp_path / "n",
        'if [ "$PYTHONHASHSEED" ]; then echo "KeyError: 1" >&2; exit 1; fi; '
        '[ $((n % 2)) = 0 ] || exit 0; echo "ValueError: 1" >&2; exit 1',
    )
    traceback = (
        'echo "Traceback (most recent call last):" >&2; echo "  File \\"a.py\\", line 1" >&2;'
    )
    oracle = shell(f"{traceback} {script} # python", criteria=Criteria(exit_code=(1,)))
    found = measured(oracle)
    assert [str(each) for each in found.signatures] == ["ValueError, raised on line 1"]
    assert found.flakiness is not None
    assert found.flakiness.remedy is None


def test_a_remedy_whose_program_is_forbidden_here_is_not_tried(monkeypatch, tmp_path: Path):
    """Its failure to start would otherwise look like the failure that exit code 1 stands for."""
    monkeypatch.setattr(measuring, "_works", lambda _: False)
    found = measured(shell(by_count(tmp_path / "n", "[ $((n % 2)) = 0 ]")))
    assert found.flakiness is not None
    assert found.flakiness.attempts == ()


def test_a_budget_that_is_over_ends_the_measurement(monkeypatch, tmp_path: Path):
    monkeypatch.setattr(measuring, "_MAX_PLAIN_SECONDS", -1.0)
    monkeypatch.setattr(measuring, "_MAX_SECONDS", -1.0)
    found = measured(shell(by_count(tmp_path / "n", "[ $((n % 2)) = 0 ]")))
    assert found.measured_runs == 3
    assert "2 of 3 runs" in found.describe()


def test_a_flaky_function_is_measured_without_remedies():
    answers = itertools.cycle([True, False])
    found = measured(Predicate(lambda _: next(answers)))
    assert found.flakiness is not None
    assert str(found.flakiness.plain) == "5 of 10 runs"
    assert found.flakiness.attempts == ()


def test_measuring_stops_when_it_is_cancelled(tmp_path: Path):
    token = CancelToken()
    steps = []

    def step(what: str) -> None:
        steps.append(what)
        token.set()

    oracle = shell(by_count(tmp_path / "n", "[ $((n % 2)) = 0 ]"))
    with pytest.raises(Cancelled):
        check_oracle(oracle, "a", b"", cancelled=token, on_step=step)
    assert steps == ["how often the file fails"]
    assert (tmp_path / "n").read_text() == "3\n"


def test_nothing_is_measured_unless_the_original_is_flaky():
    assert measured(shell("exit 0")).flakiness is None
    assert measured(shell("exit 1")).flakiness is None
    assert measured(shell("exit 0"), runs=5).frequency.runs == 5
