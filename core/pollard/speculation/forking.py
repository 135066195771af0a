"""Copies of the search by forking, where that is safe: on Linux."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import sys
from multiprocessing.connection import Connection
from multiprocessing.reduction import send_handle
from typing import TYPE_CHECKING

from pollard.speculation.copies import SearchCopy
from pollard.speculation.messages import Assume, Begin, Born, ReadOn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.passes.searching import SearchPlan
    from pollard.speculation.messages import FromCoordinator, FromFork, Given, Told

_COPIES_PER_JOB = 2
_MAX_END_SECONDS = 0.3

# The new process gets this one's path, since it may have been changed since its start.
_CODE = """\
import sys
sys.path[:] = {path!r}
from pollard.speculation.forked_process import serve
serve({control}, {channel})
"""


class ForkingCarrier:
    """Has a process for each copy; see `Carrier`."""

    def __init__(self, jobs: int) -> None:
        """Raises OSError if the first process cannot be started."""
        self._group = ProcessGroup()
        self._max_copies = _COPIES_PER_JOB * jobs + 2
        self._connections: dict[SearchCopy, Connection] = {}
        self._pids: dict[SearchCopy, int] = {}
        self._selector = selectors.DefaultSelector()
        self._woken, self._waking = socket.socketpair()
        self._waking.setblocking(False)
        self._selector.register(self._woken, selectors.EVENT_READ)

    def begin(self, plan: SearchPlan, *, formats: bool) -> SearchCopy:
        """Begin to search, and return the real copy."""
        real = SearchCopy()
        self._add(real, self._group.channel)
        with contextlib.suppress(OSError):  # a process that died shows by its connection
            self._send(real, Begin(plan, formats))
        return real

    def can_go_on(self, copy: SearchCopy, _chance: float) -> bool:
        """Return True: each copy has its process."""
        return copy in self._connections

    def can_assume(self, copy: SearchCopy, _chance: float) -> bool:
        """Return whether there may be another process."""
        return copy in self._connections and len(self._connections) < self._max_copies

    def read_on(self, copy: SearchCopy) -> None:
        """Let a copy read the next text of its question. Raises OSError if its process is gone."""
        self._send(copy, ReadOn())

    def assume(self, copy: SearchCopy, hit: int | None) -> SearchCopy:
        """Fork the process of a copy. Raises OSError if it is gone, or there are no descriptors."""
        try:
            return self._forked(copy, hit)
        except OSError:
            self._allow_no_more()
            raise

    def _forked(self, copy: SearchCopy, hit: int | None) -> SearchCopy:
        assert copy.question is not None
        answer = copy.question.answer(hit)
        own, other = new_connection()
        with other:
            self._send(copy, Assume(answer))
            send_handle(self._connections[copy], other.fileno(), self._pids[copy])
        shadow = copy.children[hit] = SearchCopy(copy, answer)
        self._add(shadow, own)
        return shadow

    def give(self, copy: SearchCopy, given: Given) -> bool:
        """Let a copy go on with what it waits for. Raises OSError if its process is gone."""
        self._send(copy, given)
        return True

    def can_replace(self, copy: SearchCopy) -> bool:
        """Return whether a copy is born; until then it needs its parent."""
        return copy in self._pids

    def replaced(self, parent: SearchCopy, copy: SearchCopy) -> None:
        """End the parent."""
        assert copy in self._connections
        self.end(parent)

    def end(self, copy: SearchCopy) -> None:
        """Kill the process of one copy; one that is not born yet dies when it wants to report that."""
        connection = self._connections.pop(copy)
        self._selector.unregister(connection)
        connection.close()
        pid = self._pids.pop(copy, None)
        if pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def wait(self) -> Iterator[tuple[SearchCopy, Told | None]]:
        """Wait for messages or `wake`, and yield them; None is that of a copy whose process died."""
        for key, _ in self._selector.select():
            if key.data is None:
                self._woken.recv(4096)
            elif key.data in self._connections:
                yield from self._received(key.data)

    def _received(self, copy: SearchCopy) -> Iterator[tuple[SearchCopy, Told | None]]:
        try:
            message: FromFork = self._connections[copy].recv()
        except (EOFError, OSError):
            self._allow_no_more()
            yield copy, None
            return
        if isinstance(message, Born):
            self._pids[copy] = message.pid
        else:
            yield copy, message

    def wake(self) -> None:
        """End `wait`; from any thread or signal handler."""
        with contextlib.suppress(OSError):  # there is something to read already, or all is over
            self._waking.send(b".")

    def close(self) -> None:
        """End all processes, and return when there are none."""
        for copy in list(self._connections):
            self.end(copy)
        self._group.close()
        self._selector.close()
        self._woken.close()
        self._waking.close()

    def _allow_no_more(self) -> None:
        """Fork no further copies while there are so many; the system does not allow more."""
        self._max_copies = min(self._max_copies, max(len(self._connections), 1))

    def _add(self, copy: SearchCopy, connection: Connection) -> None:
        self._connections[copy] = connection
        self._selector.register(connection, selectors.EVENT_READ, copy)

    def _send(self, copy: SearchCopy, message: FromCoordinator) -> None:
        self._connections[copy].send(message)


class ProcessGroup:
    """The guardian process, and below it the search and all its copies; Linux only.

    `channel` is the connection to the search.
    """

    def __init__(self) -> None:
        """Raises OSError if the guardian cannot be started."""
        self._control, control = socket.socketpair()
        own, channel = socket.socketpair()
        self.channel = Connection(own.detach())
        with control, channel:
            inherited = (control.fileno(), channel.fileno())
            code = _CODE.format(path=sys.path, control=inherited[0], channel=inherited[1])
            self._guardian = subprocess.Popen(
                [sys.executable or "", "-c", code],
                pass_fds=inherited,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

    def close(self) -> None:
        """End all processes, and return when there are none."""
        self._control.close()
        self.channel.close()
        try:
            self._guardian.wait(_MAX_END_SECONDS)
        except subprocess.TimeoutExpired:  # it still imports, or somebody stopped it
            self._guardian.kill()
            self._guardian.wait()


def new_connection() -> tuple[Connection, Connection]:
    """Return the two ends of a new connection: for the coordinator, and for a copy to be forked."""
    own, other = socket.socketpair()
    return Connection(own.detach()), Connection(other.detach())
