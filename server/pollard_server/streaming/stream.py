"""What is believed about one buffer while texts are streamed into it: a state machine without I/O.

No editor's word can be taken alone. Neovim answers `applied: true` to an edit that it dropped, the
answer and the `didChange` come in either order, and a `didChange` may carry an edit together with what
the user typed after it. So an edit has *landed* only when both have come: the answer, and a `didChange`
whose text is the expected one. This is what may come of an edit:

- it lands: the next one may go out, with the version that came with the text;
- it is refused (`applied: false`, or an error as from Emacs): if the version has moved on while the
  text stayed the same, the edit is tried again with the newer version; else `Foreign.REFUSED`;
- half of it comes: Neovim makes an edit that reaches the end of the document in two steps and may
  publish both; the first is neither believed nor foreign, and if nothing follows the edit is lost;
- the editor says yes but the text never comes: `Foreign.LOST` (the caller keeps the time);
- another text comes, be it the user's own, or the edit's merged with it: `Foreign.CHANGED`, at once.

A `didChange` that brings a new version of the same text is nobody's change. One that brings back the
text from before an edit that has landed is the user's undo, and foreign. After a foreign change nothing
is proposed until `begin`; an edit that is still in flight then must be answered first, because the
editor might yet apply it.

Versions are never predicted: a prediction can coincide with the version that the user's next key makes.
They are sent as they were published, but for one: 0, with which Neovim opens documents and against
which it refuses nothing, goes out to Neovim as another that it treats as it should have treated 0 (see
`streamer`). None is no version at all, and protects nothing.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from pollard_server.text.text_edits import is_half_made, shows


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A document's whole text and the version that the editor gave it.

    Versions are the editor's own: they may begin with 0 and jump. None where it gave none.
    """

    version: int | None
    text: str


class Foreign(enum.Enum):
    """Why the buffer is no longer what streaming made of it."""

    CHANGED = "the user changed the text"
    REFUSED = "the editor refused an edit"
    LOST = "the editor accepted an edit, but its text never came"


@dataclass(frozen=True, slots=True)
class Proposal:
    """An edit to be sent: from the text of `base`, against its version, to `text`."""

    base: Snapshot
    text: str


class _Owner(enum.Enum):
    USER = enum.auto()
    STREAM = enum.auto()
    NOBODY = enum.auto()  # after a foreign change: the user has yet to say what shall happen


@dataclass(slots=True)
class _Flight:
    """A proposal that was sent, and what has come of it: an answer, its text, another text."""

    proposal: Proposal
    answered: bool = False
    arrived: bool = False
    overtaken: bool = False

    @property
    def over(self) -> bool:
        """Whether its text has come, or cannot come any more."""
        return self.arrived or self.overtaken


class Stream:
    """One document's buffer, as published, and the edit that is on its way to it, if there is one."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._owner = _Owner.USER
        self._wanted: str | None = None
        self._shown = snapshot.text
        self._flight: _Flight | None = None

    @property
    def owned(self) -> bool:
        """Whether the buffer is ours to change: begun, not ended, nothing foreign since."""
        return self._owner is _Owner.STREAM

    @property
    def foreign(self) -> bool:
        """Whether a foreign change ended what was begun."""
        return self._owner is _Owner.NOBODY

    @property
    def settled(self) -> bool:
        """Whether the buffer is ours, has the newest text offered, and no edit is in flight."""
        return self.owned and self._flight is None and self._has_newest

    @property
    def awaits_text(self) -> bool:
        """Whether the editor said yes to an edit whose text has not come yet."""
        return self._flight is not None and self._flight.answered

    def begin(self) -> None:
        """Believe the buffer as it is, and take it over."""
        self._owner = _Owner.STREAM
        self._wanted = None
        self._shown = self.snapshot.text

    def end(self) -> None:
        """Give the buffer back to the user. An edit in flight stays so until it is answered."""
        self._owner = _Owner.USER

    def offer(self, text: str) -> None:
        """Take `text` as what the buffer should come to, instead of what was offered before."""
        self._wanted = text

    def propose(self) -> Proposal | None:
        """Return the edit to be sent now, which then is in flight; None if there is none to send."""
        if not self.owned or self._flight is not None or self._has_newest or self._wanted is None:
            return None
        self._flight = _Flight(Proposal(self.snapshot, self._wanted))
        return self._flight.proposal

    def answered(self, applied: bool) -> Foreign | None:
        """Take the answer to the edit in flight; return why the buffer became foreign, if it did."""
        flight = self._flight
        if flight is None:
            return None
        flight.answered = True
        if flight.over or not applied:
            self._flight = None
        if applied or flight.overtaken:
            return None
        base = flight.proposal.base
        # A text that came although the edit was refused is the user's: an undo can lead there.
        if flight.over or self.snapshot.text != base.text or self.snapshot.version == base.version:
            return self._estrange(Foreign.REFUSED)
        return None

    def changed(self, snapshot: Snapshot) -> Foreign | None:
        """Take what the editor published; return why the buffer became foreign, if it did."""
        before, self.snapshot = self.snapshot, snapshot
        arrived = self._arriving(snapshot.text)
        if arrived is None and (snapshot.text == before.text or self._is_half_made(snapshot.text)):
            return None
        self._shown = snapshot.text if arrived is None else arrived
        self._finish_flight(overtaken=arrived is None)
        return self._estrange(Foreign.CHANGED) if arrived is None else None

    def lost(self) -> Foreign | None:
        """Give up waiting for the text of an edit that was answered with yes."""
        if not self.awaits_text or self._flight is None:
            return None
        proposal, self._flight = self._flight.proposal, None
        if shows(self.snapshot.text, proposal.text, proposal.base.text):
            # Nothing but line ends was to change, and the editor keeps them in its own way.
            self._shown = proposal.text
            return None
        return self._estrange(Foreign.LOST)

    @property
    def _has_newest(self) -> bool:
        # The snapshot may have what is shown with line ends of the editor's own.
        return self._wanted in (None, self._shown, self.snapshot.text)

    def _arriving(self, text: str) -> str | None:
        """Return the text of the edit in flight if `text` is what became of it."""
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

    def _estrange(self, reason: Foreign) -> Foreign | None:
        if not self.owned:
            return None
        self._owner = _Owner.NOBODY
        return reason
