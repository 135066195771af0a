"""Consents on disk: one small file for each, in the user's state directory.

To revoke a consent, delete its file; it tells which command and workspace it is about.
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

from pollard.files import write_atomically
from pollard.journal import state_directory
from pollard.oracle import Criteria
from pollard_server.trust.pin import pin

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.oracle import Oracle

_MOST_BYTES = 1 << 20
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Consents:
    """The user's standing consents, by pin."""

    @property
    def directory(self) -> Path:
        """The folder of the files `PIN.json`."""
        return state_directory() / "consents"

    def holds(self, pin: str, workspace: Path) -> bool:
        """Say whether there is a consent; a file that is spoilt or not the user's own is none."""
        path = self._path(pin)
        if self._is_within(workspace) or not (_is_own(path.parent) and _is_own(path)):
            return False
        try:
            with path.open("rb") as stream:
                consent = json.loads(stream.read(_MOST_BYTES))
        except (OSError, ValueError, RecursionError):
            return False
        return isinstance(consent, dict) and consent.get("pin") == pin

    def add(self, pin: str, oracle: Oracle) -> None:
        """Write a consent down, for this user's eyes only; may raise OSError."""
        if self._is_within(oracle.workspace):
            raise OSError(0, "it is inside the workspace")
        path = self._path(pin)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.parent.chmod(0o700)
        write_atomically(path, _described(pin, oracle))
        path.chmod(0o600)

    def remove(self, pin: str) -> None:
        """Revoke a consent if there is one; may raise OSError."""
        self._path(pin).unlink(missing_ok=True)

    def _path(self, pin: str) -> Path:
        return self.directory / f"{pin}.json"

    def _is_within(self, workspace: Path) -> bool:
        """Say whether the workspace could bring its own consents along.

        A home folder opened as a workspace holds the user's own place, which is nobody else's.
        """
        here, root = state_directory().resolve(), workspace.resolve()
        own = platformdirs.user_state_path("pollard", appauthor=False).resolve()
        return here.is_relative_to(root) and here != own


def _described(pin: str, oracle: Oracle) -> bytes:
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
    """Say whether a file or folder, no link, is the user's and nobody else may write to it."""
    try:
        status = path.lstat()
    except OSError:
        return False
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        return False
    if not hasattr(os, "geteuid"):  # Windows guards a user's profile by itself
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_WRITE


class Trials:
    """The answers to trials, each of which holds for one more request; thread-safe.

    Such an answer is about all that the pin covers but the criteria, which decide what a run means
    and not what it does.
    """

    def __init__(self) -> None:
        self._answers: dict[str, str] = {}
        self._lock = threading.Lock()

    def add(self, oracle: Oracle, answer: str) -> None:
        """Remember what the user answered when asked about the trial of an oracle."""
        key = _key(oracle)
        with self._lock:
            self._answers[key] = answer

    def take(self, oracle: Oracle) -> str | None:
        """Return the answer that an oracle may use, which then is used up; None if there is none."""
        with self._lock:
            if not self._answers:  # files are read for the key
                return None
        key = _key(oracle)
        with self._lock:
            return self._answers.pop(key, None)

    def clear(self) -> None:
        """Forget all answers."""
        with self._lock:
            self._answers.clear()


def _key(oracle: Oracle) -> str:
    return pin(replace(oracle, criteria=Criteria(), invalid=None))
