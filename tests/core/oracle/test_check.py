"""The check of the original before a reduction: its health, and what the user is told."""

from __future__ import annotations

import pytest

from pollard.executors import Runner
from pollard.executors import check_oracle as check
from pollard.oracle import Check, CommandOracle, Criteria, Health, SameFailure, Verdict
from pollard.oracle import check as check_executor
from pollard.oracle.sandbox_policy import SandboxLevel, SandboxPolicy
from tests.core.oracle.diagnostics.recorded import recorded_outcome
from tests.core.oracle.helpers import outcome, shell


def _counting(path, interesting):
    """An oracle whose n-th run (from 0) is interesting if `interesting` contains n."""
    wanted = "|".join(map(str, interesting))
    count = f"n=$(cat {path} 2>/dev/null || echo 0); echo $((n+1)) > {path}"
    return f"{count}; case $n in {wanted}) exit 0;; esac; exit 1"


def test_an_interesting_original_is_healthy():
    found = check(shell("exit 0"), "a.c", b"x")
    assert found.health is Health.INTERESTING
    assert found.interesting
    assert len(found.runs) == 3
    assert "3 of 3 runs" in found.describe()


@pytest.mark.parametrize(
    ("oracle", "is_said"),
    [
        (shell("grep -q y {file}"), True),
        (shell("exit 1", criteria=Criteria(exit_code=(1,))), False),
        (shell("grep y {file}", criteria=Criteria(stdout="y")), False),
        (shell("grep -q y {file}", same_failure=SameFailure.OFF), False),
    ],
    ids=["silent", "told by the exit code", "told by a pattern", "not to be compared"],
)
def test_users_learn_that_failures_cannot_be_compared(oracle, is_said):
    found = check(oracle, "a.c", b"y")
    assert found.interesting
    assert ("failures are not compared" in found.describe()) is is_said


@pytest.mark.parametrize(
    ("command", "is_said"),
    [("grep -q y {file}", True), ("grep y {file}", False), ("cat {file} >&2", False)],
    ids=["silent", "prints a line", "prints an error"],
)
def test_users_of_a_silent_script_learn_what_it_should_print(command, is_said):
    """A reduction takes far fewer runs if it can begin where the program fails."""
    found = check(shell(command), "a.c", b"y")
    assert ("The command prints nothing" in found.describe()) is is_said
    assert bool(found.silence) is is_said


def test_an_uninteresting_original_is_explained_by_all_that_was_seen():
    oracle = shell(
        "echo some output; echo an error >&2; exit 4",
        criteria=Criteria(exit_code=(1,), output="ICE"),
        name="gcc-ice",
    )
    found = check(oracle, "a.c", b"x")
    assert found.health is Health.UNINTERESTING
    told = found.describe()
    for part in ("gcc-ice", "/bin/sh -c", "exit code 4", "some output", "an error"):
        assert part in told
    assert "FAILED: exit code must be 1; it was 4" in told
    assert "FAILED: output must match /ICE/; it did not" in told


@pytest.mark.parametrize(
    ("text", "is_hinted"),
    [("f(): no [x].", True), ("no .x", False), ("g(): no", False)],
    ids=["printed", "pattern", "something else"],
)
def test_a_text_that_is_meant_as_it_stands_is_suggested_as_a_pattern(text, is_hinted):
    oracle = shell("echo 'error: f(): no [x].'; exit 1", criteria=Criteria(output=text))
    told = check(oracle, "a.c", b"x").describe()
    assert (r"write --output 'f\(\): no \[x\]\.'" in told) is is_hinted
    assert "does it need more than a sandbox allows" not in told or not is_hinted


def test_an_invalid_original_is_explained_by_the_criteria_that_hold():
    oracle = shell("echo nope", invalid=Criteria(stdout="nope"))
    assert "held: stdout must match /nope/; it did" in check(oracle, "a", b"").describe()


def test_a_killed_and_a_hanging_oracle_are_explained():
    assert "it was killed by signal 9 after" in check(shell("kill -9 $$"), "a", b"").describe()
    found = check(shell("sleep 60", timeout=0.1), "a", b"")
    assert found.health is Health.UNINTERESTING
    assert "give the oracle more time" in found.describe()


def test_an_original_with_different_verdicts_is_flaky(tmp_path):
    found = check(shell(_counting(tmp_path / "n", [0, 2])), "a", b"")
    assert (found.health, found.hits, found.interesting) == (Health.FLAKY, 2, False)
    assert "2 of 3 runs" in found.describe()
    assert "k of n" in found.describe()


def test_more_runs_are_suggested_only_if_none_failed_and_nothing_else_explains_it(tmp_path):
    """A rare failure may be missed by all runs of the check."""
    never = Criteria(stderr="nope")
    assert "--checks 20" in check(shell("exit 0", criteria=never), "a", b"").describe()
    assert "--checks 20" not in check(shell("exit 1"), "a", b"").describe()
    flaky = check(
        shell(_counting(tmp_path / "n", [0, 2]), criteria=Criteria(exit_code=(0,))), "a", b""
    )
    assert flaky.health is Health.FLAKY
    assert "--checks 20" not in flaky.describe()


def test_a_flaky_original_is_accepted_if_enough_runs_are_interesting(tmp_path):
    command = _counting(tmp_path / "n", [0, 2])
    found = check(shell(command, runs_required=(2, 4)), "a", b"")
    assert (found.health, len(found.runs)) == (Health.INTERESTING, 4)
    found = check(shell(command, runs_required=(2, 4)), "a", b"")
    assert found.health is Health.UNINTERESTING


