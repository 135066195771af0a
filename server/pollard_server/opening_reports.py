"""The command `pollard.report`: writes a report beside the journal of a reduction, and opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pollard.errors import PollardError
from pollard.journal import journal_directory
from pollard.report.kept_files import has_files
from pollard.system import write_atomically
from pollard_server.protocol.results import ReportWritten
from pollard_server.records import Record

if TYPE_CHECKING:
    from concurrent.futures import Future
    from pathlib import Path
    from typing import Any

    from pollard_server.client.connection import Client
    from pollard_server.client.open_documents import OpenDocument
    from pollard_server.jobs.folder_target import FolderTarget
    from pollard_server.protocol.arguments import ReportArguments
    from pollard_server.restoring import TextRestorer

_FILE = "report.html"


async def write_and_open(
    client: Client, readers: TextRestorer, document: OpenDocument, arguments: ReportArguments
) -> ReportWritten:
    """Write the report, and let the editor open it unless the plugin does. Raises PollardError."""
    record = _record(document, arguments.record)
    path = await readers.in_thread(lambda: _written(record.directory))
    return _offered(client, arguments, record.id, path)


async def write_and_open_for_folder(
    client: Client, readers: TextRestorer, target: FolderTarget, arguments: ReportArguments
) -> ReportWritten:
    """Do the same for the latest reduction of a folder, by its journal. Raises PollardError."""
    journal = journal_directory(target.folder)
    if not has_files(journal):
        message = f"No reduction of {target.name} has ended, so there is no report on it."
        raise PollardError(message)
    path = await readers.in_thread(lambda: _written(journal))
    return _offered(client, arguments, journal.name, path)


def _offered(client: Client, arguments: ReportArguments, record: str, path: Path) -> ReportWritten:
    shown = arguments.show and client.can_show_documents
    if shown:
        _open(client, path)
    elif arguments.show:
        _tell_where(client, path)
    return ReportWritten(record, path.as_uri(), shown)


def _record(document: OpenDocument, record: str | None) -> Record:
    if record is not None:
        return document.records.get(record)
    latest = document.records.latest(Record.steps)
    if latest is None:
        message = (
            f"No reduction of {document.name} has accepted a text that a report could be about."
        )
        raise PollardError(message)
    return latest


def _written(journal: Path) -> Path:
    from pollard.report.html.page import page  # noqa: PLC0415 (loads Pygments and leather)
    from pollard.report.project_report import report_of  # noqa: PLC0415

    path = journal / _FILE
    text = page(report_of(journal))
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}; make room there and try again."
        raise PollardError(message) from error
    return path


def _open(client: Client, path: Path) -> None:
    """Let the editor open a page in the browser; if it does not, say where the page is."""

    def answered(answer: Future[Any]) -> None:
        failed = answer.cancelled() or answer.exception() or not answer.result().success
        if failed:
            _tell_where(client, path)

    params = lsp.ShowDocumentParams(uri=path.as_uri(), external=True)
    client.request(lsp.WINDOW_SHOW_DOCUMENT, params).add_done_callback(answered)


def _tell_where(client: Client, path: Path) -> None:
    client.show(lsp.MessageType.Info, f"The report is in {path}; open it in a browser.")
