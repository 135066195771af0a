"""Executes a run on Linux: one `poll` waits for its end, its output, the timeout and a cancellation.

The end of the process is an event on its pidfd. Only the memory is checked periodically, every
`watch_seconds`; runs shorter than that are never checked.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import time
from typing import Protocol

from pollard.errors import Cancelled, OracleError
from pollard.executors import daemons
from pollard.executors.confined import ConfinedProcess
from pollard.executors.invocation import (
    READ_BYTES,
    RUN_VARIABLE,
    Clip,
    Invocation,
    cpu_seconds,
    exceeds_memory,
    limits_of,
    start,
)
from pollard.oracle.executor import Cancellable, CancelToken
from pollard.oracle.verdict import Outcome

_RUN_VARIABLE = RUN_VARIABLE.encode()
_LARGE_READ_BYTES = 1 << 20  # for runs that print a lot; also the size of their pipes
_FLAG_CHECK_SECONDS = 0.05


class RunProcess(Protocol):
    """The processes of a run that was started."""

    @property
    def outputs(self) -> tuple[int, ...]:
        """The descriptors to read its output from; empty if nobody reads it."""

    @property
    def exit_descriptor(self) -> int:
        """A descriptor that becomes readable once the leader has exited."""

    def processes(self) -> list[int]:
        """Return the leader and what the run's dead processes left behind."""

    def end(self) -> tuple[int, float]:
        """Kill all processes; return the leader's wait status and the seconds of processor time."""

    def close(self) -> None:
        """Close all descriptors."""


def execute(call: Invocation, cancelled: Cancellable | None) -> Outcome:
    """Execute `call`; when this returns or raises, no process of the run is left.

    Raises `Cancelled`, and `OracleError` if the command cannot be started.
    """
    started_at = time.perf_counter()
    process = _PlainProcess(call) if call.cell is None else ConfinedProcess(call, call.cell)
    with contextlib.closing(process):
        execution = _Execution(call, process, cancelled)
        try:
            execution.wait(started_at + call.timeout)
        finally:
            status = execution.end()
        execution.drain()
        if execution.stopped:
            raise Cancelled("The run was cancelled.")
        return execution.outcome(status, time.perf_counter() - started_at)


class _PlainProcess:
    """A child of this process, and all that it starts."""

    def __init__(self, call: Invocation) -> None:
        daemons.adopt_descendants()
        self._process = start(call)
        self._pid = self._process.pid
        variable = b"%s=%s" % (_RUN_VARIABLE, call.environment[_RUN_VARIABLE])
        self._processes = daemons.RunProcesses(self._pid, daemons.new_mark(), variable)
        self._processes.limit(limits_of(call))
        self.exit_descriptor = os.pidfd_open(self._pid)

    @property
    def outputs(self) -> tuple[int, ...]:
        streams = (self._process.stdout, self._process.stderr)
        return tuple(stream.fileno() for stream in streams if stream is not None)

    def processes(self) -> list[int]:
        return [self._pid, *self._processes.other_children()]

    def end(self) -> tuple[int, float]:
        # The leader is not reaped yet, so its group number cannot have been reused.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)
        try:
            return self._processes.kill_and_reap()
        except ChildProcessError as error:
            message = (
                "The oracle's exit code was lost: something in this process reaps all children "
                "or ignores SIGCHLD; start pollard from an ordinary shell."
            )
            raise OracleError(message) from error
        finally:
            self._process.returncode = 0  # it is reaped already

    def close(self) -> None:
        os.close(self.exit_descriptor)
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()


class _Execution:
    """The state of one run between its start and the death of its last process."""

    def __init__(
        self, call: Invocation, process: RunProcess, cancelled: Cancellable | None
    ) -> None:
        self._call = call
        self._process = process
        self._cancelled = cancelled
        self._poll = select.poll()
        self._outputs: dict[int, Clip] = {}
        self._read_sizes: dict[int, int] = {}
        self.stopped = False
        self._timed_out = False
        self._cpu_seconds = 0.0
        self._memory_exceeded = False
        for descriptor in process.outputs:
            os.set_blocking(descriptor, False)
            self._outputs[descriptor] = Clip(call.output_limit)
            self._read_sizes[descriptor] = READ_BYTES
            self._poll.register(descriptor, select.POLLIN)

    def wait(self, deadline: float) -> None:
        """Wait until the leader has exited, or until there is a reason to kill it."""
        token = self._cancelled if isinstance(self._cancelled, CancelToken) else None
        self._poll.register(self._process.exit_descriptor, select.POLLIN)
        if token is not None:
            self._poll.register(token.open(), select.POLLIN)
        try:
            self._loop(deadline)
        finally:
            if token is not None:
                token.close()

    def end(self) -> int:
        """Kill what is left of the run and return the leader's wait status."""
        status, used = self._process.end()
        # What was killed before its parent waited for it is missing here, but not in an earlier sum.
        self._cpu_seconds = max(self._cpu_seconds, used)
        return status

    def drain(self) -> None:
        """Read the rest of the pipes, whose writers are dead."""
        for descriptor in list(self._outputs):
            while self._read(descriptor):
                continue

    def outcome(self, status: int, seconds: float) -> Outcome:
        """Return the outcome, given the leader's wait status."""
        code = os.waitstatus_to_exitcode(status)
        clips = [*self._outputs.values(), Clip(2), Clip(2)]
        return Outcome(
            exit_code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            stdout=clips[0].value(),
            stderr=clips[1].value(),
            seconds=seconds,
            cpu_seconds=self._cpu_seconds,
            timed_out=self._timed_out,
            truncated=any(clip.truncated for clip in clips),
            memory_exceeded=self._memory_exceeded,
        )

    def _loop(self, deadline: float) -> None:
        next_check = time.perf_counter() + self._call.watch_seconds
        while not self._interrupted():
            now = time.perf_counter()
            if now >= deadline:
                self._timed_out = True
                self._cpu_seconds = cpu_seconds(self._process.processes())
                return
            if now >= next_check:
                next_check = now + self._call.watch_seconds
                if exceeds_memory(self._process.processes(), self._call.memory):
                    self._memory_exceeded = True
                    return
            ready = self._poll.poll(self._pause(min(deadline, next_check) - now))
            for descriptor, _ in ready:
                if descriptor in self._outputs:
                    self._read_until_end(descriptor)
            if any(descriptor == self._process.exit_descriptor for descriptor, _ in ready):
                return

    def _interrupted(self) -> bool:
        self.stopped = self._cancelled is not None and self._cancelled.is_set()
        return self.stopped

    def _pause(self, seconds: float) -> int:
        if self._cancelled is not None and not isinstance(self._cancelled, CancelToken):
            seconds = min(seconds, _FLAG_CHECK_SECONDS)
        return int(seconds * 1000) + 1

    def _read_until_end(self, descriptor: int) -> None:
        if self._read(descriptor) == b"":
            self._poll.unregister(descriptor)

    def _read(self, descriptor: int) -> bytes | None:
        """Read once: b"" at the end of the stream, None if there is nothing yet."""
        try:
            chunk = os.read(descriptor, self._read_sizes[descriptor])
        except BlockingIOError:
            return None
        self._outputs[descriptor].feed(chunk)
        if len(chunk) == READ_BYTES == self._read_sizes[descriptor]:
            # The run prints a lot: fewer, larger reads, if the system allows it.
            with contextlib.suppress(OSError):
                fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _LARGE_READ_BYTES)
            self._read_sizes[descriptor] = _LARGE_READ_BYTES
        return chunk
