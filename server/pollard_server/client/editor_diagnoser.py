"""Asks the editor for its own diagnostics of a candidate: `pollard/diagnose`."""

from __future__ import annotations

import hashlib
import uuid
from concurrent import futures
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pollard.errors import Cancelled, OracleError
from pollard_server.client.open_documents import decoded
from pollard_server.protocol.conversion import to_json
from pollard_server.protocol.requests import DIAGNOSE, DiagnoseAnswer, DiagnoseParams

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pollard_server.client.connection import Client
    from pollard_server.client.open_documents import OpenDocument

_POLL_SECONDS = 0.02
# An editor that has not answered this long after the end of its wait never will.
_GRACE_SECONDS = 10.0
# Verdicts serve one session: the editor's extensions and their settings may change until the next.
_SESSION = uuid.uuid4().hex


class EditorDiagnoser:
    """A `Diagnoser`: one candidate at a time per client, since editors answer in one thread."""

    def __init__(self, client: Client, document: OpenDocument, source: str) -> None:
        """`source` is that of the diagnostics that matter."""
        self._client = client
        self._document = document
        self._source = source

    @property
    def name(self) -> str:
        """The editor's name for people."""
        return self._client.name

    @property
    def fingerprint(self) -> str | None:
        """A text that is the same during the session."""
        parts = "\0".join((_SESSION, self._document.uri, self._document.language_id, self._source))
        return hashlib.blake2b(parts.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def diagnose(
        self, text: bytes, *, wait_seconds: float, is_cancelled: Callable[[], bool]
    ) -> list[dict[str, Any]] | None:
        """Return the editor's diagnostics; see `Diagnoser`. Called in a worker's thread."""
        document = self._document
        params = DiagnoseParams(
            uri=document.uri,
            name=document.name,
            language_id=document.language_id,
            text=decoded(text, document.encoding),
            source=self._source,
            seconds=wait_seconds,
        )
        with self._turn(is_cancelled):
            sent = self._client.request(DIAGNOSE, to_json(params), withdrawable=True)
            return self._answer(sent, wait_seconds + _GRACE_SECONDS, is_cancelled)

    @contextmanager
    def _turn(self, is_cancelled: Callable[[], bool]) -> Iterator[None]:
        """Wait until no other candidate is asked about. Raises Cancelled."""
        lock = self._client.diagnosing
        while not lock.acquire(timeout=_POLL_SECONDS):
            if is_cancelled():
                raise Cancelled("The run was cancelled.")
        try:
            yield
        finally:
            lock.release()

    def _answer(
        self, sent: futures.Future[Any], seconds: float, is_cancelled: Callable[[], bool]
    ) -> list[dict[str, Any]] | None:
        waits = int(seconds / _POLL_SECONDS)
        for _ in range(waits):
            done, _ = futures.wait([sent], _POLL_SECONDS)
            if done:
                return self._read(sent)
            if is_cancelled():
                sent.cancel()
                raise Cancelled("The run was cancelled.")
        sent.cancel()
        return None

    def _read(self, answered: futures.Future[Any]) -> list[dict[str, Any]]:
        if answered.cancelled():
            raise Cancelled("The editor is gone.")
        try:
            return DiagnoseAnswer.of(answered.result()).diagnostics
        except Exception as error:
            reason = getattr(error, "message", None) or str(error)
            message = f"{self.name} could not say what it reports about a candidate: {reason}."
            raise OracleError(message.replace("..", ".")) from error
