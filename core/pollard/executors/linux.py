"""Executing a run on Linux: one poll waits for its end, its output, its time and a cancellation.

Nothing is polled in the other sense: the end of the process is an event on its pidfd. Only the
watchdog for memory looks every `WATCH_PERIOD` seconds, hence never at short runs.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import select
import signal
import time
from typing import TYPE_CHECKING

from pollard.errors import Cancelled, OracleError
from pollard.executors import daemons as orphans
from pollard.executors.invocation import (
    RUN_VARIABLE,
    WATCH_PERIOD,
    Clip,
    Invocation,
    exceeds,
    start,
)
from pollard.oracle.cancel import Cancellable, CancelToken
from pollard.oracle.verdict import Outcome

if TYPE_CHECKING:
    import subprocess

_VARIABLE = RUN_VARIABLE.encode()
_CHUNK = 1 << 16
_WIDE_PIPE = 1 << 20
_FLAG_PERIOD = 0.05


def execute(call: Invocation, cancelled: Cancellable | None) -> Outcome:
    """Run `call` to its end; when this returns or raises, no process of the run is left.

    Raises `Cancelled` when asked to, `OracleError` if the command cannot be started.
    """
    orphans.adopt_descendants()
    begun = time.perf_counter()
    process = start(call)
    with _Execution(call, process, cancelled) as execution:
        try:
            execution.limit()
            execution.wait(begun + call.timeout)
        finally:
            status = execution.end()
        execution.drain()
        if execution.stopped:
            raise Cancelled("The run was cancelled.")
        return execution.outcome(status, time.perf_counter() - begun)


class _Execution:
    """The state of one run between its start and the death of its last process."""

    def __init__(
        self, call: Invocation, process: subprocess.Popen[bytes], cancelled: Cancellable | None
    ) -> None:
        self._call = call
        self._pid = process.pid
        self._process = process
        self._cancelled = cancelled
        variable = b"%s=%s" % (_VARIABLE, call.environment[_VARIABLE])
        self._kin = orphans.Kin(process.pid, orphans.new_mark(), variable)
        self._poll = select.poll()
        self._clips: dict[int, Clip] = {}
        self._sizes: dict[int, int] = {}
        self.stopped = False
        self._timed_out = False
        self._memory_exceeded = False

    def __enter__(self) -> _Execution:
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                os.set_blocking(stream.fileno(), False)
                self._clips[stream.fileno()] = Clip(self._call.output_limit)
                self._sizes[stream.fileno()] = _CHUNK
                self._poll.register(stream.fileno(), select.POLLIN)
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def limit(self) -> None:
        """Bound what the run may write and allocate, and let it dump no core."""
        limits = {resource.RLIMIT_CORE: 0}
        if self._call.data is not None:
            _, hard = resource.getrlimit(resource.RLIMIT_DATA)
            bounded = hard != resource.RLIM_INFINITY
            limits[resource.RLIMIT_DATA] = (
                min(self._call.data, hard) if bounded else self._call.data
            )
        self._kin.limit(limits)

    def wait(self, deadline: float) -> None:
        """Return when the leader has exited, or when there is a reason to end it."""
        ending = os.pidfd_open(self._pid)
        token = self._cancelled if isinstance(self._cancelled, CancelToken) else None
        try:
            self._poll.register(ending, select.POLLIN)
            if token is not None:
                self._poll.register(token.open(), select.POLLIN)
            self._loop(ending, deadline)
        finally:
            os.close(ending)
            if token is not None:
                token.close()

    def end(self) -> int:
        """Kill whatever is left of the run and return the leader's wait status."""
        # The leader is not reaped yet, so its group cannot be anybody else's.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)
        try:
            return self._kin.bury()
        except ChildProcessError as error:
            message = (
                "The oracle's exit code was lost: something in this process reaps all children "
                "or ignores SIGCHLD; start pollard from an ordinary shell."
            )
            raise OracleError(message) from error
        finally:
            self._process.returncode = 0  # nobody else has to wait for it

    def drain(self) -> None:
        """Read what is still in the pipes; all writers are dead."""
        for descriptor in list(self._clips):
            while self._read(descriptor):
                continue

    def outcome(self, status: int, seconds: float) -> Outcome:
        """What was seen, given the leader's wait status."""
        code = os.waitstatus_to_exitcode(status)
        clips = [*self._clips.values(), Clip(2), Clip(2)]
        return Outcome(
            exit_code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            stdout=clips[0].value(),
            stderr=clips[1].value(),
            seconds=seconds,
            timed_out=self._timed_out,
            truncated=any(clip.truncated for clip in clips),
            memory_exceeded=self._memory_exceeded,
        )

    def _loop(self, ending: int, deadline: float) -> None:
        watch = time.perf_counter() + WATCH_PERIOD
        while not self._interrupted():
            now = time.perf_counter()
            if now >= deadline:
                self._timed_out = True
                return
            if now >= watch:
                watch = now + WATCH_PERIOD
                if exceeds([self._pid, *self._kin.adopted()], self._call.memory):
                    self._memory_exceeded = True
                    return
            ready = self._poll.poll(self._pause(min(deadline, watch) - now))
            for descriptor, _ in ready:
                if descriptor in self._clips:
                    self._read_or_forget(descriptor)
            if any(descriptor == ending for descriptor, _ in ready):
                return

    def _interrupted(self) -> bool:
        self.stopped = self._cancelled is not None and self._cancelled.is_set()
        return self.stopped

    def _pause(self, seconds: float) -> int:
        if self._cancelled is not None and not isinstance(self._cancelled, CancelToken):
            seconds = min(seconds, _FLAG_PERIOD)
        return int(seconds * 1000) + 1

    def _read_or_forget(self, descriptor: int) -> None:
        if self._read(descriptor) == b"":
            self._poll.unregister(descriptor)

    def _read(self, descriptor: int) -> bytes | None:
        """Read once: nothing at the end of the stream, None if there is nothing yet."""
        try:
            chunk = os.read(descriptor, self._sizes[descriptor])
        except BlockingIOError:
            return None
        self._clips[descriptor].feed(chunk)
        if len(chunk) == _CHUNK == self._sizes[descriptor]:
            # Somebody prints a lot: fewer, larger reads, as far as the system lets us.
            with contextlib.suppress(OSError):
                fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _WIDE_PIPE)
            self._sizes[descriptor] = _WIDE_PIPE
        return chunk
