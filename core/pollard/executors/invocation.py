"""All that the process layer has to know to execute one run.

Keeping the two ends of a stream of any length in bounded memory.

The watchdog for runaway memory: the resident bytes of a run and all its descendants.
"""

from __future__ import annotations

import contextlib
import functools
import os
import subprocess
import sys
import threading
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

import psutil

from pollard.errors import OracleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


#: The most bytes one file of a run may have, so that a runaway cannot fill the disk.
FILE_SIZE_LIMIT = 1 << 30
#: Seconds between two looks at the memory of a run.
WATCH_PERIOD = 0.25
#: The environment variable that marks every process of a run.
RUN_VARIABLE = "POLLARD_RUN"

# Held while a process starts. A thread may ask again: a signal's handler is in the middle of one.
_starting = threading.RLock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """One execution: what to start, where, and its limits (seconds and bytes).

    `memory` bounds the sum over all processes of the run; `data` additionally bounds what each may
    allocate, and is None unless the user asked for a limit. `stdin` is a file to read from. `owner`
    is whose command messages say that it is.
    """

    arguments: list[str]
    program: str
    directory: Path
    environment: Mapping[bytes, bytes]
    stdin: Path | None
    capture: bool
    timeout: float
    memory: int
    data: int | None
    output_limit: int
    owner: str = "oracle"


def start(
    call: Invocation, program: str | None = None, *, new_session: bool = True, flags: int = 0
) -> subprocess.Popen[bytes]:
    """Start the process (or `program` in its place); `flags` are Windows's creation flags.

    Raises `OracleError` if the system refuses.
    """
    streams = subprocess.PIPE if call.capture else subprocess.DEVNULL
    stdin: IO[bytes] | int = call.stdin.open("rb") if call.stdin else subprocess.DEVNULL
    try:
        with _starting:
            return subprocess.Popen(
                call.arguments,
                bufsize=0,
                executable=program or call.program,
                stdin=stdin,
                stdout=streams,
                stderr=streams,
                cwd=call.directory,
                env=_environment(call),
                start_new_session=new_session,
                creationflags=flags,
            )
    except (OSError, ValueError) as error:
        raise OracleError(_refused(call, error)) from error
    finally:
        if not isinstance(stdin, int):
            stdin.close()


def start_no_more(seconds: float) -> None:
    """Let no other thread start anything from now on, for a process that is about to end.

    Waits for one that is starting now, but no longer than so many seconds.
    """
    _starting.acquire(timeout=seconds)


def _environment(call: Invocation) -> Mapping[bytes, bytes] | Mapping[str, str]:
    if sys.platform == "win32":
        return {os.fsdecode(name): os.fsdecode(value) for name, value in call.environment.items()}
    return call.environment


def _refused(call: Invocation, error: OSError | ValueError) -> str:
    program, whose = call.program, f"The {call.owner}'s"
    if isinstance(error, FileNotFoundError):
        return f"{whose} command {program!r} (or its interpreter) does not exist; correct it."
    if isinstance(error, PermissionError):
        return f"{whose} command {program!r} is not executable; run: chmod +x {program}"
    if isinstance(error, ValueError):
        return f"{whose} command {program!r} has an impossible argument: {error}."
    hint = "; begin it with a line such as #!/bin/sh" if "format" in str(error) else ""
    return f"{whose} command {program!r} cannot be started: {error.strerror}{hint}."


class Clip:
    """The first and the last half of what was fed to it; the middle is forgotten.

    A newline joins the halves, so that no pattern matches across the gap within one line.
    """

    __slots__ = ("_head", "_head_limit", "_tail", "_tail_limit", "_tail_size", "_total")

    def __init__(self, limit: int) -> None:
        """`limit` is the most bytes that `value` returns; at least 2."""
        self._head_limit = max(limit, 2) // 2
        self._tail_limit = max(limit, 2) - self._head_limit
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._total = 0

    @property
    def truncated(self) -> bool:
        """Whether bytes were left out."""
        return self._total > self._head_limit + self._tail_limit

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes of the stream."""
        self._total += len(chunk)
        room = self._head_limit - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        if not chunk:
            return
        self._tail.append(chunk[-self._tail_limit :])
        self._tail_size += len(self._tail[-1])
        while self._tail_size - len(self._tail[0]) >= self._tail_limit:
            self._tail_size -= len(self._tail.popleft())

    def value(self) -> bytes:
        """What was kept, at most the limit."""
        tail = b"".join(self._tail)[-self._tail_limit :]
        if not self.truncated:
            return bytes(self._head) + tail
        return bytes(self._head) + b"\n" + tail[1:]


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
