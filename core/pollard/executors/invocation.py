"""One execution as a value (`Invocation`), and the steps of executing it that all systems share.

They start the process, keep the two ends of its output in bounded memory, and measure the memory of
all its descendants.
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

    from pollard.executors.sandbox.cell import Cell


FILE_SIZE_LIMIT = 1 << 30
"""The largest file, in bytes, that a run may write, so that it cannot fill the disk."""

WATCH_SECONDS = 0.25
"""The usual interval at which the memory of a run is measured."""

RUN_VARIABLE = "POLLARD_RUN"
"""The environment variable that marks every process of a run."""

READ_BYTES = 1 << 16
"""The most bytes of a run's output to read at a time."""

_MEMORY_FRACTION = 0.8  # of the machine's memory, for a run without a limit of its own

# Held while a process starts. Reentrant, because a signal handler may run in the middle of a start.
_starting = threading.RLock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """One execution: what to start, where, and its limits in seconds and bytes.

    `memory` bounds the sum over all processes of the run. `data` also bounds what each process may
    allocate; None unless the user set a limit. `stdin` is a file to read from. `owner` names the
    command in messages: "oracle" or "formatter". `cell` is the sandbox that it takes place in. The
    memory is measured every `watch_seconds`.
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
    cell: Cell | None = None
    watch_seconds: float = WATCH_SECONDS


def limits_of(call: Invocation) -> dict[int, int]:
    """Return resource limits, by number: no core dumps, and what each process may allocate."""
    import resource  # noqa: PLC0415 (Windows has no such module)

    if call.data is None:
        return {resource.RLIMIT_CORE: 0}
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    data = call.data if hard == resource.RLIM_INFINITY else min(call.data, hard)
    return {resource.RLIMIT_CORE: 0, resource.RLIMIT_DATA: data}


def start(
    call: Invocation, program: str | None = None, *, new_session: bool = True, flags: int = 0
) -> subprocess.Popen[bytes]:
    """Start the process, or `program` instead; `flags` are creation flags of Windows.

    Raises `OracleError` if it cannot be started.
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
        raise OracleError(start_failure(call, error)) from error
    finally:
        if not isinstance(stdin, int):
            stdin.close()


def kill_run(call: Invocation) -> None:
    """Kill the processes of an execution that was interrupted before its first process was known.

    The environment identifies them. Where orphans are adopted, the children of a killed process
    become children of this one, so repeat the search until it finds no more.
    """
    kill_marked(call.environment[RUN_VARIABLE.encode()].decode())


def kill_marked(mark: str) -> None:
    """Kill the children of this process that have a mark, and their descendants, until none is left."""
    known: set[psutil.Process] = set()
    while new := {each for each in psutil.Process().children() if _has_mark(each, mark)} - known:
        known |= new
        for process in _with_descendants(child.pid for child in new):
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(new, timeout=WATCH_SECONDS)


def kill_with_descendants(pid: int) -> list[psutil.Process]:
    """Kill a process and all that it has started, and return them; somebody else waits for its end."""
    killed = _with_descendants([pid])
    for process in reversed(killed):
        with contextlib.suppress(psutil.Error):
            process.kill()
    return killed


def wait_for_killed(killed: list[psutil.Process]) -> None:
    """Wait for processes whose parent has been waited for: they may be children of this one now."""
    psutil.wait_procs(killed, timeout=WATCH_SECONDS)


def _has_mark(process: psutil.Process, mark: str) -> bool:
    with contextlib.suppress(psutil.Error):
        return process.environ().get(RUN_VARIABLE) == mark
    return False


def block_starts(seconds: float) -> None:
    """Keep other threads from starting runs, because this process is about to exit.

    Waits at most `seconds` for a run that is just starting.
    """
    _starting.acquire(timeout=seconds)


def _environment(call: Invocation) -> Mapping[bytes, bytes] | Mapping[str, str]:
    if sys.platform == "win32":
        return {os.fsdecode(name): os.fsdecode(value) for name, value in call.environment.items()}
    return call.environment


def start_failure(call: Invocation, error: OSError | ValueError) -> str:
    """Return a sentence for the user about a command that could not be started."""
    program, command = call.program, f"The {call.owner}'s command {call.program!r}"
    if isinstance(error, FileNotFoundError):
        return f"{command} (or its interpreter) does not exist; correct it."
    if isinstance(error, PermissionError):
        return f"{command} is not executable; run: chmod +x {program}"
    if isinstance(error, ValueError):
        return f"{command} has an impossible argument: {error}."
    hint = "; begin it with a line such as #!/bin/sh" if "format" in str(error) else ""
    return f"{command} cannot be started: {error.strerror}{hint}."


class Clip:
    """Keeps the start and the end of a stream, and drops the middle.

    A newline joins the halves, so that no pattern matches across the gap within one line.
    """

    __slots__ = ("_head", "_head_limit", "_tail", "_tail_limit", "_tail_size", "_total")

    def __init__(self, limit: int) -> None:
        """`limit` is the maximum length of `value` in bytes; at least 2."""
        self._head_limit = max(limit, 2) // 2
        self._tail_limit = max(limit, 2) - self._head_limit
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._total = 0

    @property
    def truncated(self) -> bool:
        """Whether bytes were dropped."""
        return self._total > self._head_limit + self._tail_limit

    def feed(self, chunk: bytes) -> None:
        """Add the next bytes of the stream."""
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
        """Return the kept bytes, at most `limit`."""
        tail = b"".join(self._tail)[-self._tail_limit :]
        if not self.truncated:
            return bytes(self._head) + tail
        return bytes(self._head) + b"\n" + tail[1:]


@functools.cache
def default_memory_limit() -> int:
    """Return the bytes that a run may use without a limit of its own: 80% of the machine's memory."""
    return int(psutil.virtual_memory().total * _MEMORY_FRACTION)


def exceeds_memory(roots: Iterable[int], limit: int) -> bool:
    """Return whether the processes `roots` and all their descendants use more than `limit` bytes.

    Resident sizes count shared pages once per process. Proportional sizes are exact but take
    milliseconds, so they are read only when the resident sizes exceed the limit.
    """
    processes = _with_descendants(roots)
    if sum(_resident_size(process) for process in processes) <= limit:
        return False
    return (
        sum(_proportional_size(process.pid) or _resident_size(process) for process in processes)
        > limit
    )


def cpu_seconds(roots: Iterable[int]) -> float:
    """Return the processor time of the processes `roots` and of all that they started.

    Systems other than Linux do not count processes that have ended.
    """
    return sum(_cpu_seconds(process) for process in _with_descendants(roots))


def _with_descendants(roots: Iterable[int]) -> list[psutil.Process]:
    found: list[psutil.Process] = []
    for root in roots:
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(root)
            found += [process, *_descendants(process)]
    return found


def _descendants(process: psutil.Process) -> list[psutil.Process]:
    """Follow the kernel's lists of children; psutil would read every process of the machine."""
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


def _cpu_seconds(process: psutil.Process) -> float:
    with contextlib.suppress(psutil.Error):
        times = process.cpu_times()
        return float(times.user + times.system + times.children_user + times.children_system)
    return 0.0


def _resident_size(process: psutil.Process) -> int:
    with contextlib.suppress(psutil.Error):
        return int(process.memory_info().rss)
    return 0


def _proportional_size(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_bytes().splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return 0
