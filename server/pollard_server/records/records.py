"""The records of one document."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard_server.records.facts import Facts, this_process
from pollard_server.records.record import Record
from pollard_server.records.shelf import RecordError, discard, listed, place, prune, shelf_of

if TYPE_CHECKING:
    from pathlib import Path

_Signature = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Offers:
    """What the latest record lets the user do with a buffer.

    `restore`: set it back to the original; `step_back`: to an accepted text; `resume`: continue the
    reduction, which was cut off or stopped.
    """

    restore: bool = False
    step_back: bool = False
    resume: bool = False


class Records:
    """The reductions of one document, oldest first, of this and of earlier servers.

    They are in `state_directory()/"editor"/<name>-<hash of the URI>/<number>/`. Any thread may call;
    `latest` and `offers` read only what has changed on disk since they were called last.
    """

    def __init__(self, uri: str, name: str) -> None:
        """`name` is the base name of the document, for people who look at the directory."""
        self.uri = uri
        self.directory = shelf_of(uri, name)
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
    ) -> Record:
        """Start a record; the original is on disk when this returns.

        `continues` is the id of the record that this one goes on from. Records that are more than
        are kept go. Raises RecordError if the disk refuses: then nothing may be done to the buffer.
        """
        facts = Facts.of(
            self.uri,
            original,
            status="running",
            oracle=oracle,
            strategy=strategy,
            region=region,
            language=language,
            continues=continues,
            process=this_process(),
        )
        record = Record(place(self.directory, facts, original), facts)
        record.open()
        self._loaded[record.id] = ((), record)
        prune(self.directory, self.uri)
        return record

    def all(self) -> list[Record]:
        """Return all records that still have their original, the newest last."""
        return [record for path in listed(self.directory) if (record := self._load(path))]

    def latest(self) -> Record | None:
        """Return the newest reduction; texts that were kept before a restore are none."""
        for path in reversed(listed(self.directory)):
            record = self._load(path)
            if record is not None and record.status != "kept":
                return record
        return None

    def get(self, id: str) -> Record:  # noqa: A002 (the word of the protocol)
        """Return the record with that id; raise RecordError if there is none."""
        for path in listed(self.directory):
            if path.name == id and (record := self._load(path)):
                return record
        message = f"There is no reduction {id!r} of this document; ask for its history."
        raise RecordError(message)

    def first_of(self, record: Record) -> Record:
        """Return the reduction that began it all, of those that went on from one another."""
        while record.continues is not None:
            try:
                record = self.get(record.continues)
            except RecordError:
                break
        return record

    def discard(self, record: Record) -> None:
        """Forget a record, such as that of a reduction that found nothing; it must have ended."""
        self._loaded.pop(record.id, None)
        discard(record.directory)

    def offers(self, text: bytes) -> Offers:
        """Return what can be done while the buffer holds `text` (in UTF-8)."""
        record = self.latest()
        if record is None:
            return Offers()
        return Offers(
            restore=not self.first_of(record).began_with(text),
            step_back=bool(record.steps()),
            resume=record.can_continue_from(text),
        )

    def _load(self, directory: Path) -> Record | None:
        """Return the record there, read anew if it is not as it was; None if it cannot be read."""
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


def _signature(directory: Path) -> _Signature:
    """Return what changes when the files do; raise OSError if the original is gone."""
    (directory / "original").stat()
    signature: list[object] = []
    for name in ("record.json", "steps"):
        with contextlib.suppress(OSError):
            status = (directory / name).stat()
            signature += [name, status.st_mtime_ns, status.st_size, status.st_ino]
    return tuple(signature)
