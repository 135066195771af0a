"""One process that stays and is asked for runs: a line with a path in, a line of JSON out."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from pollard.errors import Cancelled, OracleError
from pollard.executors.invocation import (
    READ_BYTES,
    WATCH_SECONDS,
    Clip,
    cpu_seconds,
    exceeds_memory,
    kill_marked,
    kill_with_descendants,
    wait_for_killed,
)
from pollard.oracle.executor import FLAG_PERIOD_SECONDS
from pollard.oracle.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from pollard.oracle.executor import Cancellable

_END_SECONDS = 2.0  # from the end of its output to the end of a process
# JSON may need six bytes for one of the output, and there are two streams.
_LINE_BYTES_PER_OUTPUT_BYTE = 12
_RULE = "It must print one line of JSON for each candidate, and nothing else: see docs/warm.md."


@dataclass(frozen=True, slots=True)
class RunLimits:
    """The limits of a run in seconds and bytes, and whether it is still needed."""

    seconds: float
    memory: int
    output: int
    cancelled: Cancellable | None


class PersistentProcess:
    """A process that answers about one candidate after the other; one thread at a time may use it.

    `count` is the number of its answers, and `answered` tells whether the last question got one. If
    it did not, the process must be closed.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        directory: Path,
        environment: Mapping[bytes, bytes],
        mark: str,
        confined: Callable[
            [Callable[[], subprocess.Popen[bytes]]], subprocess.Popen[bytes]
        ] = lambda start: start(),
    ) -> None:
        """Start it; `mark` is its POLLARD_RUN. `confined` calls a function, and confines its processes.

        Raises `OracleError` if it cannot be started.
        """
        self.count = 0
        self.answered = True
        self._mark = mark

        def start() -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                arguments,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=directory,
                env=environment,
                start_new_session=True,
            )

        try:
            self._process = confined(start)
        except OSError as error:
            message = f"The oracle's command cannot be started: {error.strerror}."
            raise OracleError(message) from error
        self._streams: dict[int, IO[bytes]] = {}
        for stream in (self._process.stdout, self._process.stderr):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
            self._streams[stream.fileno()] = stream

    def outcome(self, file: Path, limits: RunLimits) -> Outcome:
        """Ask about a candidate, and return what it answers, or how it ended instead.

        Raises `Cancelled`, and `OracleError` for an answer that breaks the protocol.
        """
        began, processor = time.monotonic(), self._processor_seconds()
        self.answered = False
        exchange = _Exchange(self._process, self._streams, limits)
        found = exchange.result(os.fsencode(file) + b"\n")
        self.answered = exchange.is_answered
        self.count += 1
        return Outcome(
            **{"exit_code": None, "signal": None, **found},
            seconds=time.monotonic() - began,
            cpu_seconds=max(self._processor_seconds() - processor, 0.0),
        )

    def is_usable(self) -> bool:
        """Return whether it may get another candidate."""
        return self.answered and self._process.poll() is None

    def close(self) -> None:
        """Kill it and all that it has started."""
        killed = kill_with_descendants(self._process.pid)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        wait_for_killed(killed)
        kill_marked(self._mark)
        for stream in (self._process.stdin, *self._streams.values()):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _processor_seconds(self) -> float:
        return cpu_seconds([self._process.pid])


class _Exchange:
    """One question and its answer."""

    def __init__(
        self, process: subprocess.Popen[bytes], streams: dict[int, IO[bytes]], limits: RunLimits
    ) -> None:
        assert process.stdout is not None
        self._process = process
        self._limits = limits
        self._answers = process.stdout.fileno()
        self._answer = bytearray()
        self._stderr = Clip(limits.output)
        self._poll = select.poll()
        for descriptor in streams:
            self._poll.register(descriptor, select.POLLIN)
        self._open = set(streams)
        self.is_answered = False

    def result(self, question: bytes) -> dict[str, Any]:
        """Return fields of the outcome."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended; its status tells
            self._process.stdin.write(question)
        found = self._waited(time.monotonic() + self._limits.seconds)
        return {"stderr": self._stderr.value(), **found}

    def _waited(self, deadline: float) -> dict[str, Any]:
        next_look = time.monotonic() + WATCH_SECONDS
        while b"\n" not in self._answer:
            if self._answers not in self._open:
                return self._ended()
            now = time.monotonic()
            if self._limits.cancelled is not None and self._limits.cancelled.is_set():
                raise Cancelled("The run was cancelled.")
            if now >= deadline:
                return {"timed_out": True}
            if now >= next_look:
                next_look = now + WATCH_SECONDS
                # A daemon that it started may keep its output open.
                if self._process.poll() is not None:
                    self._read(0)
                    return self._understood() if b"\n" in self._answer else self._ended()
                if exceeds_memory([self._process.pid], self._limits.memory):
                    return {"memory_exceeded": True}
            self._read(min(deadline - now, FLAG_PERIOD_SECONDS))
        self._read(0)
        return self._understood()

    def _read(self, seconds: float) -> None:
        """Read what is there; wait for it no longer than this."""
        for descriptor, _ in self._poll.poll(int(seconds * 1000)):
            chunk = os.read(descriptor, READ_BYTES)
            if not chunk:
                self._poll.unregister(descriptor)
                self._open.discard(descriptor)
            elif descriptor == self._answers:
                self._answer += chunk
            else:
                self._stderr.feed(chunk)
        if len(self._answer) > _LINE_BYTES_PER_OUTPUT_BYTE * self._limits.output:
            raise OracleError("The oracle that stays prints more than its output limit. " + _RULE)

    def _ended(self) -> dict[str, Any]:
        """Return how the process ended; one that only closed its output is killed."""
        try:
            status = self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            kill_with_descendants(self._process.pid)
            status = self._process.wait()
        self._read(0)  # all that the pipes hold; a daemon may print for ever
        return {"exit_code": status} if status >= 0 else {"signal": -status}

    def _understood(self) -> dict[str, Any]:
        """Return the fields of the answer. Raises `OracleError`."""
        line, _, rest = bytes(self._answer).partition(b"\n")
        try:
            answer = json.loads(line)
            code, outputs = answer["exit_code"], [answer.get(n, "") for n in ("stdout", "stderr")]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise OracleError(_broken(line)) from error
        is_right = isinstance(code, int) and all(isinstance(each, str) for each in outputs)
        if rest or not is_right:
            raise OracleError(_broken(rest if is_right else line))
        clips = [Clip(self._limits.output) for _ in outputs]
        for clip, output in zip(clips, outputs, strict=True):
            clip.feed(output.encode("utf-8", "replace"))
        if not outputs[1]:
            clips[1] = self._stderr
        self.is_answered = True
        return {
            "exit_code": int(code),
            "stdout": clips[0].value(),
            "stderr": clips[1].value(),
            "truncated": any(clip.truncated for clip in clips),
        }


def _broken(line: bytes) -> str:
    shown = line.decode("utf-8", "replace")[:80]
    return f"The oracle that stays answered {shown!r}. {_RULE}"
