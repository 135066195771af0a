"""Starts, finds and ends jobs: one reduction for each document or folder, any number of checks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from pollard.errors import PollardError
from pollard_server.jobs.check_job import CheckJob
from pollard_server.jobs.folder_job import FolderJob
from pollard_server.jobs.reduction_job import ReductionJob

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard_server.client.open_documents import OpenDocument
    from pollard_server.client.reporting import Token
    from pollard_server.jobs.folder_target import FolderTarget
    from pollard_server.jobs.job_thread import Services
    from pollard_server.jobs.planning import Continued
    from pollard_server.jobs.reduction_reports import Named
    from pollard_server.protocol.arguments import (
        CheckOracleArguments,
        ReduceArguments,
        ReduceFolderArguments,
    )
    from pollard_server.protocol.notifications import ProgressParams
    from pollard_server.protocol.pygls_server import MessageId
    from pollard_server.records import Record

# Killing an oracle and its child processes takes some hundredths of a second.
_JOIN_SECONDS = 2.0


class AfterReduction(Protocol):
    """A callback for the end of a reduction."""

    def __call__(self, *, buffer_changed: bool) -> object:
        """React; `buffer_changed` is True if someone other than Pollard changed the buffer."""


class RunningReduction(Protocol):
    """What the reductions of documents and of folders have in common; see `ReductionJob`."""

    @property
    def id(self) -> str:
        """The reduction's name in this session."""

    @property
    def uri(self) -> str:
        """The URI of the document or the folder."""

    @property
    def token(self) -> Token | None:
        """The token of the reduction's `$/progress`."""

    @property
    def status(self) -> ProgressParams:
        """The reduction's figures, as last reported to the editor."""

    @property
    def paused(self) -> bool:
        """Whether the reduction waits for the user."""

    def stop(self) -> None:
        """End within half a second."""

    def abandon(self) -> None:
        """End now, from any thread."""

    def pause(self) -> None:
        """Start no further run of the oracle until `resume`."""

    def resume(self) -> None:
        """Go on."""

    def join(self, seconds: float) -> bool:
        """Wait for the reduction's thread to end; return whether it did."""


class RunningJobs:
    """The running jobs. All methods but `abandon` are called in the loop's thread."""

    def __init__(self, services: Services) -> None:
        #: Puts a reduction's original text back in place of the given one. Set by `Commands`.
        self.restore: Callable[[OpenDocument, Record, str], object] = lambda *_: None
        self._services = services
        self._reductions: dict[str, ReductionJob] = {}
        self._folders: dict[str, FolderJob] = {}
        self._checks: set[CheckJob] = set()
        self._requests: dict[MessageId, str] = {}
        self._after_reduction: dict[str, list[AfterReduction]] = {}

    def of(self, uri: str) -> ReductionJob | None:
        """Return the reduction of a document, or None."""
        return self._reductions.get(uri)

    def require_idle(self, target: Named) -> None:
        """Raise PollardError if the document or the folder is being reduced."""
        if self.matching(target.uri, None):
            raise PollardError(f"{target.name} is being reduced already; stop that first.")

    def reduce(
        self,
        document: OpenDocument,
        arguments: ReduceArguments,
        token: Token | None,
        request: MessageId | None,
        continued: Continued | None = None,
    ) -> str:
        """Start a reduction of a document that has none; return its id.

        `continued` is the earlier reduction whose other failure it reduces.
        """
        job = ReductionJob(
            self._services, document, arguments, token, self._reduced, self._restore, continued
        )
        self._reductions[document.uri] = job
        if request is not None:
            self._requests[request] = document.uri
        job.start()
        return job.id

    def reduce_folder(
        self,
        target: FolderTarget,
        arguments: ReduceFolderArguments,
        token: Token | None,
        request: MessageId | None,
        other: int | None = None,
    ) -> str:
        """Start a reduction of a folder that has none, or of its `other` failure; return its id."""
        job = FolderJob(self._services, target, arguments, token, self._folder_reduced, other)
        self._folders[target.uri] = job
        if request is not None:
            self._requests[request] = target.uri
        job.start()
        return job.id

    def check(self, document: OpenDocument, arguments: CheckOracleArguments) -> str:
        """Start a check of an oracle; return its id."""
        job = CheckJob(self._services, document, arguments, self._checks.discard, self.check)
        self._checks.add(job)
        job.start()
        return job.id

    def matching(self, uri: str | None, id: str | None) -> list[RunningReduction]:  # noqa: A002
        """Return the reductions of a document or folder, or the one with an id; by default all."""
        jobs: list[RunningReduction] = [*self._reductions.values(), *self._folders.values()]
        return [job for job in jobs if uri in (None, job.uri) and id in (None, job.id)]

    def stop_check(self, id: str) -> bool:  # noqa: A002
        """Stop the check with this id; return whether it exists."""
        matching = [check for check in self._checks if check.id == id]
        for check in matching:
            check.stop()
        return bool(matching)

    def stop_token(self, token: Token) -> None:
        """Stop the reduction whose progress has this token: the user pressed Cancel."""
        for job in [job for job in self.matching(None, None) if job.token == token]:
            job.stop()

    def stop_request(self, request: MessageId) -> None:
        """Stop the reduction that a request started; the request itself was answered long ago."""
        if request in self._requests:
            for job in self.matching(self._requests[request], None):
                job.stop()

    def closed(self, uri: str) -> None:
        """Stop the jobs of a document that was closed."""
        for job in self.matching(uri, None):
            job.abandon()
        for check in self._checks:
            if check.document.uri == uri:
                check.stop()

    def after_reduction(self, uri: str, call: AfterReduction) -> None:
        """Make `call` once no reduction of the document runs: now, or when the present one ends."""
        if uri in self._reductions:
            self._after_reduction.setdefault(uri, []).append(call)
        else:
            call(buffer_changed=False)

    def abandon(self) -> bool:
        """End all jobs, from any thread, and wait for them; return whether all have ended."""
        reductions, checks = self.matching(None, None), list(self._checks)
        for reduction in reductions:
            reduction.abandon()
        for check in checks:
            check.stop()
        deadline = time.monotonic() + _JOIN_SECONDS
        jobs: list[RunningReduction | CheckJob] = [*reductions, *checks]
        ended = [job.join(max(deadline - time.monotonic(), 0)) for job in jobs]
        return all(ended)

    def _restore(self, job: ReductionJob, replaced_text: str) -> None:
        if job.record is not None:
            self.restore(job.document, job.record, replaced_text)

    def _reduced(self, job: ReductionJob) -> None:
        uri = job.uri
        del self._reductions[uri]
        self._forget_requests(uri)
        for call in self._after_reduction.pop(uri, []):
            call(buffer_changed=job.buffer_changed)

    def _folder_reduced(self, job: FolderJob) -> None:
        del self._folders[job.uri]
        self._forget_requests(job.uri)

    def _forget_requests(self, uri: str) -> None:
        self._requests = {key: value for key, value in self._requests.items() if value != uri}
