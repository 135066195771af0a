"""One reduction on disk: its original, its accepted texts, and its status."""

from __future__ import annotations

import contextlib
import dataclasses
from collections import deque
from typing import TYPE_CHECKING

from pollard import other_failures
from pollard.journal import HEADER_FILE
from pollard.syntax.encodings.encoding import UTF_8, Encoding, encoding_named
from pollard_server.records import accepted_texts
from pollard_server.records.accepted_texts import RecordedStep, StepsFile, followed_by, read_steps
from pollard_server.records.directories import (
    RecordError,
    add_record,
    no_other,
    prune_records,
    record_directories,
    unwritable,
)
from pollard_server.records.facts import Facts, RecordedOther, text_digest, this_process

if TYPE_CHECKING:
    import builtins
    from collections.abc import Sequence
    from pathlib import Path

    from pollard.events import Counts, Reduced
    from pollard.oracle import OtherFailure
    from pollard_server.records.facts import Status

_UNFINISHED = {"interrupted", "stopped"}


class Record:
    """One reduction of a document, or a text that was kept before another one was restored.

    `id` is the record's name among those of its document; later ones have higher numbers.
    `directory` is also the engine's journal directory. `started` is ISO 8601 in UTC. `region` is
    the span of bytes of the original that may change (None: all). `language` is None if no grammar
    knew the text. `encoding` is that of its texts. `continues` is the record that it continues,
    from its result or from the user's changes to that.

    One thread at a time writes (`add_step`, `finish`, `resume`); any thread may read. `original`,
    `best`, `text` and `text_of_other` read the disk, so the loop's thread must not call them.
    """

    def __init__(self, directory: Path, facts: Facts) -> None:
        self.id = directory.name
        self.directory = directory
        self.uri = facts.uri
        self.started = facts.started
        self.oracle = facts.oracle
        self.strategy = facts.strategy
        self.language = facts.language
        self.region = facts.region
        self.continues = facts.continues
        self.original_bytes = facts.original_bytes
        self.encoding = encoding_named(facts.encoding, marked=facts.marked)
        self._facts = facts
        self._steps = read_steps(directory)
        self._digests = {facts.original_digest, *(step.digest for step in self._steps)}
        self._file: StepsFile | None = None

    @property
    def status(self) -> Status:
        """The status at this moment; see `Status`."""
        return self._facts.current_status()

    @property
    def is_written(self) -> bool:
        """Whether this object writes the record, rather than another one or another process."""
        return self._file is not None

    @property
    def bytes(self) -> int:
        """The size of the best text so far, in bytes."""
        if self._facts.bytes is not None:
            return self._facts.bytes
        return self._last.bytes if self._last else self.original_bytes

    @property
    def runs(self) -> int:
        """Runs of the oracle in all sessions; until the end, those up to the last step."""
        if self._facts.runs is not None:
            return self._facts.runs
        return max(self._facts.earlier_runs, self._last.runs if self._last else 0)

    @property
    def seconds(self) -> float:
        """Wall time of all sessions; until the end, that up to the last step."""
        if self._facts.seconds is not None:
            return self._facts.seconds
        return max(self._facts.earlier_seconds, self._last.seconds if self._last else 0.0)

    @property
    def others(self) -> tuple[RecordedOther, ...]:
        """The other failures that candidates showed, in order; none before the reduction has ended."""
        return self._facts.others

    @property
    def has_journal(self) -> bool:
        """Whether the engine's journal has begun; if not, `resume` starts from the beginning."""
        return (self.directory / HEADER_FILE).is_file()

    @property
    def original(self) -> builtins.bytes:
        """The exact original text. Raises RecordError if somebody removed it."""
        return accepted_texts.original(self.directory)

    @property
    def best(self) -> builtins.bytes:
        """The last accepted text on disk, or the original. Raises RecordError."""
        return deque(accepted_texts.texts(self.directory), maxlen=1).pop()

    def text(self, number: int) -> builtins.bytes:
        """Return the accepted text with that number, from 1; 0 is the original.

        Raises RecordError if there is none.
        """
        return accepted_texts.text(self.directory, number)

    def text_of_other(self, number: int) -> builtins.bytes:
        """Return the smallest text that showed the other failure with that number, from 1.

        Raises RecordError if there is none, or if somebody removed it.
        """
        self.other(number)
        found = other_failures.load(self.directory)
        if number > len(found):
            message = (
                f"The text of the other failure {number} in {self.directory} cannot be read; reduce "
                "another failure, or the file once more."
            )
            raise RecordError(message)
        return found[number - 1].text

    def other(self, number: int) -> RecordedOther:
        """Return the other failure with that number, from 1. Raises RecordError if there is none."""
        if 0 < number <= len(self.others):
            return self.others[number - 1]
        raise no_other(self.id, number, len(self.others))

    def steps(self) -> list[RecordedStep]:
        """Return the accepted texts' numbers, sizes, costs and passes, in order."""
        return list(self._steps)

    def began_with(self, text: builtins.bytes) -> bool:
        """Return whether `text` is the original, without reading the disk."""
        return text_digest(text) == self._facts.original_digest

    def ended_with(self, text: builtins.bytes) -> bool:
        """Return whether `text` is the last accepted text (the original if none), without the disk."""
        last = self._steps[-1].digest if self._steps else self._facts.original_digest
        return text_digest(text) == last

    def can_continue_from(self, text: builtins.bytes) -> bool:
        """Return whether it was interrupted or stopped, and `text` is one of its texts; reads no disk.

        A record that has lost its `record.json` cannot be continued, because its oracle is unknown.
        """
        known = bool(self.oracle) and text_digest(text) in self._digests
        return known and self.status in _UNFINISHED

    def open(self) -> None:
        """Make this object write the record. Raises RecordError if the disk refuses."""
        try:
            self._file = StepsFile(self.directory, self._steps)
        except OSError as error:
            raise unwritable(self.directory, error) from error

    def resume(self) -> None:
        """Continue the record in this process; runs and time are added to the earlier ones.

        Raises RecordError if the reduction runs already, in any server, or was never interrupted.
        """
        now = Facts.read(self.directory, self.uri).current_status()
        if now not in _UNFINISHED:
            message = f"This reduction is {now} and cannot be continued; start a new one."
            raise RecordError(message)
        self._write(
            status="running",
            process=this_process(),
            earlier_runs=self.runs,
            earlier_seconds=self.seconds,
            bytes=None,
            runs=None,
            seconds=None,
            others=(),
        )
        self.open()

    def add_step(self, event: Reduced) -> None:
        """Write that a text was accepted; it is on disk when this returns.

        Raises RecordError if it cannot be written.
        """
        assert self._file is not None, "the record is not running in this object"
        step = RecordedStep(
            number=event.number,
            bytes=len(event.text),
            runs=self._facts.earlier_runs + event.counts.runs,
            seconds=round(self._facts.earlier_seconds + event.counts.seconds, 3),
            where=event.where,
            digest=text_digest(event.text),
        )
        try:
            self._file.append(step)
        except OSError as error:
            raise unwritable(self.directory, error) from error
        self._digests.add(step.digest)
        self._steps = followed_by(self._steps, step)

    def finish(
        self,
        status: Status,
        *,
        best: builtins.bytes | None = None,
        counts: Counts | None = None,
        others: Sequence[OtherFailure] = (),
    ) -> None:
        """Write how it ended (`stopped`, `finished` or `failed`), the best text's size, and the cost.

        Missing values are taken from the last step. The engine has written the texts of `others`
        beside its journal. Raises RecordError if it cannot be written.
        """
        if self._file is not None:
            self._file.close()
            self._file = None
        facts = self._facts
        self._write(
            status=status,
            bytes=self.bytes if best is None else len(best),
            runs=facts.earlier_runs + counts.runs if counts else self.runs,
            seconds=round(facts.earlier_seconds + counts.seconds if counts else self.seconds, 3),
            others=tuple(map(RecordedOther.of, others)),
        )

    def keep_before_restore(
        self, text: builtins.bytes, encoding: Encoding = UTF_8
    ) -> Record | None:
        """Keep the user's present text as a record of its own, with the status `kept`.

        Its text 0 is that text. Returns None if the text is already on disk: as one of this
        record's texts, or as the one that was kept last. Raises RecordError if it cannot be
        written.
        """
        folder = self.directory.parent
        facts = Facts.of(self.uri, text, encoding, status="kept", language=self.language)
        if facts.original_digest in {*self._digests, _last_kept(folder, self.uri)}:
            return None
        kept = Record(add_record(folder, facts, text), facts)
        prune_records(folder, self.uri)
        return kept

    @property
    def _last(self) -> RecordedStep | None:
        steps = self._steps
        return steps[-1] if steps else None

    def _write(self, **changes: object) -> None:
        facts = dataclasses.replace(self._facts, **changes)  # type: ignore[arg-type]
        try:
            facts.write(self.directory)
        except OSError as error:
            raise unwritable(self.directory, error) from error
        self._facts = facts


def _last_kept(folder: Path, uri: str) -> str:
    """Return the hash of the text that was kept last; empty if there is none."""
    for directory in reversed(record_directories(folder)):
        with contextlib.suppress(OSError):
            facts = Facts.read(directory, uri)
            if facts.status == "kept":
                return facts.original_digest
    return ""
