"""Language servers in a real sandbox: they write nothing outside, end, and leave nothing behind."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pollard.executors import open_executor
from pollard.executors.sandbox import sandboxes
from pollard.oracle import CommandOracle, Criteria, Verdict
from pollard.oracle.sandbox_policy import SandboxLevel, SandboxPolicy
from tests.core.executors.test_language_server import processes_of_runs

pytestmark = pytest.mark.sandbox

_SERVER = Path(__file__).parents[1] / "small_server.py"


@pytest.fixture(params=["bubblewrap", "Landlock"])
def opened(request, monkeypatch, tmp_path):
    """Open an executor of the small server, which stays, under each means.

    Its runs may write `tmp_path / "log"`.
    """
    if request.param == "Landlock":
        monkeypatch.setattr(sandboxes, "means_here", lambda: (sandboxes.Means.LANDLOCK, "a test"))
    executors = []

    def open_one(criteria, *, may_write):
        (tmp_path / "log").touch()
        write = (tmp_path,) if may_write else ()
        oracle = CommandOracle(
            (sys.executable, str(_SERVER), "push", str(tmp_path / "log")),
            criteria=criteria,
            timeout=20.0,
            sandbox=SandboxPolicy(SandboxLevel.DEFAULT, write=write),
            is_server=True,
        )
        executors.append(open_executor(oracle, "case.py"))
        executors[-1].is_warm = True
        return executors[-1]

    yield open_one
    for executor in executors:
        executor.close()


NEEDLE = Criteria(diagnostic=("lsp:W1",))


def test_a_server_can_write_only_what_is_allowed(opened, tmp_path):
    assert opened(NEEDLE, may_write=False).run(b"needle").verdict is Verdict.UNINTERESTING
    assert (tmp_path / "log").read_text() == ""
    assert opened(NEEDLE, may_write=True).run(b"needle").verdict is Verdict.INTERESTING
    assert "didOpen" in (tmp_path / "log").read_text()


def test_a_crash_is_told_from_an_abort(opened):
    executor = opened(Criteria(not_exit_code=(0,)), may_write=True)
    crash, abort = executor.run(b"crash"), executor.run(b"abort")
    assert crash.failure is not None
    assert abort.failure is not None
    assert (crash.failure.kind, abort.failure.kind) == ("ValueError", "SIGABRT")


def test_nothing_is_left_of_a_server_and_of_what_it_started(opened):
    executor = opened(NEEDLE, may_write=True)
    assert executor.run(b"needle leave").verdict is Verdict.INTERESTING
    assert processes_of_runs() != []
    executor.close()
    assert processes_of_runs() == []
