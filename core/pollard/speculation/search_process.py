"""A process that runs the search, and forks where the coordinator tells it to.

It is started fresh and has one thread, so that forking is safe. `serve` runs in the first process,
which stays behind as the guardian of all others: it ends them once the coordinator closes their
control connection or dies.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import pickle
import signal
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle
from typing import TYPE_CHECKING, NoReturn

from pollard.engine.statistics import Statistics, Tally
from pollard.errors import FormatterError, PollardError
from pollard.speculation.changes import Change, change
from pollard.speculation.messages import (
    Accepted,
    Answer,
    Asked,
    Assume,
    Begin,
    Born,
    Offered,
    PassBegan,
    PassDone,
    PrintedText,
    ReadOn,
    SearchDone,
    Unformatted,
)
from pollard.syntax.grammars.languages import find
from pollard.syntax.tree.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pollard.engine.subject import Subject
    from pollard.oracle import Verdict
    from pollard.speculation.messages import FromCoordinator, FromSearch

_PR_SET_CHILD_SUBREAPER = 36


def serve(control: int, channel: int) -> NoReturn:
    """Start the search in a child, and stay behind to end it and its copies; on Linux.

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
        run_search(Connection(channel))
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


def run_search(connection: Connection) -> NoReturn:
    """Run the search that the coordinator sends, then exit; exit as soon as it is gone."""
    link = Link(connection)
    try:
        link.send(Born(os.getpid()))
        begin = link.receive()
        assert isinstance(begin, Begin)
        _search(begin, link)
        link.receive()  # the coordinator closes the connection once it needs this process no more
    except (EOFError, OSError):
        pass
    os._exit(0)


def _search(begin: Begin, link: Link) -> None:
    judge = AskingJudge(link)
    try:
        note = _searched(begin, link, judge)
    except (EOFError, OSError):
        raise
    except Exception as error:
        link.send(SearchDone(judge.tally, error=_sendable(error)))
    else:
        link.send(SearchDone(judge.tally, note))


def _searched(begin: Begin, link: Link, judge: AskingJudge) -> str | None:
    plan = begin.plan
    if plan.grammar is not None:
        with contextlib.suppress(PollardError):
            find(plan.grammar.name)  # names and islands ask which grammar a language is
    language = plan.grammar.language if plan.grammar else None

    def accepted() -> None:
        judge.best = plan.file(subject)
        link.send(Accepted(judge.best, subject.level, replace(subject.tally)))

    subject = plan.subject(Document(plan.text, language), judge, on_reduced=accepted)
    judge.subject, judge.best = subject, plan.file(subject)
    gc.freeze()  # a collection would write to all objects, and so copy the pages of a fork
    return plan.search(subject, _SentStatistics(link), link.printed if begin.formats else None)


def _sendable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # pickle raises what the objects raise
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


class Link:
    """The connection of this process to the coordinator."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def send(self, message: FromSearch) -> None:
        """Send a message. Raises OSError if the coordinator is gone."""
        self._connection.send(message)

    def receive(self) -> FromCoordinator:
        """Wait for a message. Raises EOFError if the coordinator is gone."""
        message: FromCoordinator = self._connection.recv()
        return message

    def printed(self, text: bytes) -> bytes:
        """Return what the formatter prints for a text. Raises FormatterError."""
        self.send(Unformatted(text))
        printed = self.receive()
        assert isinstance(printed, PrintedText)
        if printed.text is None:
            raise FormatterError(printed.problem)
        return printed.text

    def fork(self) -> bool:
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


class AskingJudge:
    """Answers the questions of the search by asking the coordinator. `best` is the best text."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self.best = b""
        self.subject: Subject | None = None

    @property
    def tally(self) -> Tally:
        """A copy of what was counted so far."""
        return replace(self.subject.tally) if self.subject else Tally()

    def first(
        self,
        texts: Iterable[bytes | None],
        on_verdict: Callable[[int, Verdict], None] | None = None,
        /,
    ) -> int | None:
        """Return the index of the first interesting text; see `Judge.first`."""
        stream = _QuestionTexts(texts)
        level = self.subject.level if self.subject else 0
        tally = self.tally
        offered = self._offered(stream)
        self._link.send(Asked(on_verdict is not None, level, tally, offered))
        answer = self._answer(stream)
        stream.read_to(answer.hit)
        if on_verdict is not None:
            for index, verdict in answer.verdicts:
                on_verdict(index, verdict)
        return answer.hit

    def _answer(self, stream: _QuestionTexts) -> Answer:
        """Do as the coordinator says until it answers."""
        while True:
            message = self._link.receive()
            if isinstance(message, ReadOn):
                self._link.send(self._offered(stream))
            elif isinstance(message, Assume):
                if self._link.fork():
                    return message.answer
            else:
                assert isinstance(message, Answer)
                return message

    def _offered(self, stream: _QuestionTexts) -> Offered:
        texts = stream.read()
        text = texts[-1] if texts else None
        known = Change() if text is None else change(self.best, text)
        return Offered(texts, stream.exhausted, self.tally.guarded, known)


class _QuestionTexts:
    """The texts of a question, read one by one."""

    def __init__(self, texts: Iterable[bytes | None]) -> None:
        self._texts = iter(texts)
        self._length = 0
        self.exhausted = False

    def read(self) -> tuple[bytes | None, ...]:
        """Read up to the next text that needs a run; at the end there may be none."""
        read: list[bytes | None] = []
        for text in self._texts:
            read.append(text)
            if text is not None:
                break
        else:
            self.exhausted = True
        self._length += len(read)
        return tuple(read)

    def read_to(self, index: int | None) -> None:
        """Read as far as a search with one job reads: up to an index, or (None) to the end."""
        missing = None if index is None else max(index + 1 - self._length, 0)
        for _ in islice(self._texts, missing):
            pass


class _SentStatistics(Statistics):
    """Sends the beginnings and ends of passes to the coordinator, which measures them."""

    def __init__(self, link: Link) -> None:
        super().__init__()
        self._link = link

    @contextmanager
    def measuring(self, name: str, tally: Tally) -> Iterator[None]:
        """Send the beginning and the end of the body of the `with` statement."""
        self.current = name
        self._link.send(PassBegan(name, replace(tally)))
        yield
        self._link.send(PassDone(replace(tally)))
