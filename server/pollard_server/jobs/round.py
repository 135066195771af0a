"""One run of the engine on one text, streamed into the buffer until somebody else changes it."""

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
from pollard_server.streaming import ForeignChange

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.events import Event, Result
    from pollard.reduction import Plan
    from pollard_server.client.open_documents import OpenDocument
    from pollard_server.jobs.job_thread import JobThread, Services
    from pollard_server.records import Record

#: The interval of reports to the loop. Reports to the editor are rarer still, see `Throttle`.
REPORT_SECONDS = 0.05

# The longest wait for the editor to take the result at the end of a reduction.
_FLUSH_SECONDS = 10.0


_CHOICE = "Continue from this text, stop and keep it, or restore the original?"


class Decision(enum.Enum):
    """The user's answers to a foreign change of the buffer; the values are the buttons' titles.

    They are short, because editors cut long ones off; the question says what they do.
    """

    KEEP_REDUCING = "Continue"
    KEEP_MINE = "Stop"
    RESTORE = "Restore"


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """The end of a round: the engine's result, and the user's decision after a foreign change.

    `delivered` is True if the buffer has the result. `replaced_text` is the buffer's text at the time
    of the decision.
    """

    result: Result | None = None
    decision: Decision | None = None
    delivered: bool = False
    replaced_text: str = ""


class Round:
    """Runs the engine in the worker thread, and streams its texts into the buffer in the loop's."""

    def __init__(
        self,
        services: Services,
        worker: JobThread,
        document: OpenDocument,
        plan: Plan,
        record: Record,
        listener: Callable[[Event], None],
        on_late_answer: Callable[[Decision], None],
    ) -> None:
        """Prepare the round.

        `listener` gets the engine's events in the worker's thread, with `Progress` at a limited rate.
        `on_late_answer` is called in the loop's thread with an answer that comes after the decision.
        """
        self._services = services
        self._worker = worker
        self._document = document
        self._record = record
        self._encoding = plan.chosen_encoding()
        self._listener = listener
        self._on_late_answer = on_late_answer
        self._reduction = Reduction(plan, self._on_event)
        self._decision: Future[Decision] = Future()
        self._reported_at = float("-inf")
        self._newest: bytes | None = None
        self._lock = threading.Lock()
        self._delivered: Future[bool] = Future()
        self._not_paused = threading.Event()
        self._not_paused.set()
        self._cancelled = False
        self._replaced_text = ""
        self.foreign = False

    # In the loop's thread:

    def pause(self) -> None:
        """Start no further run of the oracle, and accept no further text."""
        if not self._cancelled:  # a paused engine would never notice the cancellation
            self._not_paused.clear()
            self._reduction.pause()

    def resume(self) -> None:
        """Go on; if the buffer was changed, from its present text."""
        if self.foreign:
            self.decide(Decision.KEEP_REDUCING)
        else:
            self._not_paused.set()
            self._reduction.resume()

    def stop(self) -> None:
        """End soon with the best text so far; do not touch a buffer that the user has changed."""
        if self.foreign:
            self.decide(Decision.KEEP_MINE)
        self._cancel()

    def decide(self, decision: Decision) -> None:
        """Take the user's decision; only the first one counts."""
        if not self._decision.done():
            self._replaced_text = self._document.snapshot.text
            self._decision.set_result(decision)
        self._cancel()

    def abandon(self) -> None:
        """End now, from any thread: the editor is gone, or the document was closed."""
        self._cancel()
        self._delivered.cancel()
        if not self._decision.done():
            self._decision.set_result(Decision.KEEP_MINE)

    def _cancel(self) -> None:
        self._cancelled = True
        self._reduction.cancel()
        self._not_paused.set()

    def on_foreign_change(self, reason: ForeignChange) -> None:
        """After a foreign change: send nothing, run nothing, and ask the user what to do."""
        self.foreign = True
        if self._cancelled:  # stopped, and the user typed before the last edit arrived
            self.decide(Decision.KEEP_MINE)
            return
        self.pause()
        self._reported_at = float("-inf")
        question = f"{_FOREIGN_CHANGES[reason].format(self._document.name)} {_CHOICE}"
        titles = [decision.value for decision in Decision]
        answer = self._services.client.ask(lsp.MessageType.Warning, question, titles)
        answer.add_done_callback(self._answered)

    def _answered(self, answer: Future[str | None]) -> None:
        """Without an answer the round stays paused; it can be resumed or stopped at any time."""
        title = chosen_title(answer)
        if title is None:
            return
        if self._decision.done():
            self._on_late_answer(Decision(title))
        self.decide(Decision(title))

    # In the worker's thread:

    def run(self) -> RoundOutcome:
        """Reduce until the end or until the user's decision.

        Raises Cancelled if the user stopped it before the search began, and PollardErrors.
        """
        try:
            result = self._reduction.run()
        except Cancelled:
            if not self._decision.done():
                raise
            return self._decided(None)
        delivered = not self.foreign and self._flush(result)
        if self.foreign:
            return self._decided(result)
        return RoundOutcome(result, delivered=delivered)

    def _decided(self, result: Result | None) -> RoundOutcome:
        decision = self._worker.wait_for(self._decision)
        return RoundOutcome(result, decision, replaced_text=self._replaced_text)

    def _flush(self, result: Result) -> bool:
        """Put the result into the buffer; return whether it arrived."""
        self._services.client.post(self._send_last, decoded(result.text, self._encoding))
        try:
            return self._delivered.result(_FLUSH_SECONDS)
        except (CancelledError, TooLate):
            return False

    def _send_last(self, text: str) -> None:
        self._document.streamer.offer(text)
        self._document.streamer.flush(self._arrived)

    def _arrived(self, arrived: bool) -> None:
        if self._delivered.set_running_or_notify_cancel():
            self._delivered.set_result(arrived)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, Reduced):
            self._not_paused.wait()  # cached verdicts come without a run that could be paused
        if isinstance(event, Started) and self._reduction.best != self._record.original:
            self._offer(self._reduction.best)  # the best text of the interrupted reduction
        if isinstance(event, Reduced):
            self._record.add_step(event)
            self._offer(event.text)
        if isinstance(event, Progress):
            now = time.monotonic()
            if now < self._reported_at + REPORT_SECONDS:
                return
            self._reported_at = now
        self._listener(event)

    def _offer(self, text: bytes) -> None:
        """Offer a text in the loop's thread; it replaces one that is still waiting."""
        with self._lock:
            waiting, self._newest = self._newest is not None, text
        if not waiting:
            self._services.client.post(self._offer_newest)

    def _offer_newest(self) -> None:
        with self._lock:
            text, self._newest = self._newest, None
        if text is not None:
            self._document.streamer.offer(decoded(text, self._encoding))


_FOREIGN_CHANGES = {
    ForeignChange.CHANGED: "{} was changed while it was being reduced, so the reduction is paused.",
    ForeignChange.REFUSED: "The editor refused to change {}, so its reduction is paused.",
    ForeignChange.LOST: (
        "The editor said that it had changed {}, but did not, so its reduction is paused."
    ),
}
