"""One sandbox, in which runs take place one after the other; on Linux."""

from __future__ import annotations

import marshal
import os
import socket
import subprocess
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from pollard.errors import OracleError
from pollard.executors.sandbox import bubblewrap, launcher

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_START_SECONDS = 20.0
_END_SECONDS = 10.0
_ANSWER_BYTES = 4096
_MARSHAL_VERSION = 4  # that of Python 3.4 and later
_BROKEN = "The sandbox of a run broke; start again, or switch it off with --sandbox off."


class CellError(OracleError):
    """A sandbox could not be started, or broke."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: its wait status, and the seconds of processor time that it used."""

    status: int
    cpu_seconds: float


class Cell:
    """A launcher in its sandbox. One thread uses it at a time; `close` kills all that is in it.

    `is_busy` from the start of a run until its end is known. `mark` is what the variable
    `POLLARD_RUN` was when the launcher started, if its runs are copies of it and have it as well.
    """

    mark = ""

    def __init__(
        self,
        command: Sequence[str],
        confined: Callable[[Callable[[], subprocess.Popen[bytes]]], subprocess.Popen[bytes]],
        environment: Mapping[bytes, bytes] | None = None,
    ) -> None:
        """Start the launcher by a command; `environment` replaces that of this process.

        `confined` calls a function, and confines what that starts. Raises `CellError` if the command
        cannot be executed. Nothing else may be called before `greet`.
        """
        own, other = socket.socketpair()
        self._socket = own
        self._answer = bytearray()
        self.is_busy = False
        with other:
            try:
                self._process = confined(lambda: _started(command, other, environment))
            except OSError as error:
                own.close()
                message = f"The sandbox cannot be started: {error.strerror}."
                raise CellError(message) from error
        assert self._process.stderr is not None
        self._errors: IO[bytes] = self._process.stderr

    def greet(self) -> None:
        """Wait until the launcher is ready.

        Raises `MountError`, and `CellError` with another reason if it does not start.
        """
        if not self._is_ready():
            complaint = self.close()
            bubblewrap.check_start(complaint)
            raise CellError(f"The sandbox cannot be started: {complaint or 'it ended at once'}.")

    def _is_ready(self) -> bool:
        self._socket.settimeout(_START_SECONDS)
        if self._read_line() != b"ready":
            return False
        self.launcher = _innermost(self._process.pid)
        return True

    @property
    def descriptor(self) -> int:
        """Becomes readable when the run in progress has ended."""
        return self._socket.fileno()

    def runs(self) -> list[int]:
        """Return the processes that the launcher started or adopted and that are alive."""
        return launcher.children_of(self.launcher)

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
        self.is_busy = True
        request = (list(arguments), program, directory, dict(environment), dict(limits))
        self._send(request, descriptors)

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

    def close(self) -> str:
        """End the launcher, and with it all its processes; return what it complained about."""
        self._socket.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        with self._errors:
            return self._errors.read().decode("utf-8", "replace").strip()

    def _send(self, message: Any, descriptors: Sequence[int]) -> None:
        body = marshal.dumps(message, _MARSHAL_VERSION)
        header = len(body).to_bytes(launcher.HEADER_BYTES, "big")
        try:
            socket.send_fds(self._socket, [header], descriptors)
            self._socket.sendall(body)
        except OSError as error:
            raise CellError(_BROKEN) from error

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
    command: Sequence[str], channel: socket.socket, environment: Mapping[bytes, bytes] | None
) -> subprocess.Popen[bytes]:
    """Start a command with a socket as its standard input. Raises OSError."""
    return subprocess.Popen(
        command,
        stdin=channel.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd="/",
        env=environment,
        start_new_session=True,
    )


def _innermost(pid: int) -> int:
    """Return the launcher, which is the last of the processes that each started one other."""
    while children := launcher.children_of(pid):
        pid = children[0]
    return pid
