"""The cache of verdicts: in memory, and on disk for later reductions.

Keys are hashes of oracle, file name and text, so one small table serves all oracles. Each verdict
is committed immediately (30 microseconds in write-ahead mode), so it survives a killed process. A
broken cache is never an error: without the disk, verdicts are kept in memory only.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import sqlite3
import threading
import time
from pathlib import Path

import platformdirs

from pollard.errors import printable
from pollard.oracle.signature import Signature
from pollard.oracle.verdict import Verdict

MAX_ROWS = 500_000
"""The number of rows kept on disk; the oldest are dropped first."""

_MAX_VERDICTS_IN_MEMORY = 1_000_000
_BUSY_SECONDS = 1.0
_SETUP_ATTEMPTS = 10
_DATABASE_FILE = "verdicts.sqlite3"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS verdict (
    id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, verdict TEXT NOT NULL, seconds REAL NOT NULL,
    failure TEXT
)"""
_COLUMNS = "PRAGMA table_info(verdict)"
_ADD_FAILURE = "ALTER TABLE verdict ADD COLUMN failure TEXT"  # version 0.1 had none
_PUT = "INSERT OR REPLACE INTO verdict (key, verdict, seconds, failure) VALUES (?, ?, ?, ?)"
_GET = "SELECT verdict, seconds, failure FROM verdict WHERE key = ?"
_EVICT = "DELETE FROM verdict WHERE id <= (SELECT MAX(id) FROM verdict) - ?"


def cache_directory() -> Path:
    """Return the directory of the cache: `POLLARD_CACHE_DIR`, or the user's cache directory."""
    return Path(os.environ.get("POLLARD_CACHE_DIR") or platformdirs.user_cache_dir("pollard"))


# SQLite's own errors, what Python says of messages that are no text, and what readers of a row raise.
_DAMAGED = (sqlite3.Error, TypeError, ValueError, AttributeError, RecursionError)

_Entry = tuple[Verdict, float, Signature | None]


