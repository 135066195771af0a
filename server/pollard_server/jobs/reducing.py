"""One reduction of one document, from the request to its last report."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.errors import Cancelled, PollardError
from pollard.events import Progress, Reduced, Started
from pollard.files import write_atomically
from pollard.oracle import Runner, check
from pollard.passes.strategy import Strategy
from pollard.reduction import Plan
from pollard.settings import Settings
from pollard_server.documents import encoded
from pollard_server.jobs.oracles import permitted
from pollard_server.jobs.reports import Reports
from pollard_server.jobs.round import Decision, Outcome, Round
from pollard_server.jobs.worker import Worker
from pollard_server.text.regions import selection

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.events import Event
    from pollard.oracle.shares import Share
    from pollard_server.arguments import Reduce
    from pollard_server.documents import Document
    from pollard_server.jobs.services import Services
    from pollard_server.notifications import ProgressParams
    from pollard_server.progress import Token
    from pollard_server.records import Record
    from pollard_server.streaming import Foreign
    from pollard_server.text.regions import Region
    from pollard_server.trust import Permit

logger = logging.getLogger(__name__)


class Reducing:
    """Reduces a document in a worker thread, as often as the user says "from here".

    The loop's thread makes it, starts it and tells it what the user does. There `ended` is called when
    all is over, and `restore` after that if the user wants the original back.
    """

    def __init__(
        self,
        services: Services,
        document: Document,
        wish: Reduce,
        token: Token | None,
        ended: Callable[[Reducing], object],
        restore: Callable[[Reducing], object],
    ) -> None:
        text = document.snapshot.text
        encoding = services.client.encoding
        self.document = document
        self.record: Record | None = None
        self._wants_original = False
        self._services = services
        self._wish = wish
        self._asked = text
        self._region = selection(text, wish.range, encoding) if wish.range else None
        self._ended = ended
        self._restore = restore
        self._worker = Worker("reduction", self._work, lambda: services.client.post(self._end))
        self._settings = Settings()
        self._round: Round | None = None
        self._foreign: Foreign | None = None
        self._paused = False
        self._over = False
        self._reports = Reports(services.client, self.id, document, token)

    @property
    def id(self) -> str:
        """Its name in this session."""
        return self._worker.id

    @property
    def status(self) -> ProgressParams:
        """How it stands."""
        return self._reports.latest

    @property
    def token(self) -> Token | None:
        """The token of its `$/progress`."""
        return self._reports.token

    @property
    def paused(self) -> bool:
        """Whether it waits for `resume`, or for what the user decides."""
        return self._paused or (self._round is not None and self._round.foreign)

    # In the loop's thread:

    def start(self) -> None:
        """Begin, in the background."""
        self._reports.begin(len(self._asked.encode("utf-8", "replace")))
        self._worker.start()

    def stop(self) -> None:
        """End within half a second, with the best so far in the buffer unless that was changed."""
        if self._round is not None:
            self._round.stop()
        self._worker.stop()

    def abandon(self) -> None:
        """End now, from any thread: nobody is there to be told, or the document was closed."""
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
        """Go on; after the buffer was changed, from what it holds now."""
        self._paused = False
        self._reports.resume()
        if self._round is not None:
            self._round.resume()

    def join(self, seconds: float) -> bool:
        """Wait for its thread, from any other; tell whether it ended."""
        return self._worker.join(seconds)

    def _take(self) -> tuple[str, Region | None]:
        """Take the buffer as it is now; from here on it is ours."""
        text = self.document.snapshot.text
        region = self._region.carried(self._asked, text) if self._region else None
        self._asked, self._region = text, region
        self._round, self._foreign = None, None
        stream = self._settings.stream
        self.document.streamer.begin(
            self._taken_over, interval=stream.interval, live=stream.mode == "live"
        )
        return text, region

    def _taken_over(self, why: Foreign) -> None:
        """Somebody else changed the buffer."""
        self._foreign = why
        if self._round is not None:
            self._reports.pause("paused: the document was changed")
            self._round.take_over(why)

    def _enter(self, round_: Round) -> None:
        """Make it the current round; what happened while it was made has happened to it."""
        self._round = round_
        if self._paused:
            round_.pause()
        if self._foreign is not None:
            self._taken_over(self._foreign)

    def _end(self) -> None:
        self.document.streamer.end()
        self._reports.end()
        self._ended(self)
        self._over = True
        if self._wants_original:
            self._restore(self)

    def _decided_late(self, decision: Decision) -> None:
        """The question was answered when the reduction had ended: the original may still be wanted."""
        if decision is Decision.RESTORE:
            self._wants_original = True
            if self._over:
                self._restore(self)

    # In the worker's thread:

    def _work(self) -> None:
        try:
            permit = self._prepare()
            with self._services.shares.share() as share:
                self._finish(permit, share, self._rounds(permit, share))
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
                f"The reduction of {self.document.name} ended with an internal error, which the "
                "server's log tells; nothing is lost: 'Restore original' brings the original back."
            )
        finally:
            self._close_record()

    def _prepare(self) -> Permit:
        """Find out what to run, and whether it may be run."""
        services = self._services
        found, permit = permitted(services, self._worker, self.document, self._wish.oracle)
        self._settings = found.settings
        services.shares.most = max(services.shares.most, found.settings.workers)
        return permit

    def _rounds(self, permit: Permit, share: Share) -> Outcome:
        """Reduce until it comes to an end, or the user to another decision than to go on."""
        while True:
            text, region = self._worker.wait_for(self._services.on_loop(self._take))
            plan = self._plan(
                permit, share, encoded(text), region.to_bytes(text) if region else None
            )
            outcome = self._reduce(plan)
            if outcome.decision is not Decision.KEEP:
                return outcome
            self._close_record()

    def _reduce(self, plan: Plan) -> Outcome:
        assert self.record is not None
        self._reports.begin_round(len(plan.text))
        round_ = Round(
            self._services,
            self._worker,
            self.document,
            plan,
            self.record,
            self._heard,
            self._decided_late,
        )
        self._worker.wait_for(self._services.on_loop(lambda: self._enter(round_)))
        return round_.run()

    def _plan(
        self, permit: Permit, share: Share, text: bytes, region: tuple[int, int] | None
    ) -> Plan:
        """Return what to do with the buffer's text; the original is on disk when it returns."""
        settings, grammar = self._settings, self.document.grammar
        plan = Plan(
            text=text,
            filename=self.document.name,
            oracle=permit.oracle,
            grammar=grammar,
            strategy=_strategy(self._wish.strategy, settings),
            jobs=settings.workers,
            region=region,
            guard=settings.guard,
            checks=settings.checks,
            cache=settings.cache,
            share=share,
        )
        if self._wish.resume and self.record is None:
            return self._continued(plan)
        self.record = self.document.records.begin(
            original=text,
            oracle=permit.oracle.name,
            strategy=plan.strategy.name if plan.strategy else "",
            region=region,
            language=grammar.name if grammar else None,
            continues=self.record.id if self.record else None,
        )
        return replace(plan, journal=self.record.directory)

    def _continued(self, plan: Plan) -> Plan:
        """Return the plan of the interrupted reduction of which the buffer has a text."""
        record = self.document.records.latest()
        if record is None or not record.can_continue_from(plan.text):
            raise PollardError(
                f"There is no interrupted reduction of {self.document.name} as it is now; start a "
                "new one."
            )
        record.resume()
        self.record = record
        return replace(
            plan,
            text=record.original,
            strategy=Strategy.parse(record.strategy) if record.strategy else None,
            region=record.region,
            journal=record.directory,
            resume=record.has_journal,
        )

    def _heard(self, event: Event) -> None:
        if isinstance(event, Started):
            self._reports.started(event)
        elif isinstance(event, Reduced | Progress):
            self._reports.progress(event)

    def _finish(self, permit: Permit, share: Share, outcome: Outcome) -> None:
        """Confirm what the buffer has now, and say what it all came to."""
        result, record = outcome.result, self.record
        assert result is not None
        assert record is not None
        self._wants_original = outcome.decision is Decision.RESTORE
        _keep(record, self.document.name, result.text)
        record.finish(
            "stopped" if result.cancelled else "finished", best=result.text, counts=result.counts
        )
        if outcome.decision is not None:
            self._reports.left(result)
        elif not outcome.reached:
            self._reports.unreached(result, record.directory)
        elif result.cancelled:
            self._reports.stopped(result)
        else:
            self._reports.done(result, complaint=self._complaint(permit, share))

    def _complaint(self, permit: Permit, share: Share) -> str:
        """Run the oracle on the buffer's own text; return what is wrong with it, if anything is."""
        text = self._worker.wait_for(self._services.on_loop(lambda: self.document.snapshot.text))
        with Runner(permit.oracle, self.document.name, share=share) as runner:
            checked = check(
                runner, self.document.name, encoded(text), runs=1, cancelled=self._worker.stopping
            )
        return "" if checked.interesting else checked.describe()

    def _close_record(self) -> None:
        """Write down that a record's reduction is over, unless that was done."""
        if self.record is not None and self.record.status == "running":
            self.record.finish("stopped" if self._worker.stopping.is_set() else "failed")


def _strategy(given: str | tuple[str, ...] | None, settings: Settings) -> Strategy | None:
    """Return the strategy of the request or the settings; None leaves the choice to the engine."""
    chosen = given or settings.strategy
    return Strategy.parse(chosen) if chosen else None


def _keep(record: Record, name: str, text: bytes) -> None:
    """Put the result beside the record's journal, as a file that people can use."""
    write_atomically(record.directory / f"reduced-{name}", text)
