"""What all jobs have in common whose figures and messages the editor shows."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pollard.errors import Cancelled, PollardError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard_server.client.reporting import Token
    from pollard_server.jobs.job_thread import JobThread
    from pollard_server.jobs.reduction_reports import ReductionReports
    from pollard_server.protocol.notifications import ProgressParams


logger = logging.getLogger(__name__)


class ReportedJob:
    """A job in a worker thread, with its reports; a subclass sets both before it starts."""

    #: What a user is told after an internal error about the document or the folder.
    nothing_is_lost: str

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

    def reporting_errors(self, work: Callable[[], None], what: str) -> None:
        """Call `work` in the worker's thread, and report how it ended early, if it did.

        `what` is the name of what is reduced, for people.
        """
        try:
            work()
        except Cancelled:
            self._reports.stopped()
        except PollardError as error:
            if self._worker.stopping.is_set():
                self._reports.stopped()
            else:
                self._reports.failed(str(error))
        except Exception:
            logger.exception("%s failed", self.id)
            self._reports.failed(
                f"The reduction of {what} ended with an internal error; see the server's log. "
                f"{self.nothing_is_lost}"
            )

    def join(self, seconds: float) -> bool:
        """Wait for the reduction's thread to end, from another one; return whether it did."""
        return self._worker.join(seconds)
