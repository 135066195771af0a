"""Finds and kills daemons on Linux: processes that left the process group of their run.

A daemon that called setsid and lost its parent would be adopted by init. Since Pollard is a child
subreaper, it adopts the daemon instead, and must recognise which run started the daemon: by its
session, by a *mark*, or by its environment. The mark is the hard limit on the size of files, whose
value is unique to the run. It survives everything except a change of that limit, can be read from
zombies, and takes a microsecond to read. Other children of this process are left alone.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import itertools
import os
import resource
import select
import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.executors.invocation import FILE_SIZE_LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping


_PR_SET_CHILD_SUBREAPER = 36
_KILL_TIMEOUT_MS = 2000
_EXEC_CHECKS = 5000  # a busy machine may leave a process in the middle of exec for half a second
_EXEC_PAUSE_SECONDS = 0.0002
_numbers = itertools.count(1)
# While one thread reaps children, the kernel's list may skip others; so only one thread does both.
_children_lock = threading.RLock()


@functools.cache
def adopt_descendants() -> bool:
    """Make this process adopt the orphans of its descendants; return whether the kernel agreed."""
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)


def new_mark() -> int:
    """Return a limit on the size of files that no other run of this process has."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    largest = FILE_SIZE_LIMIT if hard == resource.RLIM_INFINITY else min(hard, FILE_SIZE_LIMIT)
    return largest - next(_numbers) % min(1 << 20, largest // 2 + 1)


@dataclass(frozen=True, slots=True)
class RunProcesses:
    """The processes of one run, recognised by session, mark or environment."""

    leader: int
    mark: int
    variable: bytes

    def limit(self, limits: Mapping[int, int]) -> None:
        """Set the mark and resource limits on the leader and on processes that it has already started.

        Later processes inherit them. Setting them from outside, just after the start, takes a third
        of the time of a hook before exec.
        """
        pairs = [*limits.items(), (resource.RLIMIT_FSIZE, self.mark)]
        _limit(self.leader, pairs)

    def other_children(self) -> list[int]:
        """Return the children of this process that belong to the run, without the leader."""
        with _children_lock:
            return [pid for pid in _children() if pid != self.leader and self._includes(pid)]

    def kill_and_reap(self) -> tuple[int, float]:
        """Wait for the killed leader; kill and reap all that is left of the run.

        Returns the leader's wait status, and the seconds of processor time of the leader and of the
        processes that it waited for. Raises `ChildProcessError` if something else reaped it. A
        process changes its parent only when the parent dies, and its orphans are our children before
        we can reap it; so an empty list means that nothing is left. The leader is reaped last, so
        that its number, which is also the session's, is not reused too early.
        """
        os.waitid(os.P_PID, self.leader, os.WEXITED | os.WNOWAIT)
        with _children_lock:
            unkillable: set[int] = set()
            while alive := [pid for pid in self.other_children() if pid not in unkillable]:
                unkillable.update(pid for pid in alive if not _kill_one(pid))
            _, status, usage = os.wait4(self.leader, 0)
            return status, usage.ru_utime + usage.ru_stime

    def _includes(self, pid: int) -> bool:
        with contextlib.suppress(OSError):
            if os.getsid(pid) == self.leader:
                return True
            if resource.prlimit(pid, resource.RLIMIT_FSIZE)[1] == self.mark:
                return True
            return self.variable in _environment(pid).split(b"\0")
        return False


def _environment(pid: int) -> bytes:
    """Return the variables that a process was started with; empty for a zombie.

    They are also empty for a moment during exec. Wait for the end of exec, because the environment
    may be the only sign of a child that was forked before the mark was set.
    """
    for _ in range(_EXEC_CHECKS):
        variables = Path(f"/proc/{pid}/environ").read_bytes()
        if variables or _has_no_environment(pid):
            return variables
        time.sleep(_EXEC_PAUSE_SECONDS)
    return b""


def _has_no_environment(pid: int) -> bool:
    """Return whether a process is dead or was started without variables; see proc(5), stat.

    During exec the kernel first sets the variables' end to their start, and sets the code's end last.
    """
    fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    state, code_end = fields[0], fields[24]  # fields 3 and 27 there
    start, end = fields[47], fields[48]  # fields 50 and 51
    return state in {b"Z", b"X"} or (code_end != b"0" and start == end)


def _limit(pid: int, limits: list[tuple[int, int]]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        for kind, value in limits:
            resource.prlimit(pid, kind, (value, value))
    with contextlib.suppress(OSError):
        descriptor = os.open(f"/proc/{pid}/task/{pid}/children", os.O_RDONLY)
        try:
            children = _listed(descriptor)
        finally:
            os.close(descriptor)
        for child in children:
            _limit(child, limits)


def _children() -> list[int]:
    # The main thread adopts orphans, no matter which thread started their ancestor.
    try:
        descriptor = _open_children(os.getpid())
    except OSError:
        return _children_by_psutil()
    return _listed(descriptor)


def _listed(descriptor: int) -> list[int]:
    listed = b""
    while chunk := os.pread(descriptor, 1 << 16, len(listed)):
        listed += chunk
    return [int(word) for word in listed.split()]


@functools.cache
def _open_children(pid: int) -> int:
    """Open the list of children; cached per process, since opening takes longer than reading."""
    return os.open(f"/proc/{pid}/task/{pid}/children", os.O_RDONLY | os.O_CLOEXEC)


def _children_by_psutil() -> list[int]:
    import psutil  # noqa: PLC0415 (for kernels without the list of children)

    return [child.pid for child in psutil.Process().children()]


def _kill_one(pid: int) -> bool:
    """Kill and reap a process; return False if it does not die in time."""
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        if not poll.poll(_KILL_TIMEOUT_MS):
            return False
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
        return True
    finally:
        os.close(descriptor)
