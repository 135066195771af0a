"""Reduces another failure that an earlier reduction saw: implements `pollard.reduceOther`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pollard.errors import PollardError
from pollard.quantities import format_size
from pollard_server.choices import usable_settings
from pollard_server.client.connection import chosen_title
from pollard_server.client.open_documents import encoded
from pollard_server.jobs.permits import oracle_for
from pollard_server.jobs.planning import Continued
from pollard_server.protocol.arguments import ReduceArguments
from pollard_server.protocol.results import OtherChosen
from pollard_server.records.records import has_others
from pollard_server.restoring import Replacement
from pollard_server.text.regions import Region

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from concurrent.futures import Future

    from pollard_server.client.connection import Client
    from pollard_server.client.open_documents import OpenDocument
    from pollard_server.editor_session import EditorSession
    from pollard_server.protocol.arguments import ReduceOtherArguments
    from pollard_server.records import Record, RecordedOther
    from pollard_server.restoring import TextRestorer

    #: Starts a reduction of a document that has the text of another failure.
    Begin = Callable[[OpenDocument, ReduceArguments, Continued], object]

# The number of failures that the server's question offers; a plugin's list can have all.
_MAX_CHOICES = 6
_MAX_TITLE_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class OfferedOther:
    """Another failure that can be reduced, and its number among those of its record."""

    record: Record
    number: int
    seen: RecordedOther


def titles(others: Sequence[RecordedOther]) -> tuple[list[str], str]:
    """Return titles of the first failures, and a sentence on how many are left out."""
    shown = [f"{place}: {_title(seen)}" for place, seen in enumerate(others[:_MAX_CHOICES], 1)]
    left_out = len(others) - len(shown)
    return shown, f" (The history has {left_out} more.)" if left_out else ""


def ask_which(
    client: Client, name: str, others: Sequence[RecordedOther], take: Callable[[int], object]
) -> None:
    """Let the user choose among the failures of a document or folder, and `take` the place of one.

    An error of `take` is shown.
    """
    shown, more = titles(others)

    def answered(answer: Future[str | None]) -> None:
        title = chosen_title(answer)
        if title is None:
            return
        try:
            take(shown.index(title))
        except PollardError as error:
            client.show(lsp.MessageType.Error, str(error))

    question = f"Which failure of {name} do you want to reduce?{more}"
    client.ask(lsp.MessageType.Info, question, shown).add_done_callback(answered)


def _title(seen: RecordedOther) -> str:
    words = seen.description
    if len(words) > _MAX_TITLE_CHARACTERS:
        words = f"{words[: _MAX_TITLE_CHARACTERS - 1]}…"
    return f"{words}, {format_size(seen.bytes)}"


class OtherFailureReducer:
    """Puts another failure's text into the buffer and reduces it; works in the loop's thread."""

    def __init__(self, session: EditorSession, restoring: TextRestorer) -> None:
        self._session = session
        self._restoring = restoring

    async def reduce(
        self, document: OpenDocument, arguments: ReduceOtherArguments, begin: Begin
    ) -> OtherChosen:
        """Reduce the requested failure, or let the user choose among several.

        `begin` is called when the buffer has its text. Raises PollardError if there is no such failure,
        or if its text or its oracle is gone.
        """
        expected = document.snapshot.text
        await self._session.fetch_settings(document.uri)
        offered = _offered(document, arguments)
        if len(offered) > 1:
            self._choose(document, offered, begin)
            return OtherChosen(None, None, None)
        (chosen,) = offered
        await self._restoring.in_thread(lambda: chosen.record.text_of_other(chosen.number))
        self._replace(document, chosen, begin, expected)
        return OtherChosen(chosen.record.id, chosen.number, chosen.seen.bytes)

    def _choose(self, document: OpenDocument, offered: list[OfferedOther], begin: Begin) -> None:
        def take(place: int) -> None:
            self._replace(document, offered[place], begin, document.snapshot.text)

        ask_which(self._session.client, document.name, [each.seen for each in offered], take)

    def _replace(
        self, document: OpenDocument, chosen: OfferedOther, begin: Begin, expected: str
    ) -> None:
        """Put the failure's text into the buffer, then begin. Raises PollardError if that cannot be.

        The buffer must still have the text `expected`, so that nothing that the user types meanwhile
        is overwritten. The oracle is looked up first, so that nothing changes if it is not configured
        any more.
        """
        session, record = self._session, chosen.record
        session.jobs.require_idle(document)
        settings = usable_settings(document, session.configuration, session.trust)
        oracle = oracle_for(settings, document, record.oracle).name

        def arrived(text: str) -> None:
            arguments = ReduceArguments(uri=document.uri, oracle=oracle)
            begin(document, arguments, Continued(record, _region(record, text)))

        self._restoring.replace(
            Replacement(
                document,
                record,
                lambda: record.text_of_other(chosen.number),
                arrived,
                participle="replaced",
            ),
            expected,
        )


def _offered(document: OpenDocument, arguments: ReduceOtherArguments) -> list[OfferedOther]:
    """Return the failures that the arguments allow. Raises PollardError if there is none."""
    records, number = document.records, arguments.number
    if arguments.record is None and number is None:
        offered = _distinct(reversed(records.all()))
    else:
        record = records.get(arguments.record) if arguments.record else records.latest(has_others)
        if record is not None and number is not None:
            return [OfferedOther(record, number, record.other(number))]
        offered = _distinct([record] if record else [])
    if offered:
        return offered
    if records.latest() is None:
        raise PollardError(f"{document.name} has not been reduced yet; reduce it first.")
    whose = f"The reduction {arguments.record!r}" if arguments.record else "No reduction"
    seen = "has seen no other failure" if arguments.record else "has seen another failure"
    raise PollardError(f"{whose} of {document.name} {seen}.")


def _distinct(records: Iterable[Record]) -> list[OfferedOther]:
    """Return the failures that the reductions saw; of those with the same words only the first."""
    found: dict[str, OfferedOther] = {}
    for record in records:
        for number, seen in enumerate(record.others, 1):
            found.setdefault(seen.description, OfferedOther(record, number, seen))
    return list(found.values())


def _region(record: Record, text: str) -> Region | None:
    """Return the part of another failure's `text` that could change in the record's reduction.

    A reduction changes no byte outside its region, so the end is as far from the text's end as in
    the original.
    """
    if record.region is None:
        return None
    (start, end), content = record.region, encoded(text, record.encoding)
    span = record.encoding.span_in_text(
        content, (start, end - record.original_bytes + len(content))
    )
    return Region(*(len(text.encode()[:place].decode("utf-8", "replace")) for place in span))
