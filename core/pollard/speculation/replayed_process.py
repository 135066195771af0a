"""A process of the search that repeats what another one did, from the answers that this one got.

It is started fresh. It searches silently while it has recorded answers, then waits, or goes on and
reports. It can begin afresh, without the time to start and to parse the original. All of that works on
every system.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
import threading
from collections import deque
from queue import SimpleQueue
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from pollard.speculation.messages import Answer, Arrived, Begin, Follow, PrintedText, ReadOn
from pollard.speculation.search_process import original, search

if TYPE_CHECKING:
    from pollard.speculation.messages import FromCoordinator, FromReplay, Report, Unformatted
    from pollard.speculation.search_process import Question


def serve() -> NoReturn:
    """Search as the coordinator says, through standard input and output; exit once it is gone."""
    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what code prints must not get between the messages
    link = ReplayingLink(incoming, outgoing)
    begin = link.receive()
    assert isinstance(begin, Begin)
    document = original(begin.plan)
    if document.language is not None:
        document.errors  # noqa: B018 (parsed while there is time)
    follow = link.receive()
    while True:
        assert isinstance(follow, Follow)
        link.follow(follow)
        try:
            search(begin, document, link)
            follow = link.next_beginning()
        except _BeganAfresh as afresh:
            follow = afresh.follow


class _BeganAfresh(BaseException):
    """Ends the search, since another one shall begin."""

    def __init__(self, follow: Follow) -> None:
        self.follow = follow


class ReplayingLink:
    """The connection of this process to the coordinator, and the answers that it has sent ahead."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._outgoing = outgoing
        self._handled = 0
        self._ahead: deque[Answer | PrintedText] = deque()
        self._texts: int | None = 0  # as in `Follow`
        self._messages: SimpleQueue[FromCoordinator] = SimpleQueue()
        threading.Thread(target=self._read, args=(incoming,), daemon=True).start()

    def _read(self, incoming: BinaryIO) -> None:
        """Take the messages at once, however long the search computes; exit at their end."""
        with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                self._messages.put(pickle.load(incoming))
        os._exit(0)

    def receive(self) -> FromCoordinator:
        """Wait for a message."""
        message = self._messages.get()
        self._handled += 1
        return message

    def follow(self, follow: Follow) -> None:
        """Take the answers that come next."""
        self._ahead.extend(follow.answers)
        self._texts = follow.texts

    def next_beginning(self) -> Follow:
        """Wait, at the end of the search, until another one shall begin."""
        while True:
            message = self.receive()
            if isinstance(message, Follow) and message.afresh:
                return message

    def report(self, report: Report) -> None:
        """Tell what the search does, unless another process has told it."""
        if self._is_first_here:
            self._send(report)

    def answer(self, question: Question) -> Answer:
        """Return the next answer; without one, ask, or wait silently."""
        if self._is_first_here:
            self._send(question.asked())
        while not self._ahead:
            if self._texts:
                question.read_to(self._texts - 1)
            if isinstance(self._next_order(), ReadOn):
                self._send(question.offered())
        answer = self._ahead.popleft()
        assert isinstance(answer, Answer)
        return answer

    def printed(self, unformatted: Unformatted) -> PrintedText:
        """Return what the formatter prints for a text."""
        if self._is_first_here:
            self._send(unformatted)
        while not self._ahead:
            self._next_order()
        printed = self._ahead.popleft()
        assert isinstance(printed, PrintedText)
        return printed

    @property
    def _is_first_here(self) -> bool:
        return self._texts is None and not self._ahead

    def _next_order(self) -> FromCoordinator:
        if not self._is_first_here:
            self._send(Arrived())
        message = self.receive()
        if isinstance(message, Follow):
            if message.afresh:
                self._ahead.clear()
                raise _BeganAfresh(message)
            self.follow(message)
        return message

    def _send(self, message: FromReplay) -> None:
        try:
            pickle.dump((self._handled, message), self._outgoing)
            self._outgoing.flush()
        except OSError:  # the coordinator is gone
            os._exit(0)
