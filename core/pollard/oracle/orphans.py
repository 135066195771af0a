"""Daemons on Linux: what leaves the process group of its run is found by a mark, and killed.

A daemon that called setsid and lost its parent would belong to init. As a child subreaper this
process inherits it instead. Which of our children belong to which run is told by a resource limit
(its hard value, unique to the run, survives everything short of raising it as root, can be read
of zombies too, and costs a microsecond) or by the environment. Other children are left alone.
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
from pathlib import Path

from pollard.oracle.invocation import FILE_SIZE_LIMIT

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


def put_mark(pid: int, mark: int) -> None:
    """Mark a process and all that it will start; the mark is a real limit as well."""
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (mark, mark))


def kill(mark: int, variable: bytes) -> None:
    """Kill and reap every adopted process of a run, and what those leave in turn.

    A process only changes parents when its parent dies, so after the death of one its children
    are in our list before we can have waited for it: an empty list means that nothing is left.
    """
    stubborn: set[int] = set()
    while ours := [pid for pid in members(mark, variable) if pid not in stubborn]:
        for pid in ours:
            if not _kill_one(pid):
                stubborn.add(pid)


def members(mark: int, variable: bytes | None = None) -> list[int]:
    """Those of this process's children that belong to the run, by its mark or its variable."""
    return [pid for pid in _children() if _belongs(pid, mark, variable)]


def _children() -> list[int]:
    # Orphans are given to the main thread, whichever thread started their ancestor.
    try:
        descriptor = _open_children(os.getpid())
    except OSError:
        return _children_the_slow_way()
    listed = b""
    while chunk := os.pread(descriptor, 1 << 16, len(listed)):
        listed += chunk
    return [int(word) for word in listed.split()]


@functools.cache
def _open_children(pid: int) -> int:
    """Opened once, as that costs fifty times what reading does; again after a fork."""
    return os.open(f"/proc/{pid}/task/{pid}/children", os.O_RDONLY | os.O_CLOEXEC)


def _children_the_slow_way() -> list[int]:
    import psutil  # noqa: PLC0415 (only for kernels without the list of children)

    return [child.pid for child in psutil.Process().children()]


def _belongs(pid: int, mark: int, variable: bytes | None) -> bool:
    with contextlib.suppress(OSError):
        if resource.prlimit(pid, resource.RLIMIT_FSIZE)[1] == mark:
            return True
        if variable is not None:
            return variable in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return False


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
