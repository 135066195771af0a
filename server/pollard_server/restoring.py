"""Puts a text of a record into a document: the original, an accepted text, or another failure's."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types as lsp

from pollard.errors import PollardError
from pollard.quantities import format_size
from pollard_server.client.connection import chosen_title
from pollard_server.client.open_documents import decoded, encoded
from pollard_server.protocol.results import Restored
from pollard_server.records import Record

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pollard_server.client.open_documents import OpenDocument
    from pollard_server.jobs.job_thread import Services
    from pollard_server.jobs.running_jobs import RunningJobs
    from pollard_server.protocol.arguments import RestoreArguments

T = TypeVar("T")

logger = logging.getLogger(__name__)

# The number of accepted texts that are offered besides the original.
_MAX_CHOICES = 4
_CHANGED = "it was changed meanwhile"


@dataclass(frozen=True, slots=True)
class Replacement:
    """A text of a record that replaces that of a document.

    `read` returns it, from the disk. `arrived` is called in the loop's thread when the buffer has it;
    by default a message says so. `participle` says in messages what is done to the document.
    """

    document: OpenDocument
    record: Record
    read: Callable[[], bytes] = field(repr=False)
    arrived: Callable[[str], object] | None = None
    participle: str = "restored"


class TextRestorer:
    """Restores texts. Works in the loop's thread, and reads the disk in another one."""

    def __init__(self, services: Services, jobs: RunningJobs) -> None:
        self._services = services
        self._jobs = jobs
        self._readers = ThreadPoolExecutor(max_workers=1, thread_name_prefix="records")

    def restore(self, document: OpenDocument, arguments: RestoreArguments) -> Restored:
        """Put a text into the buffer as soon as no reduction of the document runs.

        Returns immediately. Raises PollardError if the text does not exist.
        """
        record = self._record(document, arguments)
        if arguments.choose:
            self._choose(document, record)
            return Restored(None, None, None)
        number = arguments.number or 0
        if number == 0 and arguments.record is None:
            record = document.records.first_of(record)
        size = _size(record, number)
        self.replace(_text(document, record, number))
        return Restored(record.id, number, size)

    def original(self, document: OpenDocument, record: Record, expected: str) -> None:
        """Restore a reduction's original text, if the buffer still has the text `expected`."""
        self.replace(_text(document, document.records.first_of(record), 0), expected)

    def _record(self, document: OpenDocument, arguments: RestoreArguments) -> Record:
        """Return the record that the text is in; to choose from, one that has accepted texts."""
        records = document.records
        if arguments.record:
            return records.get(arguments.record)
        record = (records.latest(Record.steps) if arguments.choose else None) or records.latest()
        if record is None:
            raise PollardError(not_reduced(document))
        return record

    def _choose(self, document: OpenDocument, record: Record) -> None:
        """Let the user choose one of a few earlier texts."""
        choices = _choices(record, document.content)
        question = f"Which version of {document.name} do you want back?"
        answer = self._services.client.ask(lsp.MessageType.Info, question, list(choices))
        answer.add_done_callback(lambda chosen: self._chosen(document, record, choices, chosen))

    def _chosen(
        self,
        document: OpenDocument,
        record: Record,
        choices: dict[str, int],
        answer: Future[str | None],
    ) -> None:
        title = chosen_title(answer)
        if title is not None:
            self.replace(_text(document, record, choices[title]))

    def replace(self, replacement: Replacement, expected: str | None = None) -> None:
        """Stop the document's reduction, then read the text in a thread, then put it into the buffer.

        In the end the buffer must still have the text `expected`, so that nothing that the user types
        meanwhile is overwritten. The default is the text that the running reduction leaves, or the
        present one if no reduction runs.
        """
        document = replacement.document
        jobs = self._jobs.matching(document.uri, None)
        if expected is None and all(job.paused for job in jobs):
            expected = document.snapshot.text

        def read(*, buffer_changed: bool) -> None:
            if expected is None and buffer_changed:
                self._complain(replacement, _CHANGED)
                return
            replaced_text = document.snapshot.text if expected is None else expected
            self._readers.submit(self._read, replacement, replaced_text)

        for job in jobs:
            job.stop()
        self._jobs.after_reduction(document.uri, read)

    def _read(self, replacement: Replacement, expected: str) -> None:
        client = self._services.client
        try:
            record, encoding = replacement.record, replacement.document.encoding
            text = decoded(replacement.read(), record.encoding)
            record.keep_before_restore(encoded(expected, encoding), encoding)
        except PollardError as error:
            client.show(lsp.MessageType.Error, str(error))
        except Exception:
            logger.exception("A text could not be %s", replacement.participle)
            message = f"The text could not be {replacement.participle}; see the log."
            client.show(lsp.MessageType.Error, message)
        else:
            client.post(self._put, replacement, text, expected)

    def _put(self, replacement: Replacement, text: str, expected: str) -> None:
        document = replacement.document
        if self._jobs.of(document.uri) is not None:
            self._complain(replacement, "a reduction of it has begun meanwhile")
        elif document.snapshot.text != expected:
            self._complain(replacement, _CHANGED)
        else:
            streamer = document.streamer
            streamer.begin(lambda _: None, interval=0)
            streamer.offer(text)
            streamer.flush(lambda arrived: self._flushed(replacement, text, arrived))

    def _flushed(self, replacement: Replacement, text: str, arrived: bool) -> None:
        document = replacement.document
        document.streamer.end()
        if not arrived:
            self._complain(
                replacement, "the editor did not take the edit, or you changed the file meanwhile"
            )
        elif replacement.arrived is not None:
            replacement.arrived(text)
        else:
            size = format_size(len(encoded(text, replacement.record.encoding)))
            message = f"{document.name} is restored: {size}."
            self._services.client.show(lsp.MessageType.Info, message)

    def _complain(self, replacement: Replacement, reason: str) -> None:
        name, participle = replacement.document.name, replacement.participle
        message = f"{name} was not {participle}, since {reason}; try again."
        self._services.client.show(lsp.MessageType.Warning, message)

    def in_thread(self, read: Callable[[], T]) -> Awaitable[T]:
        """Call `read` in the thread that reads the disk."""
        return asyncio.get_running_loop().run_in_executor(self._readers, read)

    def close(self) -> None:
        """End the thread that reads the disk."""
        self._readers.shutdown(wait=False, cancel_futures=True)


