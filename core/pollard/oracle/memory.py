"""The watchdog for runaway memory: the resident bytes of a run and all its descendants."""

from __future__ import annotations

import contextlib
import functools
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHARE_OF_MACHINE = 0.8


@functools.cache
def default_limit() -> int:
    """Bytes that a run may use if the user set no limit: four fifths of the machine."""
    return int(psutil.virtual_memory().total * _SHARE_OF_MACHINE)


def exceeds(roots: Iterable[int], limit: int) -> bool:
    """Whether the processes `roots` and all their descendants hold more than `limit` bytes.

    Resident sizes count shared pages once per process; only when their sum is too much are the
    pages looked at more closely, since that takes milliseconds.
    """
    processes = _family(roots)
    if sum(_resident(process) for process in processes) <= limit:
        return False
    return sum(_proportional(process.pid) or _resident(process) for process in processes) > limit


def _family(roots: Iterable[int]) -> list[psutil.Process]:
    found: list[psutil.Process] = []
    for root in roots:
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(root)
            found += [process, *_descendants(process)]
    return found


def _descendants(process: psutil.Process) -> list[psutil.Process]:
    """Along the kernel's lists of children: psutil would read every process of the machine."""
    try:
        lists = [path.read_bytes() for path in Path(f"/proc/{process.pid}/task").glob("*/children")]
    except OSError:
        lists = []
    if not lists:
        return process.children(recursive=True)
    found = []
    for word in b" ".join(lists).split():
        with contextlib.suppress(psutil.Error):
            child = psutil.Process(int(word))
            found += [child, *_descendants(child)]
    return found


def _resident(process: psutil.Process) -> int:
    with contextlib.suppress(psutil.Error):
        return int(process.memory_info().rss)
    return 0


def _proportional(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_bytes().splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return 0
