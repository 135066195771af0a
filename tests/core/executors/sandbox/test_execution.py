"""Candidates that a command executes are told from those that it only reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from pollard.executors.sandbox import bubblewrap, landlock
from pollard.executors.sandbox.execution import executed_by, risk_of
from pollard.oracle import CommandOracle
from pollard.oracle.command import Cluster
from pollard.oracle.predicate import Predicate
from pollard.oracle.sandbox_policy import SandboxLevel, SandboxPolicy

DEFAULT = SandboxPolicy(level=SandboxLevel.DEFAULT)
OFF = SandboxPolicy(level=SandboxLevel.OFF)

EXECUTE = {
    "an interpreter": (("python3", "{file}"), "python3"),
    "the file is appended": (("python3", "-u"), "python3"),
    "a version": (("lua5.1", "{file}"), "lua5.1"),
    "a path": (("/bin/bash", "-e", "{file}"), "bash"),
    "the candidate itself": (("{file}",), "{file}"),
    "a file beside it": (("{dir}/run",), "{dir}/run"),
    "make": (("make", "-f", "{file}"), "make"),
    "wrapped": (("timeout", "5s", "env", "A=1", "nice", "-n", "5", "perl", "{file}"), "perl"),
    "tests": (("python3", "-m", "pytest", "{file}"), "python3"),
    "compiled and run": ("gcc {file} -o a.out && ./a.out", "./a.out"),
    "in a script for a shell": (("sh", "-ec", "gcc {file}; ./a.out"), "./a.out"),
    "in a condition": ("if python3 {file}; then exit 1; fi", "python3"),
    "in a substitution": ('test "$(ruby {file})" = 1', "ruby"),
    "a pipe": ("cat {file} | sh", "sh"),
    "redirected": ("sh < {file}", "sh"),
    "on a second line": ("true\nnode {file}", "node"),
    "awk": (("awk", "-f", "{file}"), "awk"),
    "a runner": (("go", "run", "{file}"), "go"),
}
READ = {
    "a compiler": ("gcc", "-c", "{file}"),
    "a linter": ("python3", "-m", "mypy", "{file}"),
    "a script of the user's": ("/bin/sh", "{workspace}/check.sh", "{file}"),
    "code of the user's": ("python3", "-c", "import ast", "{file}"),
    "a program for awk": "awk '{print $1}' {file}",
    "a check of the syntax": ("bash", "-n", "{file}"),
    "a pipe": "! gcc -c {file} 2>&1 | grep -q Error",
    "quotes that do not match": "grep 'it {file}",
    "the file is appended": "grep -q x",
}


@pytest.fixture
def no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system where nothing can confine runs."""
    monkeypatch.setattr(bubblewrap, "program", lambda: None)
    monkeypatch.setattr(landlock, "is_available", lambda: False)


@pytest.mark.parametrize("case", EXECUTE)
def test_what_executes_the_candidate_is_named(case: str) -> None:
    command, program = EXECUTE[case]
    assert executed_by(CommandOracle(command)) == program


@pytest.mark.parametrize("case", READ)
def test_what_only_reads_the_candidate_is_nothing_to_ask_about(case: str) -> None:
    assert executed_by(CommandOracle(READ[case])) == ""


def test_a_program_may_come_on_standard_input() -> None:
    assert executed_by(CommandOracle(("bash",), stdin=True)) == "bash"
    assert executed_by(CommandOracle(("gcc", "-xc", "-"), stdin=True)) == ""


def test_a_companion_is_not_the_candidate() -> None:
    command = "./driver {file}"
    assert executed_by(CommandOracle(command, files=(Path("/tools/driver"),))) == ""
    assert executed_by(CommandOracle(command)) == "./driver"


@pytest.mark.parametrize(
    ("command", "program"),
    [(("make",), "make"), (("python3", "main.py"), "python3"), (("./run",), "./run")],
)
def test_in_a_directory_all_files_are_the_candidate(command: tuple[str, ...], program: str) -> None:
    assert executed_by(CommandOracle(command), on_files=True) == program
    assert executed_by(CommandOracle(("sh", "/tools/check.sh", "main.c")), on_files=True) == ""
    assert executed_by(CommandOracle(("gcc", "main.c")), on_files=True) == ""


def test_there_is_a_risk_only_if_nothing_confines_what_is_executed(no_sandbox: None) -> None:
    runs, reads = CommandOracle(("sh",), sandbox=DEFAULT), CommandOracle(("gcc",), sandbox=DEFAULT)
    assert "executes the file that is reduced (sh)" in risk_of(runs)
    make = CommandOracle(("make",), sandbox=DEFAULT)
    assert "executes the files that are reduced (make)" in risk_of(make, on_files=True)
    assert risk_of(reads) == ""
    assert risk_of(Predicate(bool)) == ""


def test_without_a_sandbox_the_reason_is_told(no_sandbox: None) -> None:
    assert "no sandbox confines it: " in risk_of(CommandOracle(("sh",), sandbox=DEFAULT))
    assert "its sandbox is off" in risk_of(CommandOracle(("sh",), sandbox=OFF))


def test_a_weak_sandbox_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(bubblewrap, "program", lambda: None)
    monkeypatch.setattr(landlock, "is_available", lambda: True)
    assert risk_of(CommandOracle(("sh",), sandbox=DEFAULT)) == ""


def test_workers_of_a_cluster_have_sandboxes_of_their_own(no_sandbox: None) -> None:
    cluster = Cluster("tcp://host:8786")
    assert risk_of(CommandOracle(("sh",), sandbox=DEFAULT, cluster=cluster)) == ""
    assert risk_of(CommandOracle(("sh",), sandbox=OFF, cluster=cluster))
