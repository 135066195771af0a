"""One run of the engine over one text, streamed into the buffer until somebody else changes it."""

from __future__ import annotations

import enum
import threading
import time
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as TooLate
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pollard.errors import Cancelled
from pollard.events import Progress, Reduced, Started
from pollard.reduction import Reduction
from pollard_server.client.connection import chosen_title
from pollard_server.client.open_documents import decoded
from pollard_server.streaming import Foreign

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.events import Event, Result
    from pollard.reduction import Plan
    from pollard_server.client.open_documents import OpenDocument
    from pollard_server.jobs.job_thread import JobThread, Services
    from pollard_server.records import Record

# How often the loop is told of runs; the throttle behind it decides what the editor hears.
_TELL_SECONDS = 0.05

# The buffer gets the best text when a reduction ends; who does not answer by then is not waited for.
_FLUSH_SECONDS = 10.0


class Decision(enum.Enum):
    """What the user wants after somebody else changed the buffer; the values are the buttons."""

    KEEP = "Keep reducing from here"
    MINE = "Stop and keep mine"
    RESTORE = "Restore original"


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """How a round ended: with the engine's result, and perhaps with a decision of the user's.

    `reached` tells whether the buffer has the result's text, `given_away` what it had when the user
    decided.
    """

    result: Result | None = None
    decision: Decision | None = None
    reached: bool = False
    given_away: str = ""


class Round:
    """Runs the engine in the worker's thread; what it finds goes into the buffer on the loop's."""

    def __init__(
        self,
        services: Services,
        worker: JobThread,
        document: OpenDocument,
        plan: Plan,
        record: Record,
        listener: Callable[[Event], None],
        decided_late: Callable[[Decision], None],
    ) -> None:
        """`listener` hears the engine's events in the worker's thread, not more than is readable.

        `decided_late` hears, in the loop's, of an answer that came when all was decided.
        """
        self._services = services
        self._worker = worker
        self._document = document
        self._record = record
        self._listener = listener
        self._decided_late = decided_late
        self._reduction = Reduction(plan, self._heard)
        self._decision: Future[Decision] = Future()
        self._told = float("-inf")
        self._newest: bytes | None = None
        self._lock = threading.Lock()
        self._reached: Future[bool] = Future()
        self._going_on = threading.Event()
        self._going_on.set()
        self._cancelled = False
        self._given_away = ""
        self.foreign = False

    # In the loop's thread:

    def pause(self) -> None:
        """Start no further run of the oracle, and accept nothing more."""
        if not self._cancelled:  # else nothing would ever let it go on to its end
            self._going_on.clear()
            self._reduction.pause()

    def resume(self) -> None:
        """Go on; if the buffer was changed, from what it holds now."""
        if self.foreign:
            self.decide(Decision.KEEP)
        else:
            self._going_on.set()
            self._reduction.resume()

    def stop(self) -> None:
        """End soon, with the best so far; a buffer that was changed stays as it is."""
        if self.foreign:
            self.decide(Decision.MINE)
        self._cancel()

    def decide(self, decision: Decision) -> None:
        """Take the user's decision, of which the first one counts."""
        if not self._decision.done():
            self._given_away = self._document.snapshot.text
            self._decision.set_result(decision)
        self._cancel()

    def abandon(self) -> None:
        """End now, from any thread: there is no editor any more, or no document in it."""
        self._cancel()
        self._reached.cancel()
        if not self._decision.done():
            self._decision.set_result(Decision.MINE)

    def _cancel(self) -> None:
        self._cancelled = True
        self._reduction.cancel()
        self._going_on.set()

    def take_over(self, why: Foreign) -> None:
        """The buffer is somebody else's: send nothing, run nothing, and ask the user what to do."""
        self.foreign = True
        if self._cancelled:  # the user has stopped it, and typed before the last edit came
            self.decide(Decision.MINE)
            return
        self.pause()
        self._told = float("-inf")
        question = f"{_HAPPENED[why].format(self._document.name)} What now?"
        titles = [decision.value for decision in Decision]
        answer = self._services.client.ask(lsp.MessageType.Warning, question, titles)
        answer.add_done_callback(self._answered)

    def _answered(self, answer: Future[str | None]) -> None:
        """Without a choice it stays paused: it can be resumed or stopped at any time."""
        title = chosen_title(answer)
        if title is None:
            return
        if self._decision.done():
            self._decided_late(Decision(title))
        self.decide(Decision(title))

    # In the worker's thread:

    def run(self) -> RoundOutcome:
        """Reduce to the end or to a decision of the user's.

        Raises Cancelled if it was stopped before the first run ended, and PollardErrors.
        """
        try:
            result = self._reduction.run()
        except Cancelled:
            if not self._decision.done():
                raise
            return self._decided(None)
        reached = not self.foreign and self._flush(result)
        if self.foreign:
            return self._decided(result)
        return RoundOutcome(result, reached=reached)

    def _decided(self, result: Result | None) -> RoundOutcome:
        decision = self._worker.wait_for(self._decision)
        return RoundOutcome(result, decision, given_away=self._given_away)

    def _flush(self, result: Result) -> bool:
        """Bring the result into the buffer; tell whether it got there."""
        self._services.client.post(self._send_last, decoded(result.text))
        try:
            return self._reached.result(_FLUSH_SECONDS)
        except (CancelledError, TooLate):
            return False

    def _send_last(self, text: str) -> None:
        self._document.streamer.offer(text)
        self._document.streamer.flush(self._arrived)

    def _arrived(self, arrived: bool) -> None:
        if self._reached.set_running_or_notify_cancel():
            self._reached.set_result(arrived)

    def _heard(self, event: Event) -> None:
        if isinstance(event, Reduced):
            self._going_on.wait()  # verdicts that are known come without a run that could be paused
        if isinstance(event, Started) and self._reduction.best != self._record.original:
            self._offer(self._reduction.best)  # what the interrupted reduction had found
        if isinstance(event, Reduced):
            self._record.add_step(event)
            self._offer(event.text)
        if isinstance(event, Progress):
            now = time.monotonic()
            if now < self._told + _TELL_SECONDS:
                return
            self._told = now
        self._listener(event)

    def _offer(self, text: bytes) -> None:
        """Let the loop offer a text; one that still waits for that is replaced by a newer one."""
        with self._lock:
            waiting, self._newest = self._newest is not None, text
        if not waiting:
            self._services.client.post(self._offer_newest)

    def _offer_newest(self) -> None:
        with self._lock:
            text, self._newest = self._newest, None
        if text is not None:
            self._document.streamer.offer(decoded(text))


_HAPPENED = {
    Foreign.CHANGED: "{} was changed while it was being reduced, so the reduction is paused.",
    Foreign.REFUSED: "The editor refused to change {}, so its reduction is paused.",
    Foreign.LOST: "The editor said that it had changed {}, but did not, so its reduction is paused.",
}
