"""Daemons on Linux: what leaves the process group of its run is found by a mark, and killed.

A daemon that called setsid and lost its parent would belong to init. As a child subreaper this
process inherits it instead. Which of our children belong to which run is told by their session, by
a resource limit (its hard value, unique to the run, survives everything short of raising it as
root, can be read of zombies too, and costs a microsecond) or by the environment. Other children are
left alone.
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
_GONE_WITHIN_MS = 2000
_EXEC_LOOKS = 1000
_EXEC_PAUSE = 0.0002
_numbers = itertools.count(1)
# The kernel's list of children may skip some while others are being reaped, so that is not done
# by two threads at a time.
_family_lock = threading.RLock()


@functools.cache
def adopt_descendants() -> bool:
    """Make this process the one that inherits orphans of its descendants; once, for good."""
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)


def new_mark() -> int:
    """A value for the limit on the size of files that no other run of this process has."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    highest = FILE_SIZE_LIMIT if hard == resource.RLIM_INFINITY else min(hard, FILE_SIZE_LIMIT)
    return highest - next(_numbers) % min(1 << 20, highest // 2 + 1)


@dataclass(frozen=True, slots=True)
class Kin:
    """How the processes of one run are told: by session, by mark, or by environment."""

    leader: int
    mark: int
    variable: bytes

    def limit(self, limits: Mapping[int, int]) -> None:
        """Mark the leader, set resource limits on it, and on what it may have started already.

        Doing this from outside, just after the start, is three times cheaper than a hook before
        exec; what is started later inherits it all.
        """
        pairs = [*limits.items(), (resource.RLIMIT_FSIZE, self.mark)]
        _limit(self.leader, pairs)

    def adopted(self) -> list[int]:
        """Those of this process's children that belong to the run, the leader apart."""
        with _family_lock:
            return [pid for pid in _children() if pid != self.leader and self._includes(pid)]

    def bury(self) -> int:
        """Wait for the killed leader; kill and reap all that it and its orphans left.

        Returns the leader's wait status; raises `ChildProcessError` if somebody else reaped it.
        A process changes parents only when its parent dies, so after the death of one its children
        are in our list before we can have waited for it: an empty list means nothing is left. The
        leader is reaped last, so that its number cannot mean another session meanwhile.
        """
        os.waitid(os.P_PID, self.leader, os.WEXITED | os.WNOWAIT)
        with _family_lock:
            stubborn: set[int] = set()
            while ours := [pid for pid in self.adopted() if pid not in stubborn]:
                stubborn.update(pid for pid in ours if not _kill_one(pid))
            return os.waitpid(self.leader, 0)[1]

    def _includes(self, pid: int) -> bool:
        with contextlib.suppress(OSError):
            if os.getsid(pid) == self.leader:
                return True
            if resource.prlimit(pid, resource.RLIMIT_FSIZE)[1] == self.mark:
                return True
            return self.variable in _environment(pid).split(b"\0")
        return False


def _environment(pid: int) -> bytes:
    """The variables a process was started with; empty for a zombie.

    In the middle of exec a process has none for a moment. That moment is waited for: a child that
    was forked before the mark was set may be told by its environment only.
    """
    for _ in range(_EXEC_LOOKS):
        found = Path(f"/proc/{pid}/environ").read_bytes()
        if found or _surely_empty(pid):
            return found
        time.sleep(_EXEC_PAUSE)
    return b""


def _surely_empty(pid: int) -> bool:
    """Whether a process is dead or was started without any variable: proc(5), stat."""
    fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    state, start, end = fields[0], fields[47], fields[48]  # fields 3, 50 and 51 there
    return state in {b"Z", b"X"} or (start == end != b"0")


def _limit(pid: int, limits: list[tuple[int, int]]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        for kind, value in limits:
            resource.prlimit(pid, kind, (value, value))
    with contextlib.suppress(OSError):
        descriptor = os.open(f"/proc/{pid}/task/{pid}/children", os.O_RDONLY)
        try:
            early = _listed(descriptor)
        finally:
            os.close(descriptor)
        for child in early:
            _limit(child, limits)


def _children() -> list[int]:
    # Orphans are given to the main thread, whichever thread started their ancestor.
    try:
        descriptor = _open_children(os.getpid())
    except OSError:
        return _children_the_slow_way()
    return _listed(descriptor)


def _listed(descriptor: int) -> list[int]:
    listed = b""
    while chunk := os.pread(descriptor, 1 << 16, len(listed)):
        listed += chunk
    return [int(word) for word in listed.split()]


@functools.cache
def _open_children(pid: int) -> int:
    """Opened once, as that costs several times what reading does; again after a fork."""
    return os.open(f"/proc/{pid}/task/{pid}/children", os.O_RDONLY | os.O_CLOEXEC)


def _children_the_slow_way() -> list[int]:
    import psutil  # noqa: PLC0415 (only for kernels without the list of children)

    return [child.pid for child in psutil.Process().children()]


def _kill_one(pid: int) -> bool:
    """Kill and reap; False if the kernel does not let it die in time."""
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        if not poll.poll(_GONE_WITHIN_MS):
            return False
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
        return True
    finally:
        os.close(descriptor)
