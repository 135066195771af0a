"""Remedies: which ones are known for a command, and how they change it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pollard.oracle import CommandOracle
from pollard.oracle.checking.remedies import Remedy, kinds_for
from tests.core.oracle.helpers import run_once

SEED = Remedy("PYTHONHASHSEED=7", ("env", "PYTHONHASHSEED=7"))


def _titles(oracle: CommandOracle, filename: str = "a.c") -> list[str]:
    return [kind.title for kind in kinds_for(oracle, filename)]


def _mentions_python(titles: list[str]) -> bool:
    return any("PYTHONHASHSEED" in title for title in titles)


@pytest.mark.parametrize(
    ("command", "stdin"),
    [
        (("sh", "-c", 'cat "$1"; echo $PYTHONHASHSEED', "sh", "{file}"), False),
        ("cat {file}; echo $PYTHONHASHSEED", False),
        ("cat '{file}' && echo \"$PYTHONHASHSEED\"", False),
        ("echo $PYTHONHASHSEED; cat", False),
        ("cat; echo $PYTHONHASHSEED", True),
    ],
)
def test_a_command_does_the_same_under_a_remedy(command, stdin):
    """Arguments, quotes, the appended path and standard input survive the change."""
    plain = CommandOracle(command, stdin=stdin)
    assert sorted(run_once(SEED.applied(plain), b"text\n").stdout.split()) == [b"7", b"text"]
    assert b"7" not in run_once(plain, b"text\n").stdout


def test_a_program_in_the_workspace_is_found_under_a_remedy(tmp_path: Path):
    """Its path begins in the workspace, but the run begins in a directory of its own."""
    program = tmp_path / "bin" / "tool"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho $PYTHONHASHSEED\n")
    program.chmod(0o755)
    for word in ("bin/tool", "./bin/tool", "{workspace}/bin/tool", str(program)):
        oracle = CommandOracle((word,), workspace=tmp_path)
        assert run_once(SEED.applied(oracle)).stdout == b"7\n"


def test_hash_seeds_are_for_commands_that_run_python(tmp_path: Path):
    script = tmp_path / "check.sh"
    script.write_text("#!/bin/sh\nexec python3 tool.py $1\n")
    other = tmp_path / "other.sh"
    other.write_text("#!/bin/sh\nexec cc $1\n")
    for command in (("python3", "x"), ("sh", "-c", "python3.12 x"), "python3 x", (str(script),)):
        assert _mentions_python(_titles(CommandOracle(command))), command
    assert _mentions_python(_titles(CommandOracle(("./check.sh",), workspace=tmp_path)))
    assert _mentions_python(_titles(CommandOracle(("./run",)), "case.py"))
    assert not _mentions_python(_titles(CommandOracle((str(other),))))


def test_all_remedies_together_come_last(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {3, 5})
    *alone, together = kinds_for(CommandOracle(("python3", "x")), "a.py")
    assert [kind.title for kind in alone] == [
        "a fixed PYTHONHASHSEED",
        "fixed addresses",
        "one CPU",
    ]
    assert together.remedies[0].prefix == (
        *("taskset", "-c", "3"),
        *("setarch", "-R"),
        *("env", "PYTHONHASHSEED=0"),
    )
    assert len(together.remedies) == len(alone[0].remedies) > 1


def test_one_cpu_is_no_remedy_where_there_is_only_one(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0})
    assert _titles(CommandOracle(("cc", "x"))) == ["fixed addresses"]


def test_a_script_is_left_alone_if_a_path_in_it_would_need_quotes():
    """In a script within a script the quotes around such a path would end too early."""
    assert kinds_for(CommandOracle("python3 {file}"), "my file.py") == []
    assert kinds_for(CommandOracle(("python3", "{file}")), "my file.py") != []


def test_other_systems_have_no_programs_for_addresses_and_cpus(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert _titles(CommandOracle(("python3", "x"))) == ["a fixed PYTHONHASHSEED"]
    monkeypatch.setattr(sys, "platform", "win32")
    assert _titles(CommandOracle(("python3", "x"))) == []
