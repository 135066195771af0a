"""What can go wrong with an oracle itself, as opposed to a candidate."""

from __future__ import annotations

from pollard.errors import Cancelled, PollardError


class OracleError(PollardError):
    """The oracle cannot be run at all; the text says why and what to do about it."""


class FormatterError(PollardError):
    """The formatter did not do its work, or what it printed is of no use; the result stays."""


class NotBegun(Cancelled):
    """Cancelled before a process was started."""
