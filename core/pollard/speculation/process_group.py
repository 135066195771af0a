"""Starts the processes of a search, and ends them all."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from multiprocessing.connection import Connection

_MAX_END_SECONDS = 0.3

# The new process gets this one's path, since it may have been changed since its start.
_CODE = """\
import sys
sys.path[:] = {path!r}
from pollard.speculation.search_process import serve
serve({control}, {channel})
"""


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


def kill(pid: int) -> None:
    """Kill a process of the group, if it has not ended."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
