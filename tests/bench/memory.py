"""Verdicts shared by all strategies of a case, to measure many strategies quickly.

The oracles of the corpus are deterministic (each case's notes say so, and how that was seen). What
is answered from here still counts as a run, with the seconds that the real run took: only wall times
are lost.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pollard.errors import Cancelled
from pollard.executors import Runner
from pollard.oracle import Cancellable, CommandOracle, Run, Share, Signature, Verdict
from tests.other_executors import executors_from

_SCHEMA = """
CREATE TABLE IF NOT EXISTS verdict (
    oracle BLOB, text BLOB, verdict TEXT, seconds REAL, PRIMARY KEY (oracle, text)
) WITHOUT ROWID"""
# How long to wait for another process that writes.
_BUSY_SECONDS = 60
# A table of its own: most oracles print nothing, so few texts have a failure.
_FAILURES = """
CREATE TABLE IF NOT EXISTS failure (
    oracle BLOB, text BLOB, failure TEXT, PRIMARY KEY (oracle, text)
) WITHOUT ROWID"""


class Memory:
    """Verdicts by oracle and text, in a SQLite file or (None) for the life of the process."""

    def __init__(self, file: Path | None = None) -> None:
        self._lock = threading.Lock()
        self._database = sqlite3.connect(
            file or ":memory:",
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.execute(_SCHEMA)
        self._database.execute(_FAILURES)

    def get(self, oracle: bytes, text: bytes) -> tuple[Verdict, float, Signature | None] | None:
        with self._lock:
            row = self._database.execute(
                "SELECT verdict, seconds, failure FROM verdict LEFT JOIN failure USING (oracle, text)"
                " WHERE oracle = ? AND text = ?",
                (oracle, _digest(text)),
            ).fetchone()
        if row is None:
            return None
        verdict, seconds, failure = row
        return Verdict(verdict), seconds, failure and Signature.decoded(failure)

    def put(self, oracle: bytes, text: bytes, run: Run) -> None:
        key = (oracle, _digest(text))
        row = (*key, run.verdict.value, run.seconds)
        with self._lock:
            self._database.execute("INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?)", row)
            if run.failure is not None:
                failure = (*key, run.failure.encoded())
                self._database.execute("INSERT OR REPLACE INTO failure VALUES (?, ?, ?)", failure)

    def close(self) -> None:
        self._database.close()


@dataclass
class Ledger:
    """What a reduction's runner really did: processes run, their seconds, verdicts remembered."""

    executed: int = 0
    seconds: float = 0.0
    remembered: int = 0


class RememberingRunner(Runner):
    """A runner that looks into a memory first; with `read` False it only writes into it.

    Runs that keep their output, the checks of the original, always take place.
    """

    def __init__(
        self,
        oracle: CommandOracle,
        filename: str,
        *,
        share: Share | None = None,
        memory: Memory | None,
        ledger: Ledger,
        read: bool,
    ) -> None:
        super().__init__(oracle, filename, share=share)
        self._memory = memory
        self._ledger = ledger
        self._read = read
        self._name = oracle_key(oracle)
        self._counting = threading.Lock()

    def run(
        self, text: bytes, *, cancelled: Cancellable | None = None, capture: bool = False
    ) -> Run:
        if cancelled is not None and cancelled.is_set():
            raise Cancelled("The run was cancelled.")
        if self._memory and self._read and not capture:
            known = self._memory.get(self._name, text)
            if known is not None:
                with self._counting:
                    self._ledger.remembered += 1
                return _remembered(*known)
        run = super().run(text, cancelled=cancelled, capture=capture)
        with self._counting:
            self._ledger.executed += 1
            self._ledger.seconds += run.seconds
        if self._memory:
            self._memory.put(self._name, text, run)
        return run


def oracle_key(oracle: CommandOracle) -> bytes:
    """Identify an oracle by its command and the text of its script, wherever the script is."""
    shell, script, *arguments = oracle.command
    text = Path(script).read_bytes() if Path(script).is_file() else script.encode()
    return _digest(repr((shell, *arguments)).encode() + text)


@contextlib.contextmanager
def remembering(memory: Memory | None, *, read: bool = True) -> Iterator[Ledger]:
    """Let reductions in this context use `memory`; yield what their runners really do."""
    ledger = Ledger()
    runner = functools.partial(RememberingRunner, memory=memory, ledger=ledger, read=read)
    with executors_from(runner):
        yield ledger


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


def _remembered(verdict: Verdict, seconds: float, failure: Signature | None) -> Run:
    return Run(
        exit_code=0 if verdict is Verdict.INTERESTING else 1,
        signal=None,
        seconds=seconds,
        timed_out=verdict is Verdict.TIMEOUT,
        verdict=verdict,
        failure=failure,
    )
