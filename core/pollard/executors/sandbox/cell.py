"""One sandbox, in which runs take place one after the other; on Linux."""

from __future__ import annotations

import contextlib
import marshal
import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from pollard.errors import OracleError
from pollard.executors.sandbox import launcher

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_START_SECONDS = 20.0
_END_SECONDS = 10.0
_ANSWER_BYTES = 4096
_HEADER_BYTES = 8
_BROKEN = "The sandbox of a run broke; start again, or switch it off with --sandbox off."


class CellError(OracleError):
    """A sandbox could not be started, or broke."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: its wait status, and the seconds of processor time that it used."""

    status: int
    cpu_seconds: float


class Cell:
    """The launcher in its sandbox. One thread uses it at a time; `close` kills all that is in it.

    `is_busy` from the start of a run until its end is known.
    """

    def __init__(
        self,
        wrapper: Sequence[str],
        private: Sequence[str],
        confine: Callable[[], None],
    ) -> None:
        """Start the launcher by the command `wrapper`; `private` are directories that it tidies up.

        `confine` confines the thread that calls it, and what is started from it. Raises `CellError`
        with the reason if that fails.
        """
        own, other = socket.socketpair()
        command = [*wrapper, sys.executable, "-I", "-S", launcher.__file__, *private]
        self._socket = own
        self._answer = bytearray()
        self.is_busy = False
        with other:
            try:
                self._process = _started(command, other, confine)
            except OSError as error:
                own.close()
                message = f"The sandbox cannot be started: {error.strerror}."
                raise CellError(message) from error
        assert self._process.stderr is not None
        self._errors: IO[bytes] = self._process.stderr
        own.settimeout(_START_SECONDS)
        if self._read_line() != b"ready":
            self.close()
            raise CellError(f"The sandbox cannot be started: {self._reason}.")
        self.launcher = _innermost(self._process.pid)

    @property
    def descriptor(self) -> int:
        """Becomes readable when the run in progress has ended."""
        return self._socket.fileno()

    def runs(self) -> list[int]:
        """Return the processes that the launcher started or adopted and that are alive."""
        return _children(self.launcher)

    def start(
        self,
        arguments: Sequence[bytes],
        program: bytes,
        directory: bytes,
        environment: Mapping[bytes, bytes],
        limits: Mapping[int, int],
        descriptors: Sequence[int],
    ) -> None:
        """Start a run; `limits` are resource limits by number.

        `descriptors` are its three standard streams, and one that becomes readable if it shall end.

        Raises `CellError` if the sandbox is gone.
        """
        request = (list(arguments), program, directory, dict(environment), dict(limits))
        body = marshal.dumps(request)
        self.is_busy = True
        try:
            socket.send_fds(self._socket, [len(body).to_bytes(_HEADER_BYTES, "big")], descriptors)
            self._socket.sendall(body)
        except OSError as error:
            raise CellError(_BROKEN) from error

    def end(self) -> Ended:
        """Wait until all processes of the run are dead, and return how it ended.

        Raises `OSError` if the program could not be executed, and `CellError` if the sandbox broke.
        """
        self._socket.settimeout(_END_SECONDS)
        kind, *values = self._read_line().split() or [b""]
        if not values:
            raise CellError(_BROKEN)
        self.is_busy = False
        if kind == b"failed":
            raise OSError(int(values[0]), os.strerror(int(values[0])))
        return Ended(int(values[0]), float(values[1]))

    def close(self) -> None:
        """End the launcher, and with it all its processes."""
        self._socket.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reason = self._errors.read().decode("utf-8", "replace").strip() or "it ended at once"
        self._errors.close()

    def _read_line(self) -> bytes:
        while b"\n" not in self._answer:
            try:
                read = self._socket.recv(_ANSWER_BYTES)
            except OSError:
                read = b""
            if not read:
                return b""
            self._answer += read
        line, _, rest = bytes(self._answer).partition(b"\n")
        self._answer = bytearray(rest)
        return line


def _started(
    command: Sequence[str], channel: socket.socket, confine: Callable[[], None]
) -> subprocess.Popen[bytes]:
    """Start a command with a socket as its standard input. Raises OSError."""

    def start() -> subprocess.Popen[bytes]:
        confine()
        return subprocess.Popen(
            command,
            stdin=channel.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd="/",
            start_new_session=True,
        )

    with ThreadPoolExecutor(1) as thread:  # which ends at once, confined or not
        return thread.submit(start).result()


def _innermost(pid: int) -> int:
    """Return the launcher, which is the last of the processes that each started one other."""
    while children := _children(pid):
        pid = children[0]
    return pid


def _children(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_bytes().split()))
    return []
