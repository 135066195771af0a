"""The server's reports on a reduction: its figures, and one line for people."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from lsprotocol import types as lsp

from pollard.events import Progress
from pollard.oracle.checking.flakiness import compared_frequencies
from pollard.oracle.failures.comparing import compared, has_changed
from pollard.quantities import count_of, format_duration, format_size
from pollard_server.client.reporting import Reporter
from pollard_server.protocol.notifications import (
    ProgressParams,
    ShownCompanion,
    ShownFailure,
    ShownFrequency,
    ShownOtherFailure,
)
from pollard_server.records import RecordedOther

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.events import Counts, Measuring, Reduced, Result, Started
    from pollard_server.client.connection import Client
    from pollard_server.client.reporting import Token
    from pollard_server.protocol.notifications import State

_MAX_COMPANIONS_SHOWN = 3


class Named(Protocol):
    """A document or a folder, as far as reports name it."""

    @property
    def uri(self) -> str:
        """Its URI."""

    @property
    def name(self) -> str:
        """Its name for people."""


class ReductionReports:
    """Reports one reduction. Calls from the worker's thread are passed on to the loop's."""

    def __init__(
        self,
        client: Client,
        id: str,  # noqa: A002
        document: Named,
        token: Token | None,
    ) -> None:
        self.latest = ProgressParams(
            id=id, uri=document.uri, state="checking", bytes=0, original_bytes=0
        )
        self._client = client
        self._name = document.name
        self._reporter = Reporter(client, f"Reducing {document.name}", token)
        self._paused = ""
        self._notes_reported = 0

    @property
    def token(self) -> Token | None:
        """The token of `$/progress`."""
        return self._reporter.token

    # In the loop's thread:

    def begin(self, size: int) -> None:
        """Announce the reduction of a text of `size` bytes."""
        self.latest = replace(
            self.latest, bytes=size, original_bytes=size, message="checking the oracle"
        )
        self._reporter.begin()
        self._reporter.update(self.latest)

    def pause(self, message: str) -> None:
        """Report a pause, and its reason."""
        self._paused = message
        self._reporter.update(self.shown)

    def resume(self) -> None:
        """Report that the reduction goes on."""
        self._paused = ""
        self._reporter.update(self.shown)

    def end(self) -> None:
        """Report the end, with the message of the worker thread."""
        self._reporter.end(self.latest)

    @property
    def shown(self) -> ProgressParams:
        """The figures as the editor sees them: `paused` hides the engine's own state."""
        if not self._paused:
            return self.latest
        return replace(self.latest, state="paused", message=self._paused)

    # In the worker's thread:

    def begin_round(self, size: int) -> None:
        """Report that a round begins with a text of `size` bytes."""
        self._report(
            replace(
                self.latest,
                state="checking",
                bytes=size,
                original_bytes=size,
                message="checking the oracle",
                original_failure=None,
                failure=None,
            )
        )

    def started(self, event: Started) -> None:
        """Report that the original is interesting, so that the search begins."""
        self.announce(ShownFailure.of(event.failure), event.notes)

    def announce(self, failure: ShownFailure | None, notes: tuple[str, ...]) -> None:
        """Report that the search begins, with the original's failure and notes for the user."""
        self._report(
            replace(
                self.latest,
                state="reducing",
                message=_size(self.latest),
                original_failure=failure,
                failure=failure,
            )
        )
        self._notes_reported = len(notes)
        self.log_notes(notes)

    def log_notes(self, notes: tuple[str, ...]) -> None:
        """Write notes to the editor's log."""
        for note in notes:
            self._client.log(lsp.MessageType.Info, note)

    def measuring(self, event: Measuring) -> None:
        """Report that further runs measure how often a text fails."""
        self._report(replace(self.latest, message=f"measuring {event.what}"))

    def progress(self, event: Progress | Reduced) -> None:
        """Report the figures after a run, or after an accepted text."""
        if isinstance(event, Progress):
            self.figures(event.counts, event.bytes, event.where, str(event.outlook))
        else:
            self.figures(event.counts, len(event.text), event.where)

    def figures(self, counts: Counts, size: int, where: str, outlook: str = "") -> None:
        """Report the cost and the size in bytes so far; `where` is the pass, for people."""
        figures = replace(self._counted(counts), bytes=size, pass_=where, state="reducing")
        parts = (
            _size(figures),
            count_of(counts.runs, "run"),
            *counts.unresolved,
            f"{figures.rate:.0f} runs/s",
            where,
            outlook,
        )
        self._report(replace(figures, message=" · ".join(filter(None, parts))))

    def done(self, result: Result, problem: str) -> None:
        """Report the result in the buffer; `problem` says why it is not interesting, "" if it is."""
        self._finish("done", result, _summary(result))
        for note in result.notes[self._notes_reported :]:  # problems during the search
            self._warn(note)
        if problem:
            self._warn(
                "The failure is gone from what the editor made of the result: 'Step back to an "
                f"earlier reduction' and 'Restore original' bring earlier texts back.\n{problem}"
            )

    def beside(self, event: Progress) -> None:
        """Report the figures of the files beside the document, which has its result already."""
        self.figures(event.counts, self.latest.bytes, f"beside it, {event.where}")

    def companions_done(self, companions: tuple[ShownCompanion, ...]) -> None:
        """Add what became of the files beside the document to the report of its end."""
        shown = [*map(str, companions[:_MAX_COMPANIONS_SHOWN])]
        shown += [f"{len(companions) - len(shown)} more"] if len(companions) > len(shown) else []
        message = "; beside it: ".join(filter(None, [self.latest.message, ", ".join(shown)]))
        self.latest = replace(self.latest, companions=companions, message=message)

    def companions_failed(self, sentence: str) -> None:
        """Report that the files beside the document could not be reduced, and why."""
        self._warn(f"The files beside {self._name} are not reduced. {sentence}")

    def stopped(self, result: Result | None = None) -> None:
        """Report that the user stopped the reduction."""
        if result is None:
            self.latest = replace(self.latest, state="stopped", message="stopped before it began")
        else:
            self._finish("stopped", result, f"stopped: {_summary(result)}")

    def changes_kept(self, result: Result) -> None:
        """Report that the user kept the changed buffer."""
        self._finish("stopped", result, f"stopped, the text is yours: {_summary(result)}")

    def undelivered(self, result: Result, file: Path | None) -> None:
        """Report that the result is not in the buffer; `file` has it if anything was reduced."""
        kept = f"; the result is in {file}" if file else ""
        self._finish("stopped" if result.cancelled else "done", result, f"{_summary(result)}{kept}")
        if file and not result.cancelled:
            self._warn(
                f"The editor takes no edits of {self._name}, so the reduced text is in {file}."
            )

    def failed(self, sentence: str) -> None:
        """Report that the reduction failed, and why."""
        self.latest = replace(self.latest, state="failed", message=sentence)
        self._client.show(lsp.MessageType.Error, sentence)

    def _finish(self, state: State, result: Result, message: str) -> None:
        size = len(result.text)
        self.latest = replace(
            self._counted(result.counts),
            state=state,
            bytes=size,
            message=message,
            original_failure=ShownFailure.of(result.original_failure),
            failure=ShownFailure.of(result.failure),
            comparison=(
                *_comparison(result),
                *compared_frequencies(result.original_frequency, result.frequency),
            ),
            failure_changed=_has_changed(result),
            original_frequency=ShownFrequency.of(result.original_frequency),
            frequency=ShownFrequency.of(result.frequency),
            others=ShownOtherFailure.all_of(map(RecordedOther.of, result.others)),
        )
        self.log_notes(result.notes)
        if _has_changed(result):  # some editors do not show the message of the end
            self._warn(f"{self._name}: {_change(result)}.")

    def _counted(self, counts: Counts) -> ProgressParams:
        return replace(
            self.latest,
            runs=counts.runs,
            rate=round(counts.runs / counts.seconds, 1) if counts.seconds else 0.0,
            guarded=counts.guarded,
            cache_hits=counts.cache_hits,
            invalid=counts.invalid,
            timeouts=counts.timeouts,
            other_failures=counts.other_failures,
            reductions=counts.reductions,
            seconds=round(counts.seconds, 3),
        )

    def _report(self, params: ProgressParams) -> None:
        self.latest = params
        self._client.post(self._update)

    def _update(self) -> None:
        self._reporter.update(self.shown)

    def _warn(self, message: str) -> None:
        self._client.show(lsp.MessageType.Warning, message)