@pytest.mark.parametrize("command", [("no-such-command",), ("./missing",)])
def test_an_oracle_that_cannot_start_is_explained(command):
    found = check(CommandOracle(command), "a", b"")
    assert (found.health, found.runs) == (Health.BROKEN, ())
    assert command[0] in found.describe()


def test_a_command_that_the_shell_does_not_find_is_explained():
    assert "a command was not found" in check(CommandOracle("no-such-command"), "a", b"").describe()


@pytest.mark.parametrize("command", ["python3 check.py {file}", ("python3", "check.py")])
def test_a_script_named_without_its_directory_is_suggested_with_it(tmp_path, command):
    (tmp_path / "check.py").touch()
    told = check(CommandOracle(command, workspace=tmp_path), "a", b"").describe()
    assert "write {workspace}/check.py" in told


@pytest.mark.parametrize(
    ("told", "is_hinted"),
    [
        (b"ModuleNotFoundError: No module named 'helper'", True),
        (b"x.c:1:10: fatal error: x.h: No such file or directory", True),
        (b"npm error request to the registry failed, reason: getaddrinfo EAI_AGAIN", True),
        (b"x.c:1:1: error: unknown type name 'a'", False),
    ],
)
def test_what_a_run_misses_may_be_around_the_file(told, is_hinted):
    oracle = CommandOracle("tool", criteria=Criteria(output="wanted"))
    run = outcome(exit_code=1, stderr=told)
    text = Check(oracle, Health.UNINTERESTING, (run,), timeout=1.0).describe()
    assert ("--around" in text) == is_hinted


def test_a_file_that_the_command_writes_is_no_file_to_look_for(tmp_path):
    (tmp_path / "f.o").touch()
    oracle = CommandOracle(("false", "-o", "f.o"), workspace=tmp_path)
    assert "f.o is in the workspace" not in check(oracle, "a", b"").describe()


@pytest.mark.parametrize("name", ["gcc:-Wuninitialized", "own"])
def test_flags_are_asked_for_where_the_usual_command_does_not_report_a_warning(name):
    criteria = Criteria(diagnostic=("gcc:-Wuninitialized",))
    oracle = CommandOracle(("gcc", "{file}"), criteria=criteria, name=name)
    text = Check(oracle, Health.UNINTERESTING, (outcome(),), timeout=1.0).describe()
    told = "add its command: --diagnostic gcc:-Wuninitialized -- gcc -O2 -Wuninitialized -c {file}."
    assert (told in text) == (name != "own")


def test_another_diagnostic_than_the_wanted_one_is_named_as_users_write_it():
    oracle = CommandOracle(("ruff", "check"), criteria=Criteria(diagnostic=("ruff:F8",)))
    run = outcome(exit_code=1, stdout=recorded_outcome("ruff").stdout)
    text = Check(oracle, Health.UNINTERESTING, (run,), timeout=1.0).describe()
    assert "hint: what it reported is called --diagnostic 'ruff:F401 … imported but unused'" in text
    assert "sandbox allows" not in text


def test_the_timeout_is_ten_times_the_first_run_within_bounds():
    with Runner(shell("sleep 0.3"), "a") as runner:
        found = check_executor(runner, b"", runs=1)
        assert 3.0 <= found.timeout == runner.timeout == 10 * found.first_seconds
    quick = check(shell("exit 0"), "a", b"", runs=1)
    assert quick.timeout == max(1.0, 10 * quick.first_seconds)
    assert check(shell("exit 0", timeout=0.5), "a", b"", runs=1).timeout == 0.5


@pytest.mark.parametrize(("seconds", "is_said"), [((0.1, 0.2), False), ((0.1, 0.5), True)])
def test_a_tight_limit_is_said(seconds, is_said):
    """A limit that runs nearly reach may stop them only because the machine is busy."""
    runs = tuple(outcome(verdict=Verdict.INTERESTING, seconds=each) for each in seconds)
    checked = Check(shell("true"), Health.INTERESTING, runs, timeout=1.0)
    assert ("The time limit is tight" in checked.describe()) is is_said


def _described(policy: SandboxPolicy, stderr: bytes = b"") -> str:
    """What a check tells of a run that failed."""
    oracle = CommandOracle(("tool", "{file}"), sandbox=policy)
    runs = (outcome(exit_code=1, stderr=stderr),)
    return Check(oracle, Health.UNINTERESTING, runs, timeout=1.0).describe()


def test_the_check_says_what_the_sandbox_lets_the_command_do(tmp_path):
    policy = SandboxPolicy(SandboxLevel.DEFAULT, write=(tmp_path,), network=True, env=("TOKEN",))
    line = f"level default, but it may change {tmp_path}, it gets the variable TOKEN, it may use"
    assert f"sandbox: {line} the network\n" in _described(policy)
    assert "sandbox: level strict\n" in _described(SandboxPolicy(SandboxLevel.STRICT))
    assert "sandbox" not in _described(SandboxPolicy(SandboxLevel.OFF))


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("touch: cannot touch '{}/lock': Read-only file system", "{}"),
        ("OSError: [Errno 30] Read-only file system: '{}'", "{}"),
        ("open {}/a: read-only file system", "{}"),
        ("Error: EROFS: read-only file system, mkdir '{}/no/such'", "PATH"),
        ("cat: {}/key: Permission denied", "PATH"),
        ("/bin/tool: Read-only file system", "/bin"),
        ("mkdir: cannot create directory '/new': Read-only file system", "PATH"),
    ],
)
def test_the_check_names_the_folder_that_could_not_be_written(tmp_path, line, place):
    told = _described(SandboxPolicy(SandboxLevel.DEFAULT), line.format(tmp_path).encode())
    place = place.format(tmp_path)
    assert f'write = ["{place}"]' in told
    assert f"--allow-write {place}," in told
