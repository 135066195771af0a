"""Kills the runs of this process once it has died, even by `kill -9`; on Linux.

A process that is killed cannot end its runs. So the *watchdog*, a small process of its own, waits for
the end of a pipe whose other end only this process holds. Then it kills every process that carries a
mark of this process, whatever these started, and all in their sessions. It costs a run nothing. What is
in a sandbox dies without it, since its launcher ends with the socket.

This module is also the program of the watchdog. That must start fast, so it imports nothing but small
modules of the standard library.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import signal
import sys
import time
from typing import NamedTuple

_numbers = itertools.count(1)
# The first rounds may miss a process that was just being started.
_PAUSES_SECONDS = (0.0, 0.05, 0.2, 1.0)
_MAX_ROUNDS = 1000
_ROUND_SECONDS = 0.002


def watched_mark() -> str:
    """Return a new mark for a run, which dies with this process."""
    return f"{_watched(os.getpid())}-{next(_numbers)}"


@functools.cache
def _watched(process: int) -> str:  # noqa: ARG001 (a copy by `fork` needs a watchdog of its own)
    """Start a watchdog, and return what the marks that it knows begin with."""
    token = os.urandom(16).hex()
    if sys.platform == "linux" and sys.executable:
        with contextlib.suppress(OSError):
            _start(token)
    return token


def _start(token: str) -> None:
    """Start the watchdog. Raises OSError."""
    readable, _writable = os.pipe()  # the other end stays open as long as this process lives
    arguments = [sys.executable, "-I", "-S", __file__, token, str(os.getsid(0))]
    nothing = [(os.POSIX_SPAWN_OPEN, n, os.devnull, os.O_WRONLY, 0) for n in (1, 2)]
    try:
        os.posix_spawn(
            sys.executable,
            arguments,
            {"LC_ALL": "C.UTF-8"},
            file_actions=[(os.POSIX_SPAWN_DUP2, readable, 0), *nothing],
            setsid=True,
        )
    finally:
        os.close(readable)


class _LivingProcess(NamedTuple):
    """A process that is alive: its parent, its session, and whether it carries a mark."""

    parent: int
    session: int
    is_marked: bool


def runs_of(token: str, own_session: int) -> set[int]:
    """Return the processes of the runs whose marks begin with `token`.

    `own_session` is that of the process that started them, to which no run belongs.
    """
    processes = dict(_processes(f"POLLARD_RUN={token}-".encode()))
    found = {number for number, process in processes.items() if process.is_marked}
    sessions = {processes[number].session for number in found} - {own_session}
    while (
        more := {
            number
            for number, process in processes.items()
            if process.parent in found or process.session in sessions
        }
        - found
    ):
        found |= more
    return found


def _processes(mark: bytes) -> list[tuple[int, _LivingProcess]]:
    found = []
    for number in filter(str.isdecimal, os.listdir("/proc")):  # noqa: PTH208
        with contextlib.suppress(OSError):
            fields = _read(f"/proc/{number}/stat").rpartition(b")")[2].split()
            state, parent, session = fields[0], int(fields[1]), int(fields[3])
            if state not in (b"Z", b"X"):
                variables = b"\0" + _read(f"/proc/{number}/environ")
                found.append(
                    (int(number), _LivingProcess(parent, session, b"\0" + mark in variables))
                )
    return found


def _read(path: str) -> bytes:
    with open(path, "rb") as stream:  # noqa: PTH123 (pathlib takes long to import)
        return stream.read()


def _kill_all(token: str, own_session: int) -> None:
    """Kill the runs, and what they start meanwhile."""
    for pause in _PAUSES_SECONDS:
        time.sleep(pause)
        for _ in range(_MAX_ROUNDS):
            runs = runs_of(token, own_session) - {os.getpid()}
            if not runs:
                break
            for number in runs:
                with contextlib.suppress(OSError):
                    os.kill(number, signal.SIGKILL)
            time.sleep(_ROUND_SECONDS)


def main() -> None:
    """Wait for the end of standard input; the arguments are a token and a session."""
    os.chdir("/")
    os.read(0, 1)
    _kill_all(sys.argv[1], int(sys.argv[2]))


if __name__ == "__main__":
    main()
