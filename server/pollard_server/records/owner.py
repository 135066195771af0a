"""Which process writes a record, told so that a reused process id is not mistaken for it."""

from __future__ import annotations

import functools
import os

import psutil

# The start of a process is reckoned from the boot time, which a corrected clock shifts a little.
_SHIFT_SECONDS = 2.0


def this_process() -> tuple[int, float]:
    """Return the id of this process and when it started, in seconds since the epoch."""
    return _identity(os.getpid())


@functools.cache
def _identity(pid: int) -> tuple[int, float]:
    return pid, psutil.Process(pid).create_time()


def is_running(pid: int, started: float) -> bool:
    """Tell whether the process that has this id and began then still runs; a zombie does not."""
    if (pid, started) == this_process():
        return True
    try:
        process = psutil.Process(pid)
        same = abs(process.create_time() - started) < _SHIFT_SECONDS
        return same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.AccessDenied:
        return True
    except (psutil.NoSuchProcess, ValueError, OverflowError):
        return False
