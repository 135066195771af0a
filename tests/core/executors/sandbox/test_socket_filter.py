"""Where there is only Landlock, a run gets no socket through which it could reach other machines."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from pollard.executors.sandbox import landlock
from pollard.oracle.sandbox_policy import SandboxLevel, SandboxPolicy

pytestmark = pytest.mark.sandbox

_KINDS = {
    "udp": (2, 2, 0),
    "udp over IPv6": (10, 2, 0),
    "ping": (2, 2, 1),
    "raw": (2, 3, 255),
    "sctp": (2, 1, 132),
    "multipath tcp": (2, 1, 262),
    "frames": (17, 3, 0),
}
_HARMLESS = {"tcp": (2, 1, 0), "tcp by name": (10, 1, 6), "local": (1, 1, 0), "kernel": (16, 3, 0)}
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
    "ctypes.CDLL(None).prctl(38, 1, 0, 0, 0); close_network(tcp_is_closed=False)\n"
)


def _opened(code: str) -> dict[str, object]:
    command = [sys.executable, "-c", code, json.dumps({**_KINDS, **_HARMLESS})]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_only_sockets_that_landlock_watches_are_left(tmp_path):
    policy = SandboxPolicy(SandboxLevel.DEFAULT)
    seen = landlock.confined(lambda: _opened(_OPEN), policy, tmp_path)
    assert seen == {**dict.fromkeys(_KINDS, True), **dict.fromkeys(_HARMLESS, "opened")}


def test_where_landlock_has_no_rule_for_tcp_there_is_none(tmp_path):
    seen = _opened(_CLOSED + _OPEN)
    assert {name for name, found in seen.items() if found == "opened"} == {"local", "kernel"}


def test_an_allowed_network_is_open(tmp_path):
    policy = SandboxPolicy(SandboxLevel.DEFAULT, network=True)
    seen = landlock.confined(lambda: _opened(_OPEN), policy, tmp_path)
    assert seen["udp"] == seen["tcp"] == "opened"
