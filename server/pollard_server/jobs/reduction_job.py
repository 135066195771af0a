"""One reduction of one document, from the request to its last report."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.errors import Cancelled, PollardError
from pollard.events import Measuring, Progress, Reduced, Started
from pollard.oracle.shares import Shares
from pollard.project.project_plan import companions_plan
from pollard.settings import StreamSettings
from pollard_server.client.open_documents import encoded
from pollard_server.jobs.companions_round import CompanionsRound
from pollard_server.jobs.job_thread import JobThread
from pollard_server.jobs.permits import fetch_settings, final_text_problem, request_permit
from pollard_server.jobs.planning import (
    ReductionSettings,
    close_record,
    new_plan,
    resumed_plan,
    strategy_of,
)
from pollard_server.jobs.reduction_reports import ReductionReports
from pollard_server.jobs.reported_job import ReportedJob
from pollard_server.jobs.round import Decision, Round, RoundOutcome
from pollard_server.text.regions import selection

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lsprotocol import types as lsp

    from pollard.events import Event, Result
    from pollard.oracle import CommandOracle
    from pollard.reduction import Plan
    from pollard_server.client.open_documents import OpenDocument
    from pollard_server.client.reporting import Token
    from pollard_server.jobs.job_thread import Services
    from pollard_server.jobs.planning import Continued
    from pollard_server.protocol.arguments import ReduceArguments
    from pollard_server.protocol.notifications import ShownCompanion
    from pollard_server.records import Record
    from pollard_server.streaming import ForeignChange
    from pollard_server.text.regions import Region


class ReductionJob(ReportedJob):
    """Reduces a document in a thread of its own, in one or more rounds.

    The loop's thread creates it, starts it and passes on the user's actions. At the end it calls
    `ended` in the loop's thread, then `restore` if the user wants the original back, with the text
    that the original replaces.
    """

    nothing_is_lost = "Nothing is lost: 'Restore original' brings the original back."

    def __init__(
        self,
        services: Services,
        document: OpenDocument,
        arguments: ReduceArguments,
        token: Token | None,
        ended: Callable[[ReductionJob], object],
        restore: Callable[[ReductionJob, str], object],
        continued: Continued | None = None,
    ) -> None:
        text = document.snapshot.text
        encoding = services.client.encoding
        self.document = document
        # Until the first round begins, the record that it continues.
        self.record: Record | None = continued.record if continued else None
        self._replaced_text: str | None = None
        self._services = services
        self._arguments = arguments
        self._requested_text = text
        self._region = continued.region if continued else _region(text, arguments.range, encoding)
        self._ended = ended
        self._restore = restore
        self._worker = JobThread("reduction", self._work, lambda: services.client.post(self._end))
        self._stream = StreamSettings()
        self._plan: Plan | None = None
        self._round: Round | CompanionsRound | None = None
        self._foreign: ForeignChange | None = None
        self._paused = False
        self._ended_already = False
        self._reports = ReductionReports(services.client, self.id, document, token)

    @property
    def uri(self) -> str:
        """The URI of the document."""
        return self.document.uri

    @property
    def paused(self) -> bool:
        """Whether the reduction waits for `resume`, or for the user's decision."""
        return self._paused or self.buffer_changed

    @property
    def buffer_changed(self) -> bool:
        """Whether somebody other than Pollard has changed the buffer."""
        return self._foreign is not None

    # In the loop's thread:

    def start(self) -> None:
        """Start the worker thread."""
        self._reports.begin(len(self.document.content))
        self._worker.start()

    def stop(self) -> None:
        """End within half a second, with the best text so far unless the user changed the text."""
        if self._round is not None:
            self._round.stop()
        self._worker.stop()

    def abandon(self) -> None:
        """End now, from any thread: the editor is gone, or the document was closed."""
        if self._round is not None:
            self._round.abandon()
        self._worker.stop()

    def pause(self) -> None:
        """Start no further run of the oracle until `resume`."""
        self._paused = True
        if self._round is not None:
            self._round.pause()
        self._reports.pause("paused")

    def resume(self) -> None:
        """Go on; if the buffer was changed, from its present text."""
        self._paused = False
        self._reports.resume()
        if self._round is not None:
            self._round.resume()

    def _take_over_buffer(self) -> tuple[str, Region | None]:
        """Start streaming from the buffer's present text; return it and the region in it."""
        text = self.document.snapshot.text
        region = self._region.carried(self._requested_text, text) if self._region else None
        self._requested_text, self._region = text, region
        if self._round is not None:  # the user continues from the changed text
            self._paused = False
            self._reports.resume()
        self._round, self._foreign = None, None
        interval, live = self._stream.interval, self._stream.mode == "live"
        self.document.streamer.begin(self._on_foreign_change, interval=interval, live=live)
        return text, region

    def _give_back_buffer(self) -> bool:
        """End the streaming; return False if somebody has changed the buffer meanwhile."""
        self.document.streamer.end()
        return self._foreign is None

    def _on_foreign_change(self, reason: ForeignChange) -> None:
        """Pause after a change of the buffer that is not Pollard's, and let the user decide."""
        self._foreign = reason
        if self._round is not None:
            if not self._worker.stopping.is_set():
                self._reports.pause(f"paused: {reason.value}")
            self._round.on_foreign_change(reason)

    def _set_round(self, round_: Round | CompanionsRound) -> None:
        """Make `round_` the current round; pass on an earlier stop, pause or foreign change."""
        self._round = round_
        if self._worker.stopping.is_set():
            round_.stop()
        if self._paused:
            round_.pause()
        if self._foreign is not None:
            self._on_foreign_change(self._foreign)

    def _end(self) -> None:
        self.document.streamer.end()
        self._reports.end()
        self._ended(self)
        self._ended_already = True
        if self._replaced_text is not None:
            self._restore(self, self._replaced_text)

    def _on_late_answer(self, decision: Decision) -> None:
        """Restore the original if the user chose that after another decision, such as a stop."""
        if decision is Decision.RESTORE:
            self._replaced_text = self.document.snapshot.text
            if self._ended_already:
                self._restore(self, self._replaced_text)

    # In the worker's thread:

    def _work(self) -> None:
        try:
            self.reporting_errors(self._reduce_and_finish, self.document.name)
        finally:
            self._close_record()

    def _reduce_and_finish(self) -> None:
        common = self._prepare()
        self._finish(common, self._rounds(common))

    def _prepare(self) -> ReductionSettings:
        """Fetch the settings, choose strategy and oracle, and get the permit to run the oracle."""
        services, document, arguments = self._services, self.document, self._arguments
        document_settings = fetch_settings(services, self._worker, document)
        strategy = strategy_of(arguments, document_settings.settings)
        latest = document.records.latest() if arguments.resume else None
        name = arguments.oracle or arguments.diagnostic or (latest.oracle if latest else None)
        permit = request_permit(services, self._worker, document, document_settings, name)
        self._stream = document_settings.settings.stream
        return ReductionSettings(strategy, document_settings.settings, permit)

    def _rounds(self, common: ReductionSettings) -> RoundOutcome:
        """Reduce until the end, or until the user decides not to continue."""
        resume = self._arguments.resume
        while True:
            text, region = self._worker.wait_for(
                self._services.call_on_loop(self._take_over_buffer)
            )
            content, encoding = encoded(text, self.document.encoding), self.document.encoding
            if resume:
                plan, record = resumed_plan(common, self.document, content)
            else:
                span = region.to_bytes(text) if region else None
                span = encoding.span_in_file(text.encode(), span) if span else None
                plan, record = new_plan(common, self.document, content, span, self.record)
            # Each round has its own share, because that of the round before may be paused.
            with self._shares(plan.jobs, common.permit.oracle).share() as share:
                outcome = self._reduce(replace(plan, share=share), record)
            if outcome.decision is not Decision.KEEP_REDUCING:
                return outcome
            self._close_record(outcome.result, buffer_changed=True)
            resume = False

    def _shares(self, jobs: int, oracle: CommandOracle) -> Shares:
        """Return what gives turns to runs: those on a cluster do not use this machine."""
        return Shares(jobs) if oracle.cluster else self._services.shares

    def _reduce(self, plan: Plan, record: Record) -> RoundOutcome:
        self._plan, self.record = plan, record
        self._reports.begin_round(len(plan.text))
        round_ = Round(
            self._services,
            self._worker,
            self.document,
            plan,
            record,
            self._on_event,
            self._on_late_answer,
        )
        self._worker.wait_for(self._services.call_on_loop(lambda: self._set_round(round_)))
        return round_.run()

    def _on_event(self, event: Event) -> None:
        if isinstance(event, Started):
            self._reports.started(event)
        elif isinstance(event, Measuring):
            self._reports.measuring(event)
        elif isinstance(event, Reduced | Progress):
            self._reports.progress(event)

    def _finish(self, common: ReductionSettings, outcome: RoundOutcome) -> None:
        """Check the buffer's final text, and report the result."""
        result, reports = outcome.result, self._reports
        if outcome.decision is Decision.RESTORE:
            self._replaced_text = outcome.replaced_text
        file = self._close_record(result, buffer_changed=outcome.decision is not None)
        if result is None:
            reports.stopped()
        elif outcome.decision is not None:
            reports.changes_kept(result)
        elif not outcome.delivered:
            reports.undelivered(result, file)
        elif result.cancelled:
            reports.stopped(result)
        else:
            problem = final_text_problem(self._services, self._worker, self.document, common.permit)
            companions = () if problem else self._companions_after(result)
            if self._worker.stopping.is_set():
                reports.stopped(result)
            else:
                reports.done(result, problem)
            reports.companions_done(companions)

    def _companions_after(self, result: Result) -> tuple[ShownCompanion, ...]:
        """Reduce the files beside the document, if that is wanted; return what became of them."""
        try:
            return self._reduce_companions(result)
        except Cancelled:
            return ()
        except PollardError as error:
            self._reports.companions_failed(str(error))
        except OSError as error:
            reason = error.strerror or error
            self._reports.companions_failed(f"The results cannot be written: {reason}.")
        return ()

    def _reduce_companions(self, result: Result) -> tuple[ShownCompanion, ...]:
        assert self._plan is not None
        plan = companions_plan(self._plan, result)
        if plan is None or not self._worker.wait_for(
            self._services.call_on_loop(self._give_back_buffer)
        ):
            return ()
        place = self.document.records.directory / "companions"
        with self._services.shares.share() as share:
            plan = replace(plan, each=replace(plan.each, share=share))
            round_ = CompanionsRound(plan, place, self._reports.beside)
            self._worker.wait_for(self._services.call_on_loop(lambda: self._set_round(round_)))
            return round_.run()

    def _close_record(
        self, result: Result | None = None, *, buffer_changed: bool = False
    ) -> Path | None:
        """Write into the record how the reduction ended; return the file with the result, if any.

        A record without accepted texts is discarded, because the buffer still has the original. It
        is kept if someone other than Pollard changed the buffer, or if other failures were seen. Does
        nothing if the record is closed already.
        """
        record, document = self.record, self.document
        if record is None or record.status != "running":
            return None
        stopped = self._worker.stopping.is_set()
        file = close_record(record, document.name, result, stopped=stopped)
        if record.steps() or record.others or buffer_changed:
            return file
        document.records.discard(record)
        self.record = None
        return None


def _region(
    text: str, selected: lsp.Range | None, encoding: lsp.PositionEncodingKind
) -> Region | None:
    """Return the part of the text that may change. None, also for an empty selection, means all."""
    if selected is None or selected.start == selected.end:
        return None
    return selection(text, selected, encoding)
