"""The records of one document."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.syntax.encodings.encoding import UTF_8, Encoding
from pollard_server.records.directories import (
    RecordError,
    add_record,
    prune_records,
    record_directories,
    records_directory,
    remove_record,
)
from pollard_server.records.facts import Facts, this_process
from pollard_server.records.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_Signature = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class HistoryOffers:
    """The actions to offer for a buffer, given its latest record.

    `restore`: put the original back. `step_back`: put an accepted text back. `resume`: continue the
    reduction, which was interrupted or stopped. `others`: reduce another failure that was seen.
    """

    restore: bool = False
    step_back: bool = False
    resume: bool = False
    others: bool = False


class Records:
    """The reductions of one document, oldest first, from this server and earlier ones.

    They are in `state_directory()/"editor"/<name>-<hash of the URI>/<number>/`. Any thread may
    call; `latest` and `offers` only read what has changed on disk since the last call.
    """

    def __init__(self, uri: str, name: str) -> None:
        """Find the directory; the base name `name` makes it recognisable for people."""
        self.uri = uri
        self.directory = records_directory(uri, name)
        self._loaded: dict[str, tuple[_Signature, Record]] = {}

    def begin(
        self,
        *,
        original: bytes,
        oracle: str,
        strategy: str = "",
        region: tuple[int, int] | None = None,
        language: str | None = None,
        continues: str | None = None,
        encoding: Encoding = UTF_8,
    ) -> Record:
        """Start a record; the original is on disk when this returns.

        `continues` is the id of the record that this one continues. Surplus records are removed.
        Raises RecordError if the disk refuses; the buffer must then not be changed.
        """
        facts = Facts.of(
            self.uri,
            original,
            encoding,
            status="running",
            oracle=oracle,
            strategy=strategy,
            region=region,
            language=language,
            continues=continues,
            process=this_process(),
        )
        record = Record(add_record(self.directory, facts, original), facts)
        record.open()
        self._loaded[record.id] = ((), record)
        prune_records(self.directory, self.uri)
        return record

    def all(self) -> list[Record]:
        """Return all records that still have their original, the newest last."""
        return [
            record for path in record_directories(self.directory) if (record := self._load(path))
        ]

    def latest(self, has: Callable[[Record], object] = lambda _: True) -> Record | None:
        """Return the newest reduction that `has` something, such as `Record.steps`; None if none.

        Texts that were kept before a restore do not count.
        """
        for path in reversed(record_directories(self.directory)):
            record = self._load(path)
            if record is not None and record.status != "kept" and has(record):
                return record
        return None

    def get(self, id: str) -> Record:  # noqa: A002 (the word of the protocol)
        """Return the record with that id. Raises RecordError if there is none."""
        for path in record_directories(self.directory):
            if path.name == id and (record := self._load(path)):
                return record
        message = f"There is no reduction {id!r} of this document; ask for its history."
        raise RecordError(message)

    def first_of(self, record: Record) -> Record:
        """Return the first of the reductions that continue one another up to `record`."""
        while record.continues is not None:
            try:
                record = self.get(record.continues)
            except RecordError:
                break
        return record

    def discard(self, record: Record) -> None:
        """Remove a record that has ended, such as that of a reduction that found nothing."""
        self._loaded.pop(record.id, None)
        remove_record(record.directory)

    def offers(self, text: bytes) -> HistoryOffers:
        """Return what can be done while the buffer holds `text`, in the file's encoding."""
        record = self.latest()
        if record is None:
            return HistoryOffers()
        return HistoryOffers(
            restore=not self.first_of(record).began_with(text),
            step_back=self.latest(Record.steps) is not None,
            resume=record.can_continue_from(text),
            others=self.latest(has_others) is not None,
        )

    def _load(self, directory: Path) -> Record | None:
        """Return the record there, read again if it has changed; None if it cannot be read."""
        loaded = self._loaded.get(directory.name)
        if loaded and loaded[1].is_written:
            return loaded[1]
        try:
            signature = _signature(directory)
            if not loaded or loaded[0] != signature:
                loaded = signature, Record(directory, Facts.read(directory, self.uri))
        except OSError:
            return None
        self._loaded[directory.name] = loaded
        return loaded[1]


def has_others(record: Record) -> bool:
    """Return whether candidates of a reduction showed other failures."""
    return bool(record.others)


def _signature(directory: Path) -> _Signature:
    """Return a value that changes when the files do. Raises OSError if the original is gone."""
    (directory / "original").stat()
    signature: list[object] = []
    for name in ("record.json", "steps"):
        with contextlib.suppress(OSError):
            status = (directory / name).stat()
            signature += [name, status.st_mtime_ns, status.st_size, status.st_ino]
    return tuple(signature)
