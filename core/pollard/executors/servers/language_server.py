"""Runs of a language server: it stays, and each candidate is a new version of a document."""

from __future__ import annotations

import contextlib
import time
from concurrent import futures
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pollard.errors import Cancelled, OracleError
from pollard.executors.invocation import WATCH_SECONDS, cpu_seconds, exceeds_memory
from pollard.executors.servers.server_session import (
    ServerEnded,
    ServerRefused,
    ServerSession,
    ServerStart,
)
from pollard.executors.warm.staying import StayingExecutor
from pollard.executors.watchdog import watched_mark
from pollard.oracle.executor import FLAG_PERIOD_SECONDS
from pollard.oracle.verdict import Outcome, Run, Verdict
from pollard.oracle.warm.warm_runs import WarmTrial

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.executors.servers.server_client import Pace
    from pollard.executors.servers.server_session import Answer
    from pollard.oracle.command import CommandOracle
    from pollard.oracle.executor import Cancellable
    from pollard.oracle.shares import Share

_NO_PLACE = "The file does not have the place of the request ({}); correct at."
# A server that needs longer for a text that nobody needs any more is replaced.
_MAX_READY_SECONDS = 1.0
# Some servers check in several steps: gopls rests for a second before it looks closer. A server has
# said all about the original after this silence, or after such a part of the limit of a run.
_QUIET_SECONDS = 1.5
_QUIET_PARTS = 4


@dataclass(slots=True)
class _Worker:
    """A session with its directory; `release` gives the directory back, `answer` is the latest."""

    session: ServerSession
    release: contextlib.ExitStack
    answer: Answer | None = None

    def is_ready(self) -> bool:
        """Return whether the server has answered about the last text; wait for that a moment.

        A run that is no longer needed is not waited for. So the server may still be at work, and the
        next candidate must not be blamed for that.
        """
        if self.answer is None:
            return True
        done, _ = futures.wait([self.answer], _MAX_READY_SECONDS)
        return bool(done) and isinstance(self.answer.exception(), ServerRefused | None)

    def close(self) -> None:
        self.session.close()
        self.release.close()


