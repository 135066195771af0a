"""The server process as an editor sees it: start, capabilities, exit, and bad arguments."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from pollard import __version__
from tests.server.wire import COMMAND, SECONDS, Client, Server

pytestmark = pytest.mark.e2e

PROJECT = Path(__file__).parents[2]
FULL_SYNC = 1
INFO = 3


def leave(client: Client) -> None:
    client.request("shutdown")
    client.notify("exit")


def test_a_session_from_initialize_to_exit() -> None:
    """The server names itself, syncs whole documents, offers its actions, and exits with 0."""
    with Server() as server:
        client = server.connect()
        result = client.initialize()
        assert result["serverInfo"] == {"name": "pollard-server", "version": __version__}
        assert result["capabilities"]["textDocumentSync"]["change"] == FULL_SYNC
        kinds = result["capabilities"]["codeActionProvider"]["codeActionKinds"]
        assert kinds == ["refactor.rewrite.reduce", "refactor.rewrite.reduce.diagnostic"]
        message = client.next_notification("window/logMessage")
        assert message["type"] == INFO
        assert message["message"] == f"pollard-server {__version__} is ready"
        leave(client)
        assert server.wait() == 0


def test_the_server_starts_without_the_engine() -> None:
    """An editor waits for the answer to `initialize`, and the time that it takes is that of imports."""
    code = (
        "import sys; from pollard_server.server import create_server; create_server(); "
        "heavy = ('pollard.api', 'pollard.reduction', 'pollard.engine', 'pollard.passes', "
        "'pollard.executors', 'pollard.speculation', 'pollard.syntax.tree.document', 'tomlkit', "
        "'tree_sitter._binding', 'rich', 'dask', 'multiprocessing', 'pollard_server.commands', "
        "'pollard_server.editor_session', 'pollard.oracle', 'pollard.journal'); "
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_thread_of_a_session_loads_a_package_that_loads_its_modules() -> None:
    """Two threads that do it at a time can each get half of a module, which ends a reduction."""
    code = (
        "import sys, pollard_server.commands, pollard_server.editor_session; "
        "print(*sys.modules, sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {"pollard.executors", "pollard.settings", "pollard_server.jobs"} <= loaded
    late = {}
    for root in (PROJECT / "core", PROJECT / "server"):
        for path in root.glob("pollard*/**/__init__.py"):
            name = ".".join(path.parent.relative_to(root).parts)
            if name not in loaded and name not in ("pollard.cli", "pollard_server.demo"):
                late[name] = path.read_text()
    assert "pollard.executors.cluster" in late
    assert [name for name in late if re.search(rf"^from {name}\.", late[name], re.MULTILINE)] == []


def test_its_help_and_version_load_no_library_of_messages() -> None:
    code = "import sys; import pollard_server.server; print('pygls' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_installed_script_is_the_same_server() -> None:
    script = Path(sysconfig.get_path("scripts"), "pollard-server")
    with Server(command=[str(script)]) as server:
        client = server.connect()
        assert client.initialize()["serverInfo"]["name"] == "pollard-server"
        leave(client)
        assert server.wait() == 0


def test_exit_without_shutdown_is_an_error() -> None:
    """As LSP requires: the exit status is 1 unless `shutdown` came first."""
    with Server() as server:
        client = server.connect()
        client.initialize()
        client.notify("exit")
        assert server.wait() == 1


def test_the_server_ends_when_its_editor_is_gone() -> None:
    with Server() as server:
        server.connect().initialize()
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.wait() == 1


_UNNOTICED = """
import select, signal, threading
from pollard_server.lifetime import cleanup_at_exit

def in_this_thread():
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)

with cleanup_at_exit(lambda: print("ended", flush=True)):
    threading.Timer(0.1, in_this_thread).start()
    select.select([], [], [], 60)
"""


def test_a_signal_that_does_not_wake_the_main_thread_ends_the_process() -> None:
    """A signal just before the main thread waits does not interrupt the wait.

    To repeat that, another thread than the waiting one gets the signal here.
    """
    done = subprocess.run(
        [sys.executable, "-c", _UNNOTICED], capture_output=True, timeout=SECONDS, check=False
    )
    assert (done.stdout, done.returncode) == (b"ended\n", 128 + signal.SIGTERM), done.stderr


@pytest.mark.parametrize("command", [COMMAND, [sys.executable, "-m", "pollard", "serve"]])
def test_the_option_that_many_editors_pass_to_every_server_is_taken(command) -> None:
    with Server(["--stdio"], command=command) as server:
        client = server.connect()
        assert client.initialize()["serverInfo"]["name"] == "pollard-server"
        leave(client)
        assert server.wait() == 0


@pytest.mark.parametrize(("last_words", "status"), [(leave, 0), (lambda c: c.notify("exit"), 1)])
def test_tcp_serves_one_client_on_this_machine(last_words, status: int) -> None:
    with Server(["--tcp", "localhost:0"]) as server:
        client = server.connect_tcp("127.0.0.1", listening_port(server))
        assert client.initialize()["serverInfo"]["name"] == "pollard-server"
        last_words(client)
        assert server.wait() == status


def listening_port(server: Server) -> int:
    """Return the port in the server's log."""
    assert server.process.stderr is not None
    for line in server.process.stderr:
        if match := re.search(rb"Serving on \('127\.0\.0\.1', (\d+)\)", line):
            return int(match[1])
    raise AssertionError("the server did not say where it listens")


def test_the_log_goes_to_the_file_too_but_not_the_messages(tmp_path: Path) -> None:
    """The log must not contain the user's text."""
    log = tmp_path / "server.log"
    document = {"uri": "file:///a.py", "languageId": "python", "version": 0, "text": "secret"}
    with Server(["--log-file", str(log)]) as server:
        client = server.connect()
        client.initialize()
        client.notify("textDocument/didOpen", {"textDocument": document})
        leave(client)
        assert server.wait() == 0
    text = log.read_text(encoding="utf-8")
    assert "Shutting down the server" in text
    assert "secret" not in text


def usage_error(*arguments: str) -> str:
    """Run the server with invalid arguments; return its error message."""
    result = subprocess.run(
        [*COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


def test_an_address_of_another_machine_is_refused() -> None:
    """The server runs commands for its client, so no other machine may reach it."""
    assert usage_error("--tcp", "192.168.1.2:80") == (
        "Error: --tcp can only listen on this machine: "
        "use localhost, 127.0.0.1 or [::1], not 192.168.1.2."
    )


def test_one_connection_is_served_and_not_two() -> None:
    error = usage_error("--stdio", "--tcp", "localhost:0")
    assert error == "Error: --stdio and --tcp exclude each other."


def test_a_port_in_use_is_a_usage_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        assert f"cannot listen on {address}" in usage_error("--tcp", address)


def test_a_log_file_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    log = tmp_path / "missing" / "server.log"
    assert f"The log file {log} cannot be written" in usage_error("--log-file", str(log))
