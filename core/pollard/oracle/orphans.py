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
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.oracle.invocation import FILE_SIZE_LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping

_PR_SET_CHILD_SUBREAPER = 36
_GONE_WITHIN_MS = 2000
_numbers = itertools.count(1)


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
        return [pid for pid in _children() if pid != self.leader and self._includes(pid)]

    def kill(self) -> None:
        """Kill and reap every adopted process of the run, and what those leave in turn.

        The leader must be dead but not reaped. A process changes parents only when its parent dies,
        so after the death of one its children are in our list before we can have waited for it: an
        empty list means that nothing is left.
        """
        stubborn: set[int] = set()
        while ours := [pid for pid in self.adopted() if pid not in stubborn]:
            stubborn.update(pid for pid in ours if not _kill_one(pid))

    def _includes(self, pid: int) -> bool:
        with contextlib.suppress(OSError):
            if os.getsid(pid) == self.leader:
                return True
            if resource.prlimit(pid, resource.RLIMIT_FSIZE)[1] == self.mark:
                return True
            return self.variable in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return False


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
