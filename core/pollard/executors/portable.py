"""Executes a run where there is no pidfd (macOS, Windows, old kernels); simple rather than fast."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from typing import IO, TYPE_CHECKING

import psutil

from pollard.errors import Cancelled
from pollard.executors.invocation import (
    FILE_SIZE_LIMIT,
    READ_BYTES,
    Clip,
    Invocation,
    cpu_seconds,
    exceeds_memory,
    start,
)
from pollard.oracle.verdict import Outcome

if TYPE_CHECKING:
    from pollard.oracle.executor import Cancellable

_EXIT_CHECK_SECONDS = 0.01
_ULIMIT_SCRIPT = 'ulimit -c 0; ulimit -f {blocks}; {data}exec "$0" "$@"'


def execute(call: Invocation, cancelled: Cancellable | None) -> Outcome:
    """Like `pollard.executors.linux.execute`; daemons are found only while their parent is alive."""
    started_at = time.perf_counter()
    process = _start(call)
    clips = [Clip(call.output_limit), Clip(call.output_limit)]
    readers = [_reader(s, c) for s, c in zip((process.stdout, process.stderr), clips, strict=True)]
    family: dict[int, psutil.Process] = {}
    reason, used = "cancelled", 0.0
    try:
        reason = _wait(process, call, cancelled, started_at, family)
        if reason == "timeout":
            used = cpu_seconds([process.pid])
    finally:
        _end(process, family)
        for reader in readers:
            reader.join(1.0)
    if reason == "cancelled":
        raise Cancelled("The run was cancelled.")
    code = process.returncode
    was_signalled = code < 0 and sys.platform != "win32"
    return Outcome(
        exit_code=None if was_signalled else code,
        signal=-code if was_signalled else None,
        stdout=clips[0].value(),
        stderr=clips[1].value(),
        seconds=time.perf_counter() - started_at,
        cpu_seconds=used,
        timed_out=reason == "timeout",
        truncated=any(clip.truncated for clip in clips),
        memory_exceeded=reason == "memory",
    )


def _start(call: Invocation) -> subprocess.Popen[bytes]:
    if sys.platform == "win32":
        return start(call, new_session=False, flags=subprocess.CREATE_NEW_PROCESS_GROUP)
    data = "" if call.data is None else f"ulimit -v {call.data // 1024} 2>/dev/null; "
    script = _ULIMIT_SCRIPT.format(blocks=FILE_SIZE_LIMIT // 512, data=data)
    call.arguments[:] = ["sh", "-c", script, call.program, *call.arguments[1:]]
    return start(call, "/bin/sh")


def _wait(
    process: subprocess.Popen[bytes],
    call: Invocation,
    cancelled: Cancellable | None,
    started_at: float,
    family: dict[int, psutil.Process],
) -> str:
    """Wait for the end and return its reason: exit, timeout, memory or cancelled. Fill `family`."""
    next_check = started_at
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_EXIT_CHECK_SECONDS)
            return "exit"
        now = time.perf_counter()
        if cancelled is not None and cancelled.is_set():
            return "cancelled"
        if now >= started_at + call.timeout:
            return "timeout"
        if now >= next_check:
            next_check = now + call.watch_seconds
            _collect_descendants(process.pid, family)
            if exceeds_memory([process.pid], call.memory):
                return "memory"


def _collect_descendants(pid: int, family: dict[int, psutil.Process]) -> None:
    with contextlib.suppress(psutil.Error):
        for child in psutil.Process(pid).children(recursive=True):
            family[child.pid] = child


def _end(process: subprocess.Popen[bytes], family: dict[int, psutil.Process]) -> None:
    _collect_descendants(process.pid, family)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for member in family.values():
        with contextlib.suppress(psutil.Error):
            member.kill()  # psutil checks that the number was not reused


def _reader(stream: IO[bytes] | None, clip: Clip) -> threading.Thread:
    def read() -> None:
        if stream is None:
            return
        with stream, contextlib.suppress(OSError, ValueError):
            while chunk := stream.read(READ_BYTES):
                clip.feed(chunk)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread
