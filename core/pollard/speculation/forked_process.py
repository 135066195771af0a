"""A process of the search that forks where the coordinator tells it to; on Linux.

It is started fresh and has one thread, so that forking is safe. `serve` runs in the first process,
which stays behind as the guardian of all others: it ends them once the coordinator closes their
control connection or dies.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import signal
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle
from typing import TYPE_CHECKING, NoReturn

from pollard.speculation.messages import Answer, Assume, Begin, Born, PrintedText, ReadOn
from pollard.speculation.search_process import original, search

if TYPE_CHECKING:
    from pollard.speculation.messages import FromCoordinator, FromFork, Report, Unformatted
    from pollard.speculation.search_process import Question

_PR_SET_CHILD_SUBREAPER = 36


def serve(control: int, channel: int) -> NoReturn:
    """Start the search in a child, and stay behind to end it and its copies.

    `control` and `channel` are descriptors of connections to the coordinator. The first carries
    nothing: it is closed, by the coordinator or by its death, once all processes shall end.
    """
    # The kernel reaps the copies whose parents are gone: they become children of this process.
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    group = os.fork()
    if group == 0:
        os.close(control)
        os.setpgid(0, 0)
        _run_search(Connection(channel))
    os.close(channel)
    with contextlib.suppress(OSError):
        os.read(control, 1)
    _end_group(group)
    os._exit(0)


def _end_group(group: int) -> None:
    """Kill all processes of a group, and return when they have ended."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


def _run_search(connection: Connection) -> NoReturn:
    """Run the search that the coordinator sends, then exit; exit as soon as it is gone."""
    link = ForkingLink(connection)
    try:
        link.send(Born(os.getpid()))
        begin = link.receive()
        assert isinstance(begin, Begin)
        document = original(begin.plan)
        gc.freeze()  # a collection would write to all objects, and so copy the pages of a fork
        search(begin, document, link)
        link.receive()  # the coordinator closes the connection once it needs this process no more
    except (EOFError, OSError):
        pass
    os._exit(0)


class ForkingLink:
    """The connection of this process to the coordinator, which may tell it to fork."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def send(self, message: FromFork) -> None:
        """Send a message. Raises OSError if the coordinator is gone."""
        self._connection.send(message)

    def receive(self) -> FromCoordinator:
        """Wait for a message. Raises EOFError if the coordinator is gone."""
        message: FromCoordinator = self._connection.recv()
        return message

    def report(self, report: Report) -> None:
        """Tell what the search does."""
        self.send(report)

    def answer(self, question: Question) -> Answer:
        """Ask a question, and do as the coordinator says until it answers."""
        self.send(question.asked())
        while True:
            message = self.receive()
            if isinstance(message, ReadOn):
                self.send(question.offered())
            elif isinstance(message, Assume):
                if self._fork():
                    return message.answer
            else:
                assert isinstance(message, Answer)
                return message

    def printed(self, unformatted: Unformatted) -> PrintedText:
        """Return what the formatter prints for a text."""
        self.send(unformatted)
        printed = self.receive()
        assert isinstance(printed, PrintedText)
        return printed

    def _fork(self) -> bool:
        """Return whether this is the new process; it has the connection that was sent to it."""
        descriptor = recv_handle(self._connection)
        try:
            is_new = os.fork() == 0
        except OSError:  # no more processes, or memory; the coordinator sees a closed connection
            is_new = False
        if not is_new:
            os.close(descriptor)
            return False
        self._connection.close()
        self._connection = Connection(descriptor)
        self.send(Born(os.getpid()))
        return True