def _text(document: OpenDocument, record: Record, number: int) -> Replacement:
    """Return the replacement of a document's text by a record's text with that number."""
    return Replacement(document, record, lambda: record.text(number))


def not_reduced(document: OpenDocument) -> str:
    """Return the sentence for a document without records."""
    return f"{document.name} has not been reduced yet, so there is nothing to restore."


def _size(record: Record, number: int) -> int:
    """Return the size of a record's text in bytes. Raises PollardError if there is none."""
    if number == 0:
        return record.original_bytes
    for step in record.steps():
        if step.number == number:
            return step.bytes
    raise PollardError(f"The reduction {record.id!r} has no text {number}; ask for its history.")


def _choices(record: Record, current_text: bytes) -> dict[str, int]:
    """Return the titles and numbers of a few texts, from the last one to the original.

    Each is at least twice as large as the one before. The buffer's `current_text` is left out.
    """
    choices: dict[str, int] = {}
    steps, min_bytes = record.steps(), 0
    for step in reversed(steps):
        if step.bytes >= min_bytes and not step.is_of(current_text) and len(choices) < _MAX_CHOICES:
            choices[f"{format_size(step.bytes)} ({step.number} of {len(steps)})"] = step.number
            min_bytes = 2 * step.bytes
    if not record.began_with(current_text):
        choices[f"{format_size(record.original_bytes)} (the original)"] = 0
    return choices