class LanguageServerExecutor(StayingExecutor[_Worker]):
    """Gives candidates to a language server as versions of one document; any thread may call `run`.

    A server is started with the first candidate and goes on with the next. It starts again after a
    crash or a time-out.
    """

    # Servers log what they do, such as the versions that they get.
    _output_counts = False

    def __init__(
        self, oracle: CommandOracle, filename: str, language: str, *, share: Share | None = None
    ) -> None:
        """`language` is the document's, as the protocol names it.

        Raises `OracleError` as `StayingExecutor` does.
        """
        super().__init__(oracle, filename, share=share)
        self._language = language
        self._pace: Pace | None = None

    def run(
        self, text: bytes, *, cancelled: Cancellable | None = None, capture: bool = False
    ) -> Run:
        """Give a server `text`, wait for its diagnostics or its answer, and judge them.

        They are standard output, in JSON. A text without the place of the oracle's request is not
        interesting. Bytes that are not UTF-8 become U+FFFD. Raises `Cancelled` once `cancelled` is
        set (`NotBegun` if the server did not get the text), and `OracleError` if the server cannot be
        started, or if the original lacks the place.
        """
        if capture and not self._has_place(text):
            raise OracleError(_NO_PLACE.format(self.oracle.request))
        return super().run(text, cancelled=cancelled, capture=capture)

    def rehearse(self, text: bytes) -> None:
        """Begin to ask a server that stays, unless a `trial` will refuse it."""
        if self.oracle.runs_required == (1, 1):
            super().rehearse(text)

    def trial(
        self, text: bytes, cold: Sequence[Run], *, cancelled: Cancellable | None = None
    ) -> WarmTrial:
        """Compare a server that stays with new ones; see `WarmExecutor`."""
        if self.oracle.runs_required != (1, 1):
            return WarmTrial(
                refusal="the failure shows only sometimes, so servers cannot be compared"
            )
        return super().trial(text, cold, cancelled=cancelled)

    def _has_place(self, text: bytes) -> bool:
        request = self.oracle.request
        return request is None or request.place in text.decode("utf-8", "replace")

    def _run(self, text: bytes, cancelled: Cancellable | None, *, fresh: bool) -> Run:
        if not self._has_place(text):
            return Run(exit_code=0, signal=None, verdict=Verdict.UNINTERESTING)
        return super()._run(text, cancelled, fresh=fresh)

    def _outcome(self, text: bytes, cancelled: Cancellable | None, *, fresh: bool) -> Outcome:
        worker = self._started(text) if fresh else self._taken(text)
        keep = False
        try:
            outcome = self._answered(worker, text, cancelled)
            self._pace = self._pace or worker.session.pace
            keep = outcome.exit_code == 0
            return outcome
        except Cancelled:
            keep = True
            raise
        finally:
            if keep and not fresh:
                self._keep(worker)
            else:
                worker.close()

    def _taken(self, text: bytes) -> _Worker:
        """Return a server that is free, or else a new one."""
        while (worker := self._kept()) is not None:
            if worker.is_ready():
                return worker
            worker.close()
        return self._started(text)

    def _started(self, text: bytes) -> _Worker:
        with contextlib.ExitStack() as stack:
            directory = stack.enter_context(self._directories.run_directory())
            directory.fill(text)
            mark = watched_mark()
            start = ServerStart(
                arguments=self._command(directory),
                directory=directory.directory,
                environment=self._variables(directory, mark),
                mark=mark,
                file=directory.file,
                language=self._language,
                output_limit=self.oracle.output_limit,
                request=self.oracle.request,
                pace=self._pace,
                quiet_seconds=min(_QUIET_SECONDS, self.timeout / _QUIET_PARTS),
            )
            room = directory.room
            try:
                session = ServerSession(start, lambda call: self._sandboxes.confined(call, room))
            except OSError as error:
                message = f"The sandbox of the language server cannot be started: {error.strerror}."
                raise OracleError(message) from error
            return _Worker(session, stack.pop_all())

    def _answered(self, worker: _Worker, text: bytes, cancelled: Cancellable | None) -> Outcome:
        session = worker.session
        began, processors = time.monotonic(), _processor_seconds(session)
        answer = worker.answer = session.answer(text.decode("utf-8", "replace"))
        watch = _Watch(session, began + self.timeout, self._memory, cancelled)
        found: dict[str, Any] = {"exit_code": None, "signal": None}
        try:
            found |= watch.wait(answer)
        except ServerEnded as error:
            found |= {"exit_code": error.status} if error.status >= 0 else {"signal": -error.status}
        except ServerRefused as error:
            found |= {"exit_code": 0, "stderr": session.stderr + f"\n{error}\n".encode()}
        except OSError as error:
            message = f"The language server cannot be started: {error.strerror or error}."
            raise OracleError(message) from error
        return Outcome(
            **{"stderr": session.stderr, **found},
            seconds=time.monotonic() - began,
            cpu_seconds=max(_processor_seconds(session) - processors, 0.0),
        )


@dataclass(slots=True)
class _Watch:
    """Waits for a server's answer, but no longer than `deadline`, and stops it above `memory` bytes."""

    session: ServerSession
    deadline: float
    memory: int
    cancelled: Cancellable | None
    next_look: float = 0.0

    def wait(self, answer: Answer) -> dict[str, Any]:
        """Return fields of the outcome. Raises what the answer raises, and `Cancelled`."""
        while True:
            with contextlib.suppress(futures.TimeoutError):
                return {"exit_code": 0, "stdout": answer.result(FLAG_PERIOD_SECONDS)}
            if self.cancelled is not None and self.cancelled.is_set():
                raise Cancelled("The run was cancelled.")
            if time.monotonic() >= self.deadline:
                return {"timed_out": True}
            if self._uses_too_much_memory():
                return {"memory_exceeded": True}

    def _uses_too_much_memory(self) -> bool:
        now, pid = time.monotonic(), self.session.pid
        if pid is None or now < self.next_look:
            return False
        self.next_look = now + WATCH_SECONDS
        return exceeds_memory([pid], self.memory)


def _processor_seconds(session: ServerSession) -> float:
    return cpu_seconds([session.pid]) if session.pid is not None else 0.0
