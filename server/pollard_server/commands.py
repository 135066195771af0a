"""The commands behind the code actions and the editors' menus; none waits for a reduction."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from pollard.errors import PollardError
from pollard_server.choices import presets_for, report, usable_settings, with_new_oracle
from pollard_server.client.open_documents import decoded
from pollard_server.folder_history import FolderHistory
from pollard_server.jobs.folder_target import FolderTarget
from pollard_server.opening_reports import write_and_open, write_and_open_for_folder
from pollard_server.protocol import results
from pollard_server.protocol.arguments import COMMANDS, ReduceFolderArguments
from pollard_server.protocol.conversion import InvalidArguments, parse, to_json
from pollard_server.protocol.pygls_server import RequestFailed
from pollard_server.reducing_others import OtherFailureReducer
from pollard_server.restoring import TextRestorer, not_reduced
from pollard_server.trust import UNTRUSTED

if TYPE_CHECKING:
    from collections.abc import Callable

    from lsprotocol import types as lsp

    from pollard_server.client.open_documents import OpenDocument
    from pollard_server.client.reporting import Token
    from pollard_server.editor_session import EditorSession
    from pollard_server.jobs.planning import Continued
    from pollard_server.jobs.running_jobs import RunningReduction
    from pollard_server.protocol.arguments import (
        CheckOracleArguments,
        ConfigureOracleArguments,
        HistoryArguments,
        JobsArguments,
        OraclesArguments,
        PresetsArguments,
        ReduceArguments,
        ReduceOtherArguments,
        ReportArguments,
        RestoreArguments,
        StatusArguments,
    )
    from pollard_server.protocol.pygls_server import MessageId


class Commands:
    """Carries out commands for a session, in the loop's thread."""

    def __init__(self, session: EditorSession) -> None:
        self._session = session
        self._restoring = TextRestorer(session.services, session.jobs)
        self._others = OtherFailureReducer(session, self._restoring)
        self._folders = FolderHistory(session, self._restoring)
        session.jobs.restore = self._restoring.original
        self._handlers: dict[str, Callable[[Any, _Request], object]] = {
            "pollard.reduce": self._reduce,
            "pollard.reduceFolder": self._reduce_folder,
            "pollard.stop": self._stop,
            "pollard.pause": self._pause,
            "pollard.resume": self._resume,
            "pollard.restore": self._restore,
            "pollard.reduceOther": self._reduce_other,
            "pollard.report": self._report,
            "pollard.history": self._history,
            "pollard.status": self._status,
            "pollard.oracles": self._oracles,
            "pollard.presets": self._presets,
            "pollard.checkOracle": self._check_oracle,
            "pollard.configureOracle": self._configure_oracle,
        }

    async def execute(self, params: lsp.ExecuteCommandParams, message: MessageId | None) -> Any:
        """Carry out a command and return its result as JSON.

        Raises JsonRpcInvalidParams for wrong arguments, and RequestFailed if the command cannot be
        carried out now; both with one sentence for the user.
        """
        if params.command not in COMMANDS:
            raise JsonRpcInvalidParams(f"Pollard has no command {params.command!r}.")
        try:
            arguments = parse(params.command, params.arguments, COMMANDS[params.command])
            request = _Request(message, params.work_done_token)
            result = self._handlers[params.command](arguments, request)
            return to_json(await result if inspect.isawaitable(result) else result)
        except InvalidArguments as error:
            raise JsonRpcInvalidParams(str(error)) from error
        except PollardError as error:
            raise RequestFailed(str(error)) from error

    def close(self) -> None:
        """Release what the commands use."""
        self._restoring.close()

    def _reduce(self, arguments: ReduceArguments, request: _Request) -> results.ReduceStarted:
        document = self._runnable(arguments.uri)
        self._session.jobs.require_idle(document)
        if arguments.version not in (None, document.snapshot.version):
            raise PollardError(f"{document.name} has changed since the request; start again.")
        id_ = self._session.jobs.reduce(document, arguments, request.token, request.id)
        return results.ReduceStarted(id_, arguments.uri)

    def _reduce_folder(
        self, arguments: ReduceFolderArguments, request: _Request
    ) -> results.ReduceStarted:
        target = self._runnable_folder(arguments.uri, arguments.main)
        id_ = self._session.jobs.reduce_folder(target, arguments, request.token, request.id)
        return results.ReduceStarted(id_, arguments.uri)

    async def _reduce_other(
        self, arguments: ReduceOtherArguments, request: _Request
    ) -> results.OtherChosen:
        if FolderTarget.is_folder(arguments.uri):
            return await self._reduce_other_of_folder(arguments, request)
        document, jobs = self._runnable(arguments.uri), self._session.jobs
        jobs.require_idle(document)

        def begin(document: OpenDocument, reduction: ReduceArguments, continued: Continued) -> None:
            jobs.reduce(document, reduction, request.token, request.id, continued)

        return await self._others.reduce(document, arguments, begin)

    async def _reduce_other_of_folder(
        self, arguments: ReduceOtherArguments, request: _Request
    ) -> results.OtherChosen:
        target, jobs = self._runnable_folder(arguments.uri), self._session.jobs

        def begin(number: int, oracle: str | None) -> None:
            reduction = ReduceFolderArguments(uri=target.uri, oracle=oracle)
            jobs.reduce_folder(target, reduction, request.token, request.id, number)

        return await self._folders.reduce_other(target, arguments, begin)

    def _check_oracle(self, arguments: CheckOracleArguments, _: _Request) -> results.CheckStarted:
        document = self._runnable(arguments.uri)
        return results.CheckStarted(self._session.jobs.check(document, arguments), arguments.uri)

    async def _oracles(self, arguments: OraclesArguments, _: _Request) -> results.OracleChoices:
        is_folder = FolderTarget.is_folder(arguments.uri)
        target = FolderTarget.of(arguments.uri) if is_folder else self._document(arguments.uri)
        await self._session.fetch_settings(target.settings_uri)
        return report(target, self._session.configuration, self._session.trust)

    def _presets(self, arguments: PresetsArguments, _: _Request) -> results.PresetChoices:
        return presets_for(self._document(arguments.uri).language)

    async def _configure_oracle(
        self, arguments: ConfigureOracleArguments, _: _Request
    ) -> results.Configured:
        document = self._runnable(arguments.uri)
        await self._session.fetch_settings(arguments.uri)
        document_settings = usable_settings(
            document, self._session.configuration, self._session.trust
        )
        return await self._restoring.in_thread(
            lambda: with_new_oracle(document, document_settings, arguments)
        )

    def _stop(self, arguments: JobsArguments, _: _Request) -> results.Ids:
        if arguments.id and self._session.jobs.stop_check(arguments.id):
            return results.Ids((arguments.id,))
        return self._for_each_job(arguments, lambda job: job.stop())

    def _pause(self, arguments: JobsArguments, _: _Request) -> results.Ids:
        return self._for_each_job(arguments, lambda job: job.pause())

    def _resume(self, arguments: JobsArguments, _: _Request) -> results.Ids:
        return self._for_each_job(arguments, lambda job: job.resume())

    def _restore(self, arguments: RestoreArguments, _: _Request) -> results.Restored:
        return self._restoring.restore(self._document(arguments.uri), arguments)

    async def _report(self, arguments: ReportArguments, _: _Request) -> results.ReportWritten:
        client, readers = self._session.client, self._restoring
        if FolderTarget.is_folder(arguments.uri):
            target = FolderTarget.of(arguments.uri)
            return await write_and_open_for_folder(client, readers, target, arguments)
        return await write_and_open(client, readers, self._document(arguments.uri), arguments)

    async def _history(
        self, arguments: HistoryArguments, _: _Request
    ) -> results.HistoryReport | results.HistoryText | results.HistoryFolder:
        if FolderTarget.is_folder(arguments.uri):
            return await self._folders.history(FolderTarget.of(arguments.uri), arguments)
        document = self._document(arguments.uri)
        return await self._restoring.in_thread(lambda: _history_report(document, arguments))

    def _status(self, arguments: StatusArguments, _: _Request) -> results.StatusReport:
        jobs = self._session.jobs.matching(arguments.uri, None)
        return results.StatusReport(tuple(job.status for job in jobs))

    def _for_each_job(
        self, arguments: JobsArguments, call: Callable[[RunningReduction], None]
    ) -> results.Ids:
        jobs = self._session.jobs.matching(arguments.uri, arguments.id)
        for job in jobs:
            call(job)
        return results.Ids(tuple(job.id for job in jobs))

    def _document(self, uri: str) -> OpenDocument:
        document = self._session.documents.get(uri)
        if document is None:
            message = f"{uri} is neither open in the editor nor a folder on disk; open it first."
            raise PollardError(message)
        return document

    def _runnable_folder(self, uri: str, main: str | None = None) -> FolderTarget:
        if not self._session.trust.trusted:
            raise PollardError(UNTRUSTED)
        target = FolderTarget.of(uri, main)
        self._session.jobs.require_idle(target)
        return replace(target, unsaved=self._session.unsaved_in(target.folder))

    def _runnable(self, uri: str) -> OpenDocument:
        if not self._session.trust.trusted:
            raise PollardError(UNTRUSTED)
        document = self._document(uri)
        if document.obstacle is not None:
            raise PollardError(document.obstacle)
        return document


def _history_report(
    document: OpenDocument, arguments: HistoryArguments
) -> results.HistoryReport | results.HistoryText:
    """Read a document's history, or one of its texts, from the disk."""
    records = document.records
    chosen = records.get(arguments.record) if arguments.record else None
    if arguments.number is None:
        return results.HistoryReport.of([chosen] if chosen else records.all())
    chosen = chosen or records.latest()
    if chosen is None:
        raise PollardError(not_reduced(document))
    return results.HistoryText(decoded(chosen.text(arguments.number), chosen.encoding))


class _Request:
    """The request that brought a command: its id and its progress token."""

    def __init__(self, message: MessageId | None, token: Token | None) -> None:
        self.id = message
        self.token = token
