"""The settings of documents: fetched afresh before each use, and remembered for menus."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any

from pollard.settings import SettingsError
from pollard_server.configuration.diagnostics import Diagnostics, Messages
from pollard_server.configuration.fetching import SettingsFetch
from pollard_server.configuration.layers import EDITOR, OPTIONS, DocumentSettings, merged_layers
from pollard_server.configuration.reading import SettingsReader
from pollard_server.text.uris import path_of

if TYPE_CHECKING:
    from asyncio import TimerHandle
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pollard.settings import Problem
    from pollard_server.configuration.fetching import ConfigurationClient
    from pollard_server.configuration.reading import FileSettings

#: The longest wait for an editor's or a disk's answer.
TIMEOUT_SECONDS = 5.0
# An editor may report several changes for one saved file.
_SETTLE_SECONDS = 0.1


class Configuration:
    """The settings of all documents. Only `fetch` may be called outside the loop's thread.

    Later layers win: the defaults, the settings file that the command line would find, the client's
    initialization options, the settings that it pushed, and its answer when asked for the document.
    """

    def __init__(
        self,
        client: ConfigurationClient,
        options: Mapping[str, Any] | None,
        *,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        """Begin without settings; `options` are the initialization options without "trusted".

        `timeout` is in seconds.
        """
        self._client = client
        self._options = options
        self._timeout = timeout
        self._pushed: object = None
        self._reader = SettingsReader()
        self._diagnostics = Diagnostics(client)
        self._messages = Messages(client)
        self._roots: dict[str, tuple[Path, ...]] = {}
        self._files: dict[str, Path] = {}
        self._known: dict[str, DocumentSettings | SettingsError] = {}
        self._fetch_count = 0
        self._latest_fetch: dict[str, int] = {}
        self._refresh: TimerHandle | None = None

    def fetch(self, uri: str, roots: Sequence[Path]) -> Future[DocumentSettings]:
        """Fetch the settings of a document from the editor and the disk; from any thread.

        The future is completed in the loop's thread; with a `SettingsError`, already shown to the
        user, if the settings cannot be used. Once the client is closed, nothing is completed.
        """
        future: Future[DocumentSettings] = Future()
        self._client.post(self._start_fetch, uri, tuple(roots), future)
        return future

    def known(self, uri: str) -> DocumentSettings | None:
        """Return the result of the last fetch for a document; None if that failed."""
        known = self._known.get(uri)
        return known if isinstance(known, DocumentSettings) else None

    def known_error(self, uri: str) -> SettingsError | None:
        """Return the error of the last fetch for a document, if it failed."""
        known = self._known.get(uri)
        return known if isinstance(known, SettingsError) else None

    def pushed(self, settings: object) -> None:
        """Take the settings that the client pushed; None only means that some have changed."""
        if settings is not None:
            self._pushed = settings
        self.refresh_soon()

    def refresh_soon(self) -> None:
        """Fetch all known settings again soon, because some of them may have changed."""
        if self._refresh is None:
            self._refresh = self._client.later(_SETTLE_SECONDS, self._fetch_again)

    def forget(self, uri: str) -> None:
        """Forget a closed document, and clear diagnostics that no other document needs."""
        for table in (self._roots, self._known, self._latest_fetch):
            table.pop(uri, None)
        self._messages.forget(uri)
        self._release_file(uri)

    def _fetch_again(self) -> None:
        self._refresh = None
        for uri, roots in list(self._roots.items()):
            self._start_fetch(uri, roots, Future())

    def _start_fetch(
        self, uri: str, roots: tuple[Path, ...], future: Future[DocumentSettings]
    ) -> None:
        self._fetch_count += 1
        self._roots[uri] = roots
        reading = self._reader.read(path_of(uri), roots)
        finished = partial(self._finish, uri, self._fetch_count, future)
        SettingsFetch(self._client, uri, reading, self._timeout, finished)

    def _finish(
        self,
        uri: str,
        number: int,
        future: Future[DocumentSettings],
        reading: Future[FileSettings],
        answer: object,
    ) -> None:
        outcome = self._outcome(reading, answer)
        if uri in self._roots and number > self._latest_fetch.get(uri, 0):
            self._latest_fetch[uri] = number
            self._remember(uri, reading, outcome)
        if not future.set_running_or_notify_cancel():
            return
        if isinstance(outcome, DocumentSettings):
            future.set_result(outcome)
        else:
            future.set_exception(outcome)

    def _outcome(
        self, reading: Future[FileSettings], answer: object
    ) -> DocumentSettings | BaseException:
        """Return the settings or the error, of any kind, since callers wait for one of them."""
        layers = [(OPTIONS, self._options), (EDITOR, self._pushed), (EDITOR, answer)]
        try:
            return merged_layers(reading.result(), layers)
        except BaseException as error:
            return error

    def _remember(
        self, uri: str, reading: Future[FileSettings], outcome: DocumentSettings | BaseException
    ) -> None:
        if isinstance(outcome, (DocumentSettings, SettingsError)):
            self._known[uri] = outcome
            problems = outcome.problems if isinstance(outcome, SettingsError) else []
            self._report(uri, reading.result(), problems)

    def _report(self, uri: str, reading: FileSettings, problems: Sequence[Problem]) -> None:
        in_file = [problem for problem in problems if problem.file == str(reading.file)]
        self._messages.report(uri, [each for each in problems if each not in in_file])
        if self._files.get(uri) != reading.file:
            self._release_file(uri)
        if reading.file is not None:
            self._files[uri] = reading.file
            self._diagnostics.publish(reading.file, in_file, reading.text)

    def _release_file(self, uri: str) -> None:
        """Forget a document's settings file, which is no longer in force for it."""
        file = self._files.pop(uri, None)
        if file is not None and file not in self._files.values():
            self._diagnostics.clear(file)
