"""What all jobs have in common whose figures and messages the editor shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pollard_server.client.reporting import Token
    from pollard_server.jobs.job_thread import JobThread
    from pollard_server.jobs.reduction_reports import ReductionReports
    from pollard_server.protocol.notifications import ProgressParams


class ReportedJob:
    """A job in a worker thread, with its reports; a subclass sets both before it starts."""

    _worker: JobThread
    _reports: ReductionReports

    @property
    def id(self) -> str:
        """The reduction's name in this session."""
        return self._worker.id

    @property
    def status(self) -> ProgressParams:
        """The reduction's figures, as last reported to the editor."""
        return self._reports.shown

    @property
    def token(self) -> Token | None:
        """The token of the reduction's `$/progress`."""
        return self._reports.token

    def join(self, seconds: float) -> bool:
        """Wait for the reduction's thread to end, from another one; return whether it did."""
        return self._worker.join(seconds)
