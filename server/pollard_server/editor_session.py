"""The state while one editor is connected. All but `abandon` is called in the loop's thread."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pollard.oracle.shares import Shares
from pollard.settings import Settings
from pollard_server.actions import Situation, actions, is_requested
from pollard_server.choices import offered_diagnostics, oracles_for
from pollard_server.client.open_documents import OpenDocument
from pollard_server.configuration import Configuration
from pollard_server.jobs.job_thread import Services
from pollard_server.jobs.permits import is_diagnostic
from pollard_server.jobs.running_jobs import RunningJobs
from pollard_server.records import HistoryOffers
from pollard_server.streaming import Streamer
from pollard_server.streaming.stream import Snapshot
from pollard_server.text.uris import path_of
from pollard_server.trust import UNTRUSTED, Trust

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lsprotocol import types as lsp

    from pollard_server.actions import Action
    from pollard_server.client.connection import Client

logger = logging.getLogger(__name__)

# The longest that a menu waits for settings.
_MENU_SECONDS = 2.0


class EditorSession:
    """The open documents, the jobs, the settings and the user's consents."""

    def __init__(self, client: Client, options: object, roots: Sequence[Path]) -> None:
        """Begin; `options` are the initializationOptions, `roots` the workspace's folders."""
        given: Any = dict(options) if isinstance(options, Mapping) else options
        trusted = given.pop("trusted", True) if isinstance(given, dict) else True
        self.client = client
        self.documents: dict[str, OpenDocument] = {}
        self.roots = list(roots)
        self.trust = Trust(client, trusted=trusted)
        self.configuration = Configuration(client, given)
        self.services = Services(
            client, self.configuration, self.trust, Shares(Settings().workers), lambda: self.roots
        )
        self.jobs = RunningJobs(self.services)

    def opened(self, item: lsp.TextDocumentItem) -> None:
        """Handle the opening of a document, perhaps again in another language."""
        self.closed(item.uri)
        snapshot = Snapshot(item.version, item.text)
        streamer = Streamer(self.client, item.uri, snapshot)
        document = OpenDocument(item.uri, item.language_id, streamer)
        document.compare_with_file()
        self.documents[item.uri] = document
        self.configuration.fetch(item.uri, self.roots)

    def changed(self, uri: str, version: int, text: str) -> None:
        """Handle the new text of a document."""
        document = self.documents.get(uri)
        if document is not None:
            document.streamer.changed(Snapshot(version, text))

    def saved(self, uri: str) -> None:
        """Handle the saving of a document; a settings file takes effect when it is saved."""
        if uri in self.documents:
            self.documents[uri].compare_with_file()
        path = path_of(uri)
        if path is not None and path.name in {"pollard.toml", "pyproject.toml"}:
            self.configuration.refresh_soon()

    def closed(self, uri: str) -> None:
        """Handle the closing of a document: end its jobs."""
        document = self.documents.pop(uri, None)
        if document is not None:
            document.streamer.closed()
            self.jobs.closed(uri)
            self.configuration.forget(uri)

    def unsaved_in(self, folder: Path) -> tuple[str, ...]:
        """Return the paths below a folder of the open files whose text is not that on disk."""
        inside = [
            (document.path.relative_to(folder).as_posix(), document)
            for document in self.documents.values()
            if document.path is not None and document.path.is_relative_to(folder)
        ]
        return tuple(sorted(path for path, document in inside if document.is_unsaved))

    def set_trust(self, trusted: object) -> None:
        """Set whether the user trusts the workspace; if not, stop all reductions."""
        self.trust.trusted = trusted
        if not self.trust.trusted:
            for job in self.jobs.matching(None, None):
                job.stop()

    async def actions(
        self,
        uri: str,
        selected: lsp.Range,
        only: Sequence[str] | None,
        shown: Sequence[lsp.Diagnostic] = (),
    ) -> list[Action]:
        """Return the code actions for a place in a document, where these diagnostics are shown."""
        document = self.documents.get(uri)
        if document is None or not is_requested(only):
            return []
        if not (self.configuration.known(uri) or self.configuration.known_error(uri)):
            await self.fetch_settings(uri)
        return actions(self._situation(document, selected, only, shown))

    async def fetch_settings(self, uri: str) -> None:
        """Fetch a document's settings, and wait for at most `_MENU_SECONDS`."""
        fetched = asyncio.wrap_future(self.configuration.fetch(uri, self.roots))
        await asyncio.wait([fetched], timeout=_MENU_SECONDS)
        if fetched.done() and not fetched.cancelled():
            fetched.exception()  # marks it as retrieved; `Configuration` has shown it to the user

    async def close(self) -> None:
        """End all jobs and report their ends; nothing is sent afterwards."""
        for job in self.jobs.matching(None, None):
            job.abandon()
        await asyncio.get_running_loop().run_in_executor(None, self.jobs.abandon)
        await asyncio.sleep(0)  # runs the calls that the ending jobs have posted
        self.client.close()

    def abandon(self) -> None:
        """End all jobs, from any thread: the editor is gone."""
        self.client.close()
        if not self.jobs.abandon():
            logger.error("A reduction did not end in time")

    def _situation(
        self,
        document: OpenDocument,
        selected: lsp.Range,
        only: Sequence[str] | None,
        shown: Sequence[lsp.Diagnostic],
    ) -> Situation:
        uri, job, client = document.uri, self.jobs.of(document.uri), self.client
        offered = oracles_for(document, document.language, self.configuration, self.trust)
        offers, latest = HistoryOffers(), None
        if job is None:  # no earlier text is offered while a reduction runs
            offers = document.records.offers(document.content)
            latest = document.records.latest()
        return Situation(
            uri=uri,
            version=document.snapshot.version,
            selection=selected if selected.start != selected.end else None,
            oracles=tuple(offered.oracles),
            obstacle=document.obstacle or offered.obstacle,
            obstacles=offered.obstacles,
            diagnostics=offered_diagnostics(
                shown,
                asks_editor=client.can_diagnose,
                servers=[name for name, oracle in offered.oracles.items() if oracle.is_server],
            ),
            diagnostics_obstacle=document.obstacle or self._untrusted,
            running=("paused" if job.paused else "running") if job else None,
            reduction=job.id if job else None,
            can_restore=offers.restore,
            can_step_back=offers.step_back,
            can_continue=offers.resume,
            can_reduce_others=offers.others,
            can_report=offers.step_back,  # there is a reduction that accepted texts
            last_is_diagnostic=latest is not None and is_diagnostic(latest.oracle),
            only=tuple(only) if only else None,
            shows_disabled=client.shows_disabled_actions,
            knows_literals=client.knows_action_literals,
        )

    @property
    def _untrusted(self) -> str | None:
        return None if self.trust.trusted else UNTRUSTED


def roots_of(params: lsp.InitializeParams) -> list[Path]:
    """Return the workspace's folders that are on disk."""
    uris: list[Any] = [folder.uri for folder in params.workspace_folders or ()]
    uris += [params.root_uri] if params.root_uri and not uris else []
    paths = [path_of(uri) for uri in uris]
    if not paths and params.root_path:
        paths = [Path(params.root_path)]
    return [path for path in paths if path is not None]
