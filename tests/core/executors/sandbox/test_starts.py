"""Sockets of other programs come and go while a sandbox starts that is to hide them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pollard.errors import OracleError
from pollard.executors import Runner, open_executor
from pollard.executors.sandbox import bubblewrap
from pollard.executors.sandbox.sandboxes import MAX_STARTS
from pollard.oracle import CommandOracle, Criteria, Verdict
from pollard.oracle.sandbox_policy import SandboxPolicy
from tests.core.executors.warm_programs import program, warm_runner

pytestmark = pytest.mark.sandbox

_SERVER = Path(__file__).parents[1] / "small_server.py"


@pytest.fixture
def vanish(monkeypatch, tmp_path):
    """Return a function: each of the next `count` starts names a socket that has gone."""

    def let(count):
        left = iter(range(count))
        gone = tmp_path / "editor" / "socket"
        monkeypatch.setattr(
            bubblewrap, "_sockets_in_sight", lambda: [gone] if next(left, None) is not None else []
        )
        return left

    return let


def _stay_runner(tmp_path):
    (tmp_path / "log").touch()
    oracle = CommandOracle(
        (sys.executable, str(_SERVER), "push", str(tmp_path / "log")),
        criteria=Criteria(diagnostic=("lsp:W1",)),
        timeout=20.0,
        sandbox=SandboxPolicy(write=(tmp_path,)),
        is_server=True,
    )
    return open_executor(oracle, "case.py")


def _cold_runner(_tmp_path):
    return Runner(CommandOracle(("sh", "{file}"), sandbox=SandboxPolicy()), "case.sh")


@pytest.mark.parametrize(
    ("opened", "text"),
    [(_cold_runner, b"exit 0"), (_stay_runner, b"needle")],
    ids=["program", "language server"],
)
def test_a_sandbox_starts_although_sockets_go_again_and_again(vanish, tmp_path, opened, text):
    left = vanish(MAX_STARTS - 1)
    with opened(tmp_path) as runner:
        assert runner.run(text).verdict is Verdict.INTERESTING
        assert next(left, None) is None


def test_a_warm_program_starts_although_sockets_go_again_and_again(vanish, tmp_path):
    with warm_runner(program(tmp_path), sandbox=SandboxPolicy()) as runner:
        runner._zygotes.close()
        left = vanish(MAX_STARTS - 1)
        assert runner._warm(b"print('warm')", None).verdict is Verdict.INTERESTING
        assert next(left, None) is None
        assert runner.is_warm


@pytest.mark.parametrize("opened", [_cold_runner, _stay_runner], ids=["program", "language server"])
def test_a_sandbox_that_never_starts_is_an_error_and_no_verdict(vanish, tmp_path, opened):
    vanish(10 * MAX_STARTS)
    with opened(tmp_path) as runner, pytest.raises(OracleError, match="sandbox cannot be started"):
        runner.run(b"needle")
