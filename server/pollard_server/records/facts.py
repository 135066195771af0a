"""`record.json`: what is known about a reduction, and which process is writing the record."""

from __future__ import annotations

import builtins  # noqa: TC003 (cattrs resolves the annotations of this module)
import dataclasses
import functools
import hashlib
import json
import os
import time
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path  # noqa: TC003 (the same)
from typing import TYPE_CHECKING, Any, Literal

import psutil
from cattrs import BaseValidationError, Converter

from pollard.syntax.encodings.encoding import UTF_8, Encoding, encoding_of
from pollard.system import write_atomically

if TYPE_CHECKING:
    from pollard.oracle import OtherFailure
    from pollard.project.outcome import OtherTree

Status = Literal["running", "interrupted", "finished", "stopped", "failed", "kept"]
"""The status of a reduction. `interrupted`: its process is gone and did not write how it ended.
`kept`: not a reduction, but the user's text before another one was restored."""

ORIGINAL_FILE = "original"
_FILE = "record.json"
_CONVERTER = Converter()


@dataclass(frozen=True, slots=True)
class RecordedOther:
    """A failure of another kind that candidates showed; `pollard.other_failures` has its text.

    `description` names it for people, `bytes` is the size of the smallest text or files that showed it,
    and `runs` counts the candidates that did.
    """

    description: str
    bytes: int
    runs: int

    @classmethod
    def of(cls, other: OtherFailure | OtherTree) -> RecordedOther:
        """Return what is recorded of a failure."""
        return cls(str(other.failure), other.bytes, other.runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The content of `record.json`.

    `started` is ISO 8601 in UTC. `region` is the span of bytes that may change, None for the whole
    text. `encoding` is that of the texts, which begin with a byte order mark if `marked`.
    `continues` is the record that this one continues, from its result or from the user's changes
    to that. `process` is the id of the writing process and its start (seconds since the
    epoch).

    `bytes`, `runs` and `seconds` (wall time) are None until the reduction has ended; they count all
    its sessions. `others` are the other failures that its last session showed, in order, from its end
    on. `earlier_runs` and `earlier_seconds` count the sessions before the current one.
    """

    uri: str
    started: str
    status: Status
    oracle: str = ""
    strategy: str = ""
    region: tuple[int, int] | None = None
    language: str | None = None
    encoding: str = "utf-8"
    marked: bool = False
    continues: str | None = None
    process: tuple[int, float] | None = None
    original_bytes: int
    original_digest: str
    bytes: int | None = None
    runs: int | None = None
    seconds: float | None = None
    earlier_runs: int = 0
    earlier_seconds: float = 0.0
    others: tuple[RecordedOther, ...] = ()

    @classmethod
    def of(
        cls, uri: str, original: builtins.bytes, encoding: Encoding = UTF_8, **known: Any
    ) -> Facts:
        """Return the facts of a record that begins now with that text; `known` are other fields."""
        return cls(
            uri=uri,
            encoding=encoding.codec,
            marked=bool(encoding.bom),
            started=_timestamp(time.time()),
            original_bytes=len(original),
            original_digest=text_digest(original),
            **known,
        )

    def write(self, directory: Path) -> None:
        """Write the facts into the record's directory, atomically. Raises OSError."""
        write_atomically(directory / _FILE, json.dumps(asdict(self), indent=1).encode())

    @classmethod
    def read(cls, directory: Path, uri: str) -> Facts:
        """Read the facts; if the file is missing or damaged, return what is known without it.

        Raises OSError if the original is missing, too.
        """
        try:
            return _CONVERTER.structure(json.loads((directory / _FILE).read_bytes()), cls)
        except (OSError, ValueError, TypeError, RecursionError, BaseValidationError):
            return cls._known_without(directory, uri)

    def current_status(self) -> Status:
        """Return the status; `interrupted` instead of `running` if the process is gone."""
        if self.status != "running":
            return self.status
        return "running" if self.process and is_running(*self.process) else "interrupted"

    @classmethod
    def _known_without(cls, directory: Path, uri: str) -> Facts:
        original = directory / ORIGINAL_FILE
        text = original.read_bytes()
        facts = cls.of(uri, text, encoding_of(text), status="interrupted")
        return dataclasses.replace(facts, started=_timestamp(original.stat().st_mtime))


def text_digest(text: bytes) -> str:
    """Return the hash that identifies a text."""
    return hashlib.blake2b(text, digest_size=12).hexdigest()


def _timestamp(seconds: float) -> str:
    """Return a time (seconds since the epoch) as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="milliseconds")


# A process' start is computed from the boot time, which moves a little when the clock is set.
_MAX_CLOCK_SHIFT_SECONDS = 2.0


def this_process() -> tuple[int, float]:
    """Return the id of this process and its start, in seconds since the epoch."""
    return _identity(os.getpid())


@functools.cache
def _identity(pid: int) -> tuple[int, float]:
    return pid, psutil.Process(pid).create_time()


def is_running(pid: int, started: float) -> bool:
    """Return whether the process with this id and start time still runs; a zombie does not.

    The start time is compared because the system reuses ids.
    """
    if (pid, started) == this_process():
        return True
    try:
        process = psutil.Process(pid)
        is_same = abs(process.create_time() - started) < _MAX_CLOCK_SHIFT_SECONDS
        return is_same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.AccessDenied:
        return True
    except (psutil.NoSuchProcess, ValueError, OverflowError):
        return False
