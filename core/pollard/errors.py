"""What can be said to a user: every error whose text is one clear sentence and no traceback."""

from __future__ import annotations


class PollardError(Exception):
    """An expected failure; its text tells the user what is wrong and what to do about it."""


class Cancelled(PollardError):
    """A reduction was stopped from outside; the best result so far stays valid."""