class VerdictCache:
    """The verdicts of one oracle on files of one name, with the failures that were seen. Thread-safe.

    A timeout is stored with its limit in seconds, and is returned only for limits that are not
    larger. `warnings` holds a sentence for each reason to stop using the disk.
    """

    def __init__(
        self,
        fingerprint: str,
        filename: str,
        *,
        timeout: float = math.inf,
        directory: Path | None = None,
        persistent: bool = True,
        max_rows: int = MAX_ROWS,
    ) -> None:
        """`timeout` is the current limit in seconds; `directory` overrides `cache_directory`."""
        self.timeout = timeout
        self.warnings: list[str] = []
        self._prefix = hashlib.blake2b(f"{fingerprint}\0{filename}\0".encode(errors="replace"))
        self._verdicts: dict[bytes, _Entry] = {}
        self._lock = threading.RLock()
        self._max_rows = max_rows
        self._database: sqlite3.Connection | None = None
        self._path = (directory or cache_directory()) / _DATABASE_FILE
        if persistent:
            self._open()

    def key(self, text: bytes) -> bytes:
        """Return the 32-byte key of the verdict on `text`."""
        digest = self._prefix.copy()
        digest.update(text)
        return digest.digest()[:32]

    def get(self, text: bytes, *, key: bytes | None = None) -> Verdict | None:
        """Return the verdict on `text`, or None if unknown; a given `key` saves hashing."""
        found = self._find(key or self.key(text))
        if found is None:
            return None
        verdict, limit, _ = found
        return None if verdict is Verdict.TIMEOUT and self.timeout > limit else verdict

    def failure(self, text: bytes, *, key: bytes | None = None) -> Signature | None:
        """Return the failure that was seen when `text` was run, if it is known."""
        found = self._find(key or self.key(text))
        return found[2] if found else None

    def put(
        self,
        text: bytes,
        verdict: Verdict,
        *,
        failure: Signature | None = None,
        timeout: float | None = None,
        key: bytes | None = None,
    ) -> None:
        """Store a verdict and the failure seen; `timeout` is the limit in seconds of its run."""
        key = key or self.key(text)
        entry = (verdict, self.timeout if timeout is None else timeout, failure)
        with self._lock:
            self._remember(key, entry)
            if self._database is not None:
                self._write(self._database, key, entry)

    def close(self) -> None:
        """Drop the oldest rows above the maximum, and close the file."""
        with self._lock:
            database, self._database = self._database, None
            if database is not None:
                with contextlib.suppress(*_DAMAGED):
                    database.execute(_EVICT, (self._max_rows,))
                with contextlib.suppress(*_DAMAGED):
                    database.close()

    def __enter__(self) -> VerdictCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _find(self, key: bytes) -> _Entry | None:
        with self._lock:
            return self._verdicts.get(key) or self._read(key)

    def _remember(self, key: bytes, found: _Entry) -> None:
        self._verdicts[key] = found
        if len(self._verdicts) > _MAX_VERDICTS_IN_MEMORY:
            del self._verdicts[next(iter(self._verdicts))]

    def _open(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(
                self._path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            _set_up(self._database)
            self._database.execute(_EVICT, (self._max_rows,))
        except (OSError, *_DAMAGED) as error:
            self._stop_using_disk(error)

    def _read(self, key: bytes) -> _Entry | None:
        if self._database is None:
            return None
        try:
            row = self._database.execute(_GET, (key,)).fetchone()
            found = _entry(key, *row) if row else None
        except _DAMAGED as error:
            self._stop_using_disk(error)
            return None
        if found is not None:
            self._remember(key, found)
        return found

    def _write(self, database: sqlite3.Connection, key: bytes, entry: _Entry) -> None:
        verdict, limit, failure = entry
        try:
            database.execute(_PUT, (key, *_row(key, verdict, limit, failure)))
        except _DAMAGED as error:
            if not _locked(error):  # one missing verdict is no reason to stop
                self._stop_using_disk(error)

    def _stop_using_disk(self, error: Exception) -> None:
        """Continue in memory only; move a damaged file away, for the next reduction."""
        database, self._database = self._database, None
        if database is not None:
            with contextlib.suppress(*_DAMAGED):
                database.close()
        moved = ""
        if not isinstance(error, (OSError, sqlite3.OperationalError)):
            with contextlib.suppress(OSError):
                self._path.replace(self._path.with_suffix(".spoilt"))
                moved = " It was put aside and a new one begins with the next reduction."
        self.warnings.append(
            f"The cache of verdicts {self._path} cannot be used ({printable(str(error))}); "
            f"this reduction remembers its verdicts in memory only.{moved}"
        )


class Rejections(VerdictCache):
    """A cache in memory that begins with the texts that another cache knows not to be interesting.

    For a search that asks for more runs of each text than the one before: what was not interesting in
    one run is not interesting in all of several.
    """

    def __init__(self, earlier: VerdictCache) -> None:
        """`earlier` stays open for as long as this cache."""
        super().__init__("", "", timeout=earlier.timeout, persistent=False)
        self._prefix = earlier._prefix
        self._earlier = earlier

    def _find(self, key: bytes) -> _Entry | None:
        found = super()._find(key)
        if found is not None:
            return found
        earlier = self._earlier._find(key)
        return None if earlier is None or earlier[0] is Verdict.INTERESTING else earlier


def _row(
    key: bytes, verdict: Verdict, limit: float, failure: Signature | None
) -> tuple[str, float, str | None]:
    """Return the columns after the key; the verdict has a checksum of them all."""
    encoded = None if failure is None else failure.encoded()
    return f"{verdict.value}#{_checksum(key, verdict.value, limit, encoded)}", limit, encoded


def _entry(key: bytes, verdict: str, limit: float, failure: str | None) -> _Entry | None:
    """Return what `_row` wrote; None if it is of an earlier version, which wrote no checksum.

    Raises ValueError or TypeError if the row is damaged.
    """
    value, mark, checksum = verdict.rpartition("#")
    if not mark:
        return None
    if checksum != _checksum(key, value, limit, failure):
        message = "a row is damaged"
        raise ValueError(message)
    return Verdict(value), float(limit), None if failure is None else Signature.decoded(failure)


def _checksum(key: bytes, verdict: str, limit: float, failure: str | None) -> str:
    """Return what shows that a row belongs to its key: SQLite does not notice changed bytes."""
    text = f"{verdict} {float(limit)!r} {failure}".encode(errors="replace")
    return hashlib.blake2b(text, digest_size=8, key=key).hexdigest()


def _set_up(database: sqlite3.Connection) -> None:
    for attempt in range(_SETUP_ATTEMPTS):
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            database.execute(_SCHEMA)
            if "failure" not in {column[1] for column in database.execute(_COLUMNS)}:
                database.execute(_ADD_FAILURE)
        except sqlite3.OperationalError as error:
            # SQLite does not wait while another process changes the journal mode.
            if not _locked(error) or attempt == _SETUP_ATTEMPTS - 1:
                raise
            time.sleep(_BUSY_SECONDS / _SETUP_ATTEMPTS)
        else:
            return


def _locked(error: Exception) -> bool:
    return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)
