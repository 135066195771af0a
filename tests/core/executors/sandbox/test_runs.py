"""Runs in a real sandbox end, fail and are stopped as those outside of it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from pollard.errors import Cancelled, OracleError
from pollard.executors import Runner, check_oracle
from pollard.executors.sandbox import bubblewrap
from pollard.oracle import CancelToken, CommandOracle, Verdict
from pollard.oracle.sandbox_policy import SandboxLevel, SandboxPolicy

pytestmark = pytest.mark.sandbox
_WAIT_SECONDS = 10.0


def _run(script: str, *, timeout: float = 20.0, cancelled: CancelToken | None = None, **policy):
    oracle = CommandOracle(("sh", "{file}"), sandbox=SandboxPolicy(SandboxLevel.DEFAULT, **policy))
    with Runner(oracle, "case.sh", timeout=timeout) as runner:
        assert runner.sandbox_warning == ""
        return runner.run(script.encode(), cancelled=cancelled, capture=True)


def _wait(condition) -> None:
    end = time.monotonic() + _WAIT_SECONDS
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    assert condition()


def test_outcome_and_output_are_those_of_the_command():
    run = _run("echo out; echo err >&2; exit 7")
    assert (run.exit_code, run.stdout, run.stderr) == (7, b"out\n", b"err\n")
    run = _run("kill -SEGV $$")
    assert (run.exit_code, run.signal) == (None, 11)


def test_a_run_that_takes_too_long_is_stopped():
    run = _run("sleep 60", timeout=0.3)
    assert run.verdict is Verdict.TIMEOUT


def test_a_cancelled_run_is_stopped():
    token = CancelToken()
    threading.Timer(0.2, token.set).start()
    with pytest.raises(Cancelled):
        _run("sleep 60", cancelled=token)


def test_a_program_that_cannot_be_executed_is_an_error(tmp_path: Path):
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    oracle = CommandOracle((str(broken),), sandbox=SandboxPolicy(SandboxLevel.DEFAULT))
    with Runner(oracle, "case") as runner, pytest.raises(OracleError, match="does not exist"):
        runner.run(b"")


def test_what_is_allowed_can_be_written(tmp_path: Path):
    assert _run(f"echo x > {tmp_path}/new").exit_code != 0
    assert _run(f"echo x > {tmp_path}/new", write=(tmp_path,)).exit_code == 0
    assert (tmp_path / "new").read_text() == "x\n"


def test_a_file_in_a_hidden_directory_can_be_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".ssh").mkdir()
    for name in ("config", "key"):
        (tmp_path / ".ssh" / name).write_text(name)
    run = _run("cat ~/.ssh/*; echo new > ~/.ssh/new", read=(tmp_path / ".ssh" / "config",))
    assert (run.stdout, run.exit_code) == (b"config", 2)


def test_memory_is_limited():
    oracle = CommandOracle(
        (sys.executable, "{file}"),
        memory=1 << 27,
        sandbox=SandboxPolicy(SandboxLevel.DEFAULT),
    )
    with Runner(oracle, "case.py", timeout=20.0) as runner:
        run = runner.run(b"x = b'x' * (1 << 29)", capture=True)
    assert run.verdict is Verdict.UNINTERESTING
    assert b"MemoryError" in run.stderr or run.memory_exceeded


def test_a_check_that_fails_tells_what_was_denied():
    oracle = CommandOracle(
        ("touch", "/etc/new", "{file}"), sandbox=SandboxPolicy(SandboxLevel.DEFAULT)
    )
    checked = check_oracle(oracle, "case", b"", runs=1)
    assert "the sandbox may have denied" in checked.describe()
    assert "Read-only file system" in checked.describe()
    assert "--allow-write /etc," in checked.describe()


@pytest.mark.parametrize("means", ["bubblewrap", "Landlock"])
def test_nothing_is_left_when_pollard_is_killed(means: str):
    without = "bubblewrap.program = lambda: None" if means == "Landlock" else ""
    script = (
        "from pollard.executors import Runner; from pollard.oracle import CommandOracle\n"
        f"from pollard.executors.sandbox import bubblewrap; {without}\n"
        "runner = Runner(CommandOracle(('sh', '{file}')), 'case.sh')\n"
        "runner.run(b'exec sleep 4711')"
    )
    environment = {name: value for name, value in os.environ.items() if name != "POLLARD_SANDBOX"}
    with subprocess.Popen([sys.executable, "-c", script], env=environment) as pollard:
        _wait(lambda: _sleepers())
        pollard.kill()
    _wait(lambda: not _sleepers())


def _sleepers() -> list[int]:
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if process.info["cmdline"] == ["sleep", "4711"]
    ]


def test_sockets_that_are_files_cannot_be_reached_unless_they_are_allowed(tmp_path):
    """Those of databases and of editors, for example; what listens there has other rights."""
    place = tmp_path / "server.sock"
    connect = f"import socket; socket.socket(socket.AF_UNIX).connect({str(place)!r})"
    script = f'{sys.executable} -c "{connect}"'
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place))
        server.listen()
        refused = _run(script)
        assert refused.exit_code == 1
        assert b"Connection refused" in refused.stderr
        assert _run(script, read=(place,)).exit_code == 0


def test_thousands_of_temporary_files_do_not_keep_a_sandbox_from_its_start(monkeypatch, tmp_path):
    """Each is a mount. The newest can be read, and what the command names, whatever its age."""
    private = tmp_path / "private"
    (private / "tools").mkdir(parents=True)
    named = private / "tools" / "named"
    for path in (named, *(private / f"{number:04}" for number in range(4000))):
        path.touch()
    for age, path in enumerate((private / "3999", private / "0000", private / "tools")):
        os.utime(path, (2e9 - 2e9 * age / 2,) * 2)
    monkeypatch.setattr(bubblewrap, "PRIVATE", (str(private),))
    oracle = CommandOracle(
        ("sh", "{file}", f"--config={named}"), sandbox=SandboxPolicy(SandboxLevel.DEFAULT)
    )
    with Runner(oracle, "case.sh", timeout=20.0) as runner:
        run = runner.run(f"cd {private}; ls 3999; ls tools; ls 0000".encode(), capture=True)
    assert run.stdout == b"3999\nnamed\n"
    assert run.exit_code != 0
