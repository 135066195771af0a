"""The state of one buffer while texts are streamed into it: a state machine without I/O.

No message of an editor can be trusted alone. Neovim answers `applied: true` to an edit that it
dropped; the answer and the `didChange` come in either order; and a `didChange` may contain an edit
together with what the user typed after it. So an edit has *landed* only when both have come: the
answer, and a `didChange` with the expected text. An edit can end in these ways:

- It lands. The next one may be sent, with the version that arrived with the text.
- It is refused (`applied: false`, or an error as from Emacs). If the version has changed and the
  text has not, the edit is tried again with the newer version; else it is `ForeignChange.REFUSED`.
- Half of it arrives. Neovim makes an edit that reaches the end of the document in two steps and may
  publish both. The first is neither the expected text nor foreign; if nothing follows, the edit is
  lost.
- The editor says `applied: true`, but the text never arrives: `ForeignChange.LOST`. The caller
  measures the time.
- Another text arrives, the user's own or one merged with the edit: `ForeignChange.CHANGED`.

A `didChange` with a new version of the same text is not a change. One that brings back the text
from before an edit that has landed is the user's undo, and foreign. After a foreign change nothing
is proposed until `begin`. An edit that is then still in flight must be answered first, because the
editor might yet apply it.

Versions are never predicted, because a prediction can coincide with the version of the user's next
keystroke. They are sent as they were published, with one exception: Neovim opens documents with
version 0 and never refuses an edit against it, so it is sent another version (see `streamer`). None
means no version, and protects nothing.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from pollard_server.text.text_edits import is_half_made, shows


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A document's whole text, and the version that the editor gave it.

    Versions are the editor's own: they may begin with 0 and skip numbers. None if it gave none.
    """

    version: int | None
    text: str


class ForeignChange(enum.Enum):
    """Why the buffer no longer has the text that streaming put there; the values are for people."""

    CHANGED = "the document was changed"
    REFUSED = "the editor refused an edit"
    LOST = "the editor accepted an edit, but its text never came"


@dataclass(frozen=True, slots=True)
class Proposal:
    """An edit to be sent: it changes the text of `base`, with its version, to `text`."""

    base: Snapshot
    text: str


class _Owner(enum.Enum):
    USER = enum.auto()
    STREAM = enum.auto()
    NOBODY = enum.auto()  # after a foreign change, until the user decides


@dataclass(slots=True)
class _Flight:
    """An edit that was sent, and what has arrived since: an answer, its text, or another text."""

    proposal: Proposal
    answered: bool = False
    arrived: bool = False
    overtaken: bool = False

    @property
    def over(self) -> bool:
        """Whether the edit's text has arrived, or cannot arrive any more."""
        return self.arrived or self.overtaken


class Stream:
    """The published state of one document's buffer, and the edit in flight, if there is one."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._owner = _Owner.USER
        self._wanted: str | None = None
        self._shown = snapshot.text
        self._flight: _Flight | None = None

    @property
    def owned(self) -> bool:
        """Whether Pollard may change the buffer: begun, not ended, and no foreign change since."""
        return self._owner is _Owner.STREAM

    @property
    def foreign(self) -> bool:
        """Whether a foreign change has interrupted the streaming."""
        return self._owner is _Owner.NOBODY

    @property
    def settled(self) -> bool:
        """Whether Pollard may change the buffer, it has the newest text, and no edit is in flight."""
        return self.owned and self._flight is None and self._has_newest

    @property
    def awaits_text(self) -> bool:
        """Whether the editor said that it applied an edit whose text has not arrived yet."""
        return self._flight is not None and self._flight.answered

    def begin(self) -> None:
        """Take over the buffer with its present text."""
        self._owner = _Owner.STREAM
        self._wanted = None
        self._shown = self.snapshot.text

    def end(self) -> None:
        """Give the buffer back to the user. An edit in flight stays so until it is answered."""
        self._owner = _Owner.USER

    def offer(self, text: str) -> None:
        """Set the text that the buffer should have; it replaces any earlier offer."""
        self._wanted = text

    def propose(self) -> Proposal | None:
        """Return the next edit to send, and mark it as in flight; None if there is none."""
        if not self.owned or self._flight is not None or self._has_newest or self._wanted is None:
            return None
        self._flight = _Flight(Proposal(self.snapshot, self._wanted))
        return self._flight.proposal

    def answered(self, applied: bool) -> ForeignChange | None:
        """Handle the answer to the edit in flight; return the foreign change if it shows one."""
        flight = self._flight
        if flight is None:
            return None
        flight.answered = True
        if flight.over or not applied:
            self._flight = None
        if applied or flight.overtaken:
            return None
        base = flight.proposal.base
        # A text that arrived although the edit was refused is the user's: undo can lead there.
        if flight.over or self.snapshot.text != base.text or self.snapshot.version == base.version:
            return self._lose_ownership(ForeignChange.REFUSED)
        return None

    def changed(self, snapshot: Snapshot) -> ForeignChange | None:
        """Handle a text that the editor published; return the foreign change if it is one."""
        before, self.snapshot = self.snapshot, snapshot
        arrived = self._arriving(snapshot.text)
        if arrived is None and (snapshot.text == before.text or self._is_half_made(snapshot.text)):
            return None
        self._shown = snapshot.text if arrived is None else arrived
        self._finish_flight(overtaken=arrived is None)
        return self._lose_ownership(ForeignChange.CHANGED) if arrived is None else None

    def lost(self) -> ForeignChange | None:
        """Stop waiting for the text of an edit that the editor said it had applied."""
        if not self.awaits_text or self._flight is None:
            return None
        proposal, self._flight = self._flight.proposal, None
        if shows(self.snapshot.text, proposal.text, proposal.base.text):
            # Only line ends were to change, and the editor keeps its own.
            self._shown = proposal.text
            return None
        return self._lose_ownership(ForeignChange.LOST)

    @property
    def _has_newest(self) -> bool:
        # The snapshot may have the expected text with the editor's own line ends.
        return self._wanted in (None, self._shown, self.snapshot.text)

    def _arriving(self, text: str) -> str | None:
        """Return the text of the edit in flight if `text` is the result of that edit."""
        if self._flight is None or self._flight.over:
            return None
        proposal = self._flight.proposal
        return proposal.text if shows(text, proposal.text, proposal.base.text) else None

    def _is_half_made(self, text: str) -> bool:
        if self._flight is None or self._flight.over:
            return False
        proposal = self._flight.proposal
        return is_half_made(text, proposal.text, proposal.base.text)

    def _finish_flight(self, *, overtaken: bool) -> None:
        if self._flight is None:
            return
        self._flight.arrived |= not overtaken
        self._flight.overtaken |= overtaken
        if self._flight.answered:
            self._flight = None

    def _lose_ownership(self, reason: ForeignChange) -> ForeignChange | None:
        if not self.owned:
            return None
        self._owner = _Owner.NOBODY
        return reason