def _size(params: ProgressParams) -> str:
    return f"{format_size(params.bytes)} of {format_size(params.original_bytes)}"


def _summary(result: Result) -> str:
    """Return a summary such as "48 kB → 212 B, 214 runs, 12 s; same failure: ValueError"."""
    counts = result.counts
    sizes = f"{format_size(result.original.bytes)} → {format_size(len(result.text))}"
    runs = ", ".join([count_of(counts.runs, "run"), *counts.unresolved])
    costs = f"{sizes}, {runs}, {format_duration(counts.seconds)}"
    return "".join([costs, _outcome(result), _frequency(result), _others(result)])


def _comparison(result: Result) -> list[str]:
    """Compare the failures; a cancelled search need not know the result's, which is no change."""
    if result.cancelled and result.failure is None:
        return []
    return compared(result.original_failure, result.failure)


def _outcome(result: Result) -> str:
    """Return what became of the failure; "" if it is not known."""
    if _has_changed(result):
        return f". {_change(result)}"
    return f"; same failure: {result.failure.kind}" if result.failure else ""


def _frequency(result: Result) -> str:
    return f"; fails in {result.frequency}" if result.frequency else ""


def _has_changed(result: Result) -> bool:
    return bool(_comparison(result)) and has_changed(result.original_failure, result.failure)


def _change(result: Result) -> str:
    was, now = (each or "unknown" for each in (result.original_failure, result.failure))
    return f"The failure has changed: was {was}, is {now}"


def _others(result: Result) -> str:
    number = len(result.others)
    return f"; {count_of(number, 'other failure')} seen" if number else ""
