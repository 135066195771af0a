"""Remembered answers: standing consents on disk, and answers about trials in memory.

A standing consent is one small file in the user's state directory, which names the command and the
workspace. Deleting the file revokes the consent.
"""

from __future__ import annotations

import json
import os
import shlex
import stat
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import platformdirs

from pollard.journal import state_directory
from pollard.oracle import Criteria
from pollard.system import write_atomically
from pollard_server.trust.pin import pin

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.oracle import CommandOracle

_MAX_FILE_BYTES = 1 << 20
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Consents:
    """The user's standing consents, by pin."""

    @property
    def directory(self) -> Path:
        """The folder of the files `PIN.json`."""
        return state_directory() / "consents"

    def holds(self, pin: str, workspace: Path) -> bool:
        """Return whether the user has consented; damaged and foreign files do not count."""
        path = self._path(pin)
        if self._is_within(workspace) or not (_is_own(path.parent) and _is_own(path)):
            return False
        try:
            with path.open("rb") as stream:
                consent = json.loads(stream.read(_MAX_FILE_BYTES))
        except (OSError, ValueError, RecursionError):
            return False
        return isinstance(consent, dict) and consent.get("pin") == pin

    def add(self, pin: str, oracle: CommandOracle) -> None:
        """Write a consent to a file that only this user can read. Raises OSError."""
        if self._is_within(oracle.workspace):
            raise OSError(0, "it is inside the workspace")
        path = self._path(pin)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.parent.chmod(0o700)
        write_atomically(path, _described(pin, oracle))
        path.chmod(0o600)

    def remove(self, pin: str) -> None:
        """Revoke a consent, if there is one. Raises OSError."""
        self._path(pin).unlink(missing_ok=True)

    def _path(self, pin: str) -> Path:
        return self.directory / f"{pin}.json"

    def _is_within(self, workspace: Path) -> bool:
        """Return whether the workspace could bring its own consents along.

        A home folder that is opened as a workspace contains the user's own state directory. That
        is allowed, because the directory belongs to the user alone.
        """
        state, root = state_directory().resolve(), workspace.resolve()
        users_own = platformdirs.user_state_path("pollard", appauthor=False).resolve()
        return state.is_relative_to(root) and state != users_own


def _described(pin: str, oracle: CommandOracle) -> bytes:
    consent = {
        "pin": pin,
        "when": time.strftime("%Y-%m-%d %H:%M:%S %z"),
        "workspace": str(oracle.workspace),
        "oracle": oracle.name,
        "command": _line(oracle.command),
    }
    if oracle.formatter:
        consent["formatter"] = _line(oracle.formatter)
    return f"{json.dumps(consent, indent=2)}\n".encode()


def _line(command: tuple[str, ...] | str) -> str:
    return command if isinstance(command, str) else shlex.join(command)


def _is_own(path: Path) -> bool:
    """Return whether it is a file or folder, not a link, that only the user can write to."""
    try:
        status = path.lstat()
    except OSError:
        return False
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        return False
    if not hasattr(os, "geteuid"):  # Windows protects a user's profile by itself
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_WRITE


class TrialAnswers:
    """The answers to trials, each of which is valid for one more request; thread-safe.

    Such an answer covers everything in the pin but the criteria, which decide what a run means and
    not what it does.
    """

    def __init__(self) -> None:
        self._answers: dict[str, str] = {}
        self._lock = threading.Lock()

    def add(self, oracle: CommandOracle, answer: str) -> None:
        """Remember the user's answer to the question about a trial of an oracle."""
        key = _key(oracle)
        with self._lock:
            self._answers[key] = answer

    def take(self, oracle: CommandOracle) -> str | None:
        """Return the answer that applies to an oracle, and forget it; None if there is none."""
        with self._lock:
            if not self._answers:  # the key is expensive: it reads files
                return None
        key = _key(oracle)
        with self._lock:
            return self._answers.pop(key, None)

    def clear(self) -> None:
        """Forget all answers."""
        with self._lock:
            self._answers.clear()


def _key(oracle: CommandOracle) -> str:
    return pin(replace(oracle, criteria=Criteria(), invalid=None))
