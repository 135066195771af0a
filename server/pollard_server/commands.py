"""The commands behind the code actions and the editors' own menus; each returns at once."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from pollard.errors import PollardError
from pollard_server import results
from pollard_server.arguments import COMMANDS, InvalidArguments, parse
from pollard_server.configuring import configured, told, usable
from pollard_server.documents import decoded
from pollard_server.protocol import RequestFailed
from pollard_server.restoring import Restoring, not_reduced
from pollard_server.trust import UNTRUSTED
from pollard_server.wire import to_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from lsprotocol import types as lsp

    from pollard_server.arguments import (
        CheckOracle,
        ConfigureOracle,
        History,
        Jobs,
        Oracles,
        Reduce,
        Restore,
        Status,
    )
    from pollard_server.documents import Document
    from pollard_server.jobs.reducing import Reducing
    from pollard_server.progress import Token
    from pollard_server.protocol import MessageId
    from pollard_server.session import Session


class Commands:
    """Carries out commands for a session, in the loop's thread."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._restoring = Restoring(session.services, session.jobs)
        session.jobs.restore = self._restoring.original
        self._handlers: dict[str, Callable[[Any, _Request], object]] = {
            "pollard.reduce": self._reduce,
            "pollard.stop": self._stop,
            "pollard.pause": self._pause,
            "pollard.resume": self._resume,
            "pollard.restore": self._restore,
            "pollard.history": self._history,
            "pollard.status": self._status,
            "pollard.oracles": self._oracles,
            "pollard.checkOracle": self._check_oracle,
            "pollard.configureOracle": self._configure_oracle,
        }

    async def execute(self, params: lsp.ExecuteCommandParams, message: MessageId | None) -> Any:
        """Carry out a command and return its result as JSON.

        Raises JsonRpcInvalidParams for arguments that it does not take, and RequestFailed if it
        cannot be carried out now; both with one sentence for the user.
        """
        if params.command not in COMMANDS:
            raise JsonRpcInvalidParams(f"Pollard has no command {params.command!r}.")
        try:
            wish = parse(params.command, params.arguments, COMMANDS[params.command])
            request = _Request(message, params.work_done_token)
            result = self._handlers[params.command](wish, request)
            return to_json(await result if inspect.isawaitable(result) else result)
        except InvalidArguments as error:
            raise JsonRpcInvalidParams(str(error)) from error
        except PollardError as error:
            raise RequestFailed(str(error)) from error

    def close(self) -> None:
        """End what commands have left behind."""
        self._restoring.close()

    def _reduce(self, wish: Reduce, request: _Request) -> results.ReduceStarted:
        document = self._runnable(wish.uri)
        if self._session.jobs.of(wish.uri) is not None:
            raise PollardError(f"{document.name} is being reduced already; stop that first.")
        if wish.version not in (None, document.snapshot.version):
            raise PollardError(f"{document.name} has changed since the request; start again.")
        id_ = self._session.jobs.reduce(document, wish, request.token, request.id)
        return results.ReduceStarted(id_, wish.uri)

    def _check_oracle(self, wish: CheckOracle, _: _Request) -> results.CheckStarted:
        document = self._runnable(wish.uri)
        return results.CheckStarted(self._session.jobs.check(document, wish), wish.uri)

    async def _oracles(self, wish: Oracles, _: _Request) -> results.OracleChoices:
        document = self._document(wish.uri)
        await self._session.fetch_settings(wish.uri)
        return told(document, self._session)

    async def _configure_oracle(self, wish: ConfigureOracle, _: _Request) -> results.Configured:
        document = self._runnable(wish.uri)
        await self._session.fetch_settings(wish.uri)
        found = usable(document, self._session)
        return await self._restoring.in_thread(lambda: configured(document, found, wish))

    def _stop(self, wish: Jobs, _: _Request) -> results.Ids:
        if wish.id and self._session.jobs.stop_check(wish.id):
            return results.Ids((wish.id,))
        return self._each(wish, lambda job: job.stop())

    def _pause(self, wish: Jobs, _: _Request) -> results.Ids:
        return self._each(wish, lambda job: job.pause())

    def _resume(self, wish: Jobs, _: _Request) -> results.Ids:
        return self._each(wish, lambda job: job.resume())

    def _restore(self, wish: Restore, _: _Request) -> results.Restored:
        return self._restoring.restore(self._document(wish.uri), wish)

    async def _history(self, wish: History, _: _Request) -> results.History | results.HistoryText:
        document = self._document(wish.uri)
        return await self._restoring.in_thread(lambda: _told(document, wish))

    def _status(self, wish: Status, _: _Request) -> results.StatusReport:
        jobs = self._session.jobs.matching(wish.uri, None)
        return results.StatusReport(tuple(job.status for job in jobs))

    def _each(self, wish: Jobs, call: Callable[[Reducing], None]) -> results.Ids:
        jobs = self._session.jobs.matching(wish.uri, wish.id)
        for job in jobs:
            call(job)
        return results.Ids(tuple(job.id for job in jobs))

    def _document(self, uri: str) -> Document:
        document = self._session.documents.get(uri)
        if document is None:
            raise PollardError(f"{uri} is not open in the editor; open it first.")
        return document

    def _runnable(self, uri: str) -> Document:
        if not self._session.trust.trusted:
            raise PollardError(UNTRUSTED)
        return self._document(uri)


def _told(document: Document, wish: History) -> results.History | results.HistoryText:
    """Read the history from the disk."""
    records = document.records
    chosen = records.get(wish.record) if wish.record else None
    if wish.number is None:
        return results.History.of([chosen] if chosen else records.all())
    chosen = chosen or records.latest()
    if chosen is None:
        raise PollardError(not_reduced(document))
    return results.HistoryText(decoded(chosen.text(wish.number)))


class _Request:
    """What came with a command besides its arguments: the request's id, and a progress token."""

    def __init__(self, message: MessageId | None, token: Token | None) -> None:
        self.id = message
        self.token = token
