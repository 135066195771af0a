"""Where there is only Landlock, a run gets no socket through which it could reach anybody else."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pollard.executors.sandbox import landlock
from pollard.oracle.sandbox_policy import SandboxLevel, SandboxPolicy

pytestmark = pytest.mark.sandbox

DEFAULT = SandboxPolicy(SandboxLevel.DEFAULT)
_KINDS = {
    "udp": (2, 2, 0),
    "udp over IPv6": (10, 2, 0),
    "ping": (2, 2, 1),
    "raw": (2, 3, 255),
    "sctp": (2, 1, 132),
    "multipath tcp": (2, 1, 262),
    "frames": (17, 3, 0),
    "shared memory over tcp": (43, 1, 0),
    "cryptography": (38, 5, 0),
}
_HARMLESS = {"tcp": (2, 1, 0), "tcp by name": (10, 1, 6), "kernel": (16, 3, 0)}
_LOCAL = {"a file": (1, 1, 0)}
_OPEN = """
import json, socket, sys
def opens(kind):
    try:
        socket.socket(*kind).close()
    except OSError as error:
        return error.errno == 13
    return "opened"
kinds = json.loads(sys.argv[1])
print(json.dumps({name: opens(kind) for name, kind in kinds.items()}))
"""
_CLOSED = (
    "from pollard.executors.sandbox.landlock import *; import ctypes; "
    "ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)\n"
    "close_network(tcp_is_closed=False, local_is_closed={})\n"
)
_KNOWS_FILES = landlock._version() >= landlock._VERSION_WITH_SOCKETS


def _opened(code: str) -> dict[str, object]:
    command = [sys.executable, "-c", code, json.dumps({**_KINDS, **_HARMLESS, **_LOCAL})]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def _confined(code: str, room: Path, policy: SandboxPolicy = DEFAULT, *words: object) -> str:
    """What a program in Python prints, or the last line of its error."""
    command = [sys.executable, "-c", code, *map(str, words)]

    def run() -> str:
        done = subprocess.run(command, cwd=room, capture_output=True, text=True, check=False)
        return (done.stderr or done.stdout).strip().split("\n")[-1]

    return landlock.confined(run, policy, room)


def test_only_sockets_that_landlock_watches_are_left(tmp_path):
    seen = landlock.confined(lambda: _opened(_OPEN), DEFAULT, tmp_path)
    local = dict.fromkeys(_LOCAL, "opened" if _KNOWS_FILES else True)
    assert seen == {**dict.fromkeys(_KINDS, True), **dict.fromkeys(_HARMLESS, "opened"), **local}


def test_where_landlock_has_no_rule_for_tcp_there_is_none():
    seen = _opened(_CLOSED.format(False) + _OPEN)
    assert {name for name, found in seen.items() if found == "opened"} == {"kernel"}


def test_where_landlock_has_a_rule_for_files_they_are_left():
    assert _opened(_CLOSED.format(True) + _OPEN)["a file"] == "opened"


def test_an_allowed_network_is_open(tmp_path):
    policy = SandboxPolicy(SandboxLevel.DEFAULT, network=True)
    seen = landlock.confined(lambda: _opened(_OPEN), policy, tmp_path)
    assert seen["udp"] == seen["tcp"] == "opened"


@pytest.mark.parametrize(
    "send",
    [
        "connect(address)",
        "sendto(b'harm', 0x20000000, address)",
        "sendmsg([b'harm'], [], 0x20000000, address)",
        "setsockopt(6, 30, 1) or s.connect(address)",
    ],
    ids=["connect", "sendto", "sendmsg", "deferred"],
)
def test_tcp_fast_open_is_no_way_around_landlock(tmp_path, send):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        address = server.getsockname()
        code = f"import socket; s = socket.socket(); address = {address}; s.{send}"
        assert "PermissionError" in _confined(code, tmp_path)
        with pytest.raises(BlockingIOError):
            server.accept()


_CONNECT = (
    "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1]); print('reached')"
)


@contextlib.contextmanager
def _service(place: Path) -> Iterator[Path]:
    """A service that listens at a socket that is a file."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place))
        server.listen()
        yield place


def test_sockets_that_are_files_cannot_be_reached_unless_they_are_allowed(tmp_path):
    room = tmp_path / "room"
    room.mkdir()
    with _service(tmp_path / "service") as place:
        assert "PermissionError" in _confined(_CONNECT, room, DEFAULT, place)
        allowed = SandboxPolicy(SandboxLevel.DEFAULT, read=(place,))
        assert _confined(_CONNECT, room, allowed, place) == "reached"


@pytest.mark.parametrize(("kind", "is_made"), [("STREAM", 1), ("SEQPACKET", 1), ("DGRAM", 0)])
def test_pairs_can_be_made_unless_they_can_send_elsewhere(tmp_path, kind, is_made):
    code = f"import socket; socket.socketpair(socket.AF_UNIX, socket.SOCK_{kind}); print('made')"
    seen = _confined(code, tmp_path)
    assert seen == "made" if is_made or _KNOWS_FILES else "PermissionError" in seen


def test_programs_can_talk_to_their_own_processes_and_look_up_users(tmp_path):
    code = (
        "import asyncio, multiprocessing as m, pwd, syslog; syslog.syslog('x'); pwd.getpwuid(0)\n"
        "async def run():\n"
        "    child = await asyncio.create_subprocess_exec('echo', stdout=-1)\n"
        "    return await child.communicate()\n"
        "asyncio.run(run()); here, there = m.Pipe()\n"
        "m.get_context('fork').Process(target=there.send, args=('hello',)).start()\n"
        "print(here.recv())"
    )
    assert _confined(code, tmp_path) == "hello"


def test_root_has_no_privileges(tmp_path):
    code = "print(open('/proc/self/status').read().split('CapEff:')[1].split()[0])"
    assert int(_confined(code, tmp_path), 16) == 0
    assert os.geteuid() != 0 or int(_confined_by_nothing(code), 16) != 0


def _confined_by_nothing(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
