"""Puts an earlier text back into a buffer: the original, or an accepted text on the way down."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types as lsp

from pollard.errors import PollardError
from pollard.quantities import format_size
from pollard_server.client import chosen_title
from pollard_server.documents import decoded, encoded
from pollard_server.results import Restored

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pollard_server.arguments import Restore
    from pollard_server.documents import Document
    from pollard_server.jobs.board import Board
    from pollard_server.jobs.services import Services
    from pollard_server.records import Record

T = TypeVar("T")

logger = logging.getLogger(__name__)

# So many texts are offered besides the original, each at least twice as large as the one before.
_MOST_CHOICES = 4
_CHANGED = "it was changed meanwhile"


class Restoring:
    """Restores texts, in the loop's thread; the disk is read in another one."""

    def __init__(self, services: Services, jobs: Board) -> None:
        self._services = services
        self._jobs = jobs
        self._readers = ThreadPoolExecutor(max_workers=1, thread_name_prefix="records")

    def restore(self, document: Document, wish: Restore) -> Restored:
        """Begin to put a text into the buffer, once no reduction of the document runs any more.

        Raises PollardError if there is no such text.
        """
        record = self._record(document, wish.record)
        if wish.choose:
            self._choose(document, record)
            return Restored(None, None, None)
        number = wish.number or 0
        if number == 0 and wish.record is None:
            record = document.records.first_of(record)
        size = _size(record, number)
        self._begin(document, record, number)
        return Restored(record.id, number, size)

    def original(self, document: Document, record: Record, instead: str) -> None:
        """Put the text from which a reduction began back, in the place of the text `instead`."""
        self._begin(document, document.records.first_of(record), 0, instead)

    def _record(self, document: Document, id: str | None) -> Record:  # noqa: A002
        record = document.records.get(id) if id else document.records.latest()
        if record is None:
            raise PollardError(not_reduced(document))
        return record

    def _choose(self, document: Document, record: Record) -> None:
        """Let the user pick one of a few earlier texts."""
        choices = _choices(record, document.snapshot.text.encode("utf-8", "surrogatepass"))
        question = f"Which version of {document.name} do you want back?"
        answer = self._services.client.ask(lsp.MessageType.Info, question, list(choices))
        answer.add_done_callback(lambda chosen: self._chosen(document, record, choices, chosen))

    def _chosen(
        self,
        document: Document,
        record: Record,
        choices: dict[str, int],
        answer: Future[str | None],
    ) -> None:
        title = chosen_title(answer)
        if title is not None:
            self._begin(document, record, choices[title])

    def _begin(
        self, document: Document, record: Record, number: int, instead: str | None = None
    ) -> None:
        """Stop what runs, then read the text in a thread, then put it into the buffer.

        It takes the place of `instead`, or else of what the user sees now; if a reduction runs, of
        what that leaves. Whatever the user types later is not given away.
        """
        jobs = self._jobs.matching(document.uri, None)
        if instead is None and all(job.paused for job in jobs):
            instead = document.snapshot.text

        def read(*, taken_over: bool) -> None:
            if instead is None and taken_over:
                self._complain(document, _CHANGED)
                return
            given_away = document.snapshot.text if instead is None else instead
            self._readers.submit(self._read, document, record, number, given_away)

        for job in jobs:
            job.stop()
        self._jobs.afterwards(document.uri, read)

    def _read(self, document: Document, record: Record, number: int, instead: str) -> None:
        client = self._services.client
        try:
            text = decoded(record.text(number))
            record.keep_before_restore(encoded(instead))
        except PollardError as error:
            client.show(lsp.MessageType.Error, str(error))
        except Exception:
            logger.exception("A text could not be restored")
            client.show(lsp.MessageType.Error, "The text could not be restored; see the log.")
        else:
            client.post(self._put, document, text, instead)

    def _put(self, document: Document, text: str, instead: str) -> None:
        if self._jobs.of(document.uri) is not None:
            self._complain(document, "a reduction of it has begun meanwhile")
        elif document.snapshot.text != instead:
            self._complain(document, _CHANGED)
        else:
            streamer = document.streamer
            streamer.begin(lambda _: None, interval=0)
            streamer.offer(text)
            streamer.flush(lambda arrived: self._arrived(document, text, arrived))

    def _arrived(self, document: Document, text: str, arrived: bool) -> None:
        document.streamer.end()
        if not arrived:
            self._complain(
                document, "the editor did not take the edit, or you changed the file meanwhile"
            )
            return
        size = format_size(len(text.encode()))
        self._services.client.show(lsp.MessageType.Info, f"{document.name} is restored: {size}.")

    def _complain(self, document: Document, why: str) -> None:
        message = f"{document.name} was not restored, since {why}; try again."
        self._services.client.show(lsp.MessageType.Warning, message)

    def in_thread(self, read: Callable[[], T]) -> Awaitable[T]:
        """Read the disk in the thread that does."""
        return asyncio.get_running_loop().run_in_executor(self._readers, read)

    def close(self) -> None:
        """End the thread."""
        self._readers.shutdown(wait=False, cancel_futures=True)


def not_reduced(document: Document) -> str:
    """Return the sentence for a document without records."""
    return f"{document.name} has not been reduced yet, so there is nothing to restore."


def _size(record: Record, number: int) -> int:
    """Return the size of a record's text in bytes; raise PollardError if it has none such."""
    if number == 0:
        return record.original_bytes
    for step in record.steps():
        if step.number == number:
            return step.bytes
    raise PollardError(f"The reduction {record.id!r} has no text {number}; ask for its history.")


def _choices(record: Record, now: bytes) -> dict[str, int]:
    """Return titles of texts and their numbers: the last, one twice as large, ..., the original.

    What the buffer has now is none of them.
    """
    choices: dict[str, int] = {}
    steps, least = record.steps(), 0
    for step in reversed(steps):
        if step.bytes >= least and not step.is_of(now) and len(choices) < _MOST_CHOICES:
            choices[f"{format_size(step.bytes)} ({step.number} of {len(steps)})"] = step.number
            least = 2 * step.bytes
    if not record.began_with(now):
        choices[f"{format_size(record.original_bytes)} (the original)"] = 0
    return choices
