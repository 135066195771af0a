"""The commands `pollard.history` and `pollard.reduceOther` for a folder: about its latest reduction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.errors import PollardError
from pollard_server.protocol.results import HistoryFolder, HistoryReport, OtherChosen
from pollard_server.records import FolderRecord
from pollard_server.reducing_others import ask_which

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard_server.editor_session import EditorSession
    from pollard_server.jobs.folder_target import FolderTarget
    from pollard_server.protocol.arguments import HistoryArguments, ReduceOtherArguments
    from pollard_server.restoring import TextRestorer

    #: Starts the reduction of the other failure with a number, by the oracle of that name.
    BeginOther = Callable[[int, str | None], object]


class FolderHistory:
    """Answers from the journals of folders; works in the loop's thread, and reads in another one."""

    def __init__(self, session: EditorSession, readers: TextRestorer) -> None:
        self._session = session
        self._readers = readers

    async def history(
        self, target: FolderTarget, arguments: HistoryArguments
    ) -> HistoryReport | HistoryFolder:
        """Return the latest reduction, or a folder with its files. Raises PollardError."""
        record, number = await self._latest(target, arguments.record), arguments.number
        if number is None:
            return HistoryReport.of([record] if record else [])
        if record is None:
            raise _not_reduced(target)
        place = await self._readers.in_thread(lambda: record.show(number))
        return HistoryFolder(place.as_uri())

    async def reduce_other(
        self, target: FolderTarget, arguments: ReduceOtherArguments, begin: BeginOther
    ) -> OtherChosen:
        """Reduce the requested failure, or let the user choose among several. Raises PollardError."""
        record, number = await self._latest(target, arguments.record), arguments.number
        if record is None:
            raise _not_reduced(target)
        if not record.others:
            raise PollardError(f"No reduction of {target.name} has seen another failure.")
        if number is None and len(record.others) > 1:
            self._choose(target, record, begin)
            return OtherChosen(None, None, None)
        number = number or 1
        seen = record.other(number)
        begin(number, record.oracle or None)
        return OtherChosen(record.id, number, seen.bytes)

    async def _latest(self, target: FolderTarget, named: str | None) -> FolderRecord | None:
        """Return the latest reduction. Raises PollardError if another one is named."""
        running = bool(self._session.jobs.matching(target.uri, None))
        record = await self._readers.in_thread(
            lambda: FolderRecord.latest(target.folder, running=running)
        )
        if named is not None and (record is None or record.id != named):
            message = f"There is no reduction {named!r} of {target.name}; ask for its history."
            raise PollardError(message)
        return record

    def _choose(self, target: FolderTarget, record: FolderRecord, begin: BeginOther) -> None:
        def take(place: int) -> None:
            self._session.jobs.require_idle(target)
            begin(place + 1, record.oracle or None)

        ask_which(self._session.client, target.name, record.others, take)


def _not_reduced(target: FolderTarget) -> PollardError:
    return PollardError(f"{target.name} has not been reduced yet; reduce it first.")
