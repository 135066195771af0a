"""Hostile programs change nothing, reach nobody and leave nothing, as root and as an ordinary user.

They run in the sandbox of Pollard, and all of that in a throw-away system: namespaces of their own,
a read-only root, no network, and a home directory of decoys. So an escape harms decoys, which the
program `hostile` finds changed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.executors.sandbox.attacks import ATTACKS, NOT_BY_LANDLOCK

pytestmark = pytest.mark.sandbox

_ROUNDS = 8
_REPOSITORY = Path(__file__).resolve().parents[4]


def _outcome(uid: int, means: str) -> dict[str, object]:
    """Carry out the attacks in a throw-away system and return what they achieved."""
    assert shutil.which("bwrap"), "the sandbox needs bubblewrap"
    inside = [
        *("bwrap", "--unshare-user", "--uid", str(uid), "--ro-bind", "/", "/", "--dev", "/dev"),
        *("--bind", "/proc", "/proc"),
        *("--size", str(1 << 29), "--tmpfs", "/tmp", "--tmpfs", "/home", "--dir", "/home/decoy"),
        *("--ro-bind", str(_REPOSITORY), str(_REPOSITORY), "--chdir", str(_REPOSITORY)),
        *("--ro-bind", sys.prefix, sys.prefix, "--ro-bind", sys.base_prefix, sys.base_prefix),
        *("--dir", "/tmp/runs"),
        *(sys.executable, "-m", "tests.core.executors.sandbox.hostile", str(_ROUNDS), means),
    ]
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/home/decoy",
        "TMPDIR": "/tmp/runs",
        "POLLARD_STATE_DIR": "/home/decoy/state",
        "POLLARD_CACHE_DIR": "/home/decoy/cache",
        "THROW_AWAY_SYSTEM": "yes",
        "SERVICE_TOKEN": "decoy-token",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = ["unshare", "-Urmpfn", "--mount-proc", *inside]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    outcome: dict[str, object] = json.loads(done.stdout)
    return outcome


_USERS = pytest.mark.parametrize(
    "uid", [pytest.param(0, id="root"), pytest.param(1000, id="ordinary user")]
)


@_USERS
def test_attacks_achieve_nothing(uid: int):
    outcome = _outcome(uid, "bubblewrap")
    assert outcome.pop("attacked") == _ROUNDS * (len(ATTACKS) - 1) + 1
    assert outcome == {"warning": "", "wrong": [], "survivors": [], "changed": [], "left": []}


@_USERS
def test_with_landlock_alone_most_attacks_achieve_nothing(uid: int):
    outcome = _outcome(uid, "Landlock")
    assert "weak" in str(outcome.pop("warning"))
    assert outcome.pop("attacked") == _ROUNDS * (len(ATTACKS) - len(NOT_BY_LANDLOCK) - 1) + 1
    assert outcome == {"wrong": [], "survivors": [], "changed": [], "left": []}


def test_there_are_a_thousand_attacks():
    by_landlock = len(ATTACKS) - len(NOT_BY_LANDLOCK)
    assert 2 * _ROUNDS * (len(ATTACKS) - 1) + 2 * _ROUNDS * (by_landlock - 1) >= 1000
