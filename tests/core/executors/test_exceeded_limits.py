"""Runs that must exceed a limit: what hangs, is too slow, or needs too much memory can be reduced."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pollard.errors import OracleError
from pollard.executors import Runner, check_oracle, linux, portable
from pollard.executors import process as process_module
from pollard.oracle import CommandOracle, Verdict
from pollard.oracle.criteria import Criteria
from pollard.oracle.failures.selection import read_signature
from pollard.settings.settings import Settings
from tests.core.cli.helpers import PYTHON
from tests.core.cli.helpers import pollard as command_line
from tests.core.oracle.helpers import outcome, run_once, shell

HUNGRY = "import time\nheld = bytearray(300_000_000)\nheld[::4096] = b'x' * len(held[::4096])\n"


@pytest.fixture(params=["linux", "portable"])
def _either(request, monkeypatch):
    module = {"linux": linux, "portable": portable}[request.param]
    monkeypatch.setattr(process_module, "execute", module.execute)


def limited(script: str, exceeds: str, **changes) -> CommandOracle:
    return shell(script, criteria=Criteria(exceeds=exceeds), **changes)


@pytest.mark.usefixtures("_either")
def test_a_run_that_hangs_is_interesting_and_one_that_ends_is_not():
    assert run_once(limited("sleep 100", "timeout", timeout=0.3)).verdict is Verdict.INTERESTING
    assert run_once(limited("true", "timeout", timeout=60)).verdict is Verdict.UNINTERESTING


@pytest.mark.usefixtures("_either")
def test_a_run_that_keeps_too_much_memory_is_interesting():
    """It is not refused the memory, so it does not end with an error of its own before."""
    wasteful = CommandOracle(
        (sys.executable, "-c", f"{HUNGRY}time.sleep(60)"),
        criteria=Criteria(exceeds="memory"),
        memory=200_000_000,
        stdin=True,
    )
    run = run_once(wasteful)
    assert (run.verdict, run.memory_exceeded) == (Verdict.INTERESTING, True)
    modest = limited("true", "memory", memory=200_000_000)
    assert run_once(modest).verdict is Verdict.UNINTERESTING


def test_the_other_limit_keeps_its_verdict():
    """A run that should need too much memory, but hangs, shows nothing."""
    run = run_once(limited("sleep 100", "memory", memory=10**9, timeout=0.3))
    assert run.verdict is Verdict.TIMEOUT


def test_further_criteria_must_hold_for_what_was_printed_before_the_end():
    criteria = Criteria(exceeds="timeout", stdout="reading")
    hangs = shell("echo reading; sleep 100", criteria=criteria, timeout=0.3)
    assert run_once(hangs).verdict is Verdict.INTERESTING
    silent = shell("sleep 100", criteria=criteria, timeout=0.3)
    assert run_once(silent).verdict is Verdict.UNINTERESTING


def test_the_limit_is_the_failure():
    """Without a signature, nothing would tell that a candidate hangs and does not crash."""
    hung = outcome(timed_out=True, signal=9, exit_code=None)
    assert str(read_signature(hung, Criteria(exceeds="timeout"))) == "time limit exceeded"
    full = outcome(memory_exceeded=True, signal=9, exit_code=None)
    assert str(read_signature(full, Criteria(exceeds="memory"))) == "memory limit exceeded"
    assert read_signature(hung, Criteria()) is None


def test_a_check_names_the_limit_and_has_no_doubts_about_it():
    """Else it would warn that the limit leaves no room."""
    checked = check_oracle(limited("sleep 100", "timeout", timeout=0.3), "a", b"x", runs=1)
    assert "This failure: time limit exceeded" in checked.describe()
    assert checked.notes == ()


@pytest.mark.parametrize("limit", ["timeout", "memory"])
def test_a_limit_that_is_not_set_cannot_be_exceeded(limit):
    settings = Settings.from_mapping({"oracles": {"o": {"command": "true", "exceeds": limit}}})
    with pytest.raises(OracleError, match=f"which {limit} its runs must exceed; give it one"):
        settings.oracle_for().to_oracle(Path.cwd())


def test_the_limit_of_the_workspace_serves_as_well(tmp_path):
    table = {"timeout": "3s", "oracles": {"o": {"command": "true", "exceeds": "timeout"}}}
    oracle = Settings.from_mapping(table).oracle_for().to_oracle(tmp_path)
    assert (oracle.timeout, oracle.criteria.exceeds) == (3.0, "timeout")


def test_verdicts_for_another_time_limit_are_not_reused():
    """Whether a run exceeds the limit depends on it; for other oracles the cache handles it."""
    short, long = (limited("true", "timeout", timeout=seconds) for seconds in (1, 2))
    assert short.fingerprint() != long.fingerprint()
    assert shell("true", timeout=1).fingerprint() == shell("true", timeout=2).fingerprint()


def test_a_file_that_makes_a_command_hang_is_reduced(tmp_path):
    (tmp_path / "hang.py").write_text(PYTHON)
    words = ["--exceeds", "timeout", "--timeout", "500ms", "--checks", "1", "-o", "out.py"]
    hangs = "grep -q needle {file} || exit 0; while :; do :; done"
    done = command_line("reduce", "hang.py", *words, "--", hangs, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.py").read_text().strip() == "needle"


def test_nothing_of_a_runner_limits_what_must_exceed_its_memory():
    oracle = limited("ulimit -d", "memory", memory=10**9)
    with Runner(oracle, "a") as runner:
        run = runner.run(b"", capture=True)
    assert run.stdout.strip() == b"unlimited"
