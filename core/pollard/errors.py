"""Errors that a user can cause; their texts are for users and are shown without a traceback."""

from __future__ import annotations


class PollardError(Exception):
    """An expected failure; its text tells the user what is wrong and what to do about it."""


class Cancelled(PollardError):
    """A reduction was stopped from outside; the best result so far stays valid."""


class OracleError(PollardError):
    """The oracle cannot be run at all; the text says why and what to do about it."""


class FormatterError(PollardError):
    """The formatter failed or printed nothing useful; the result stays unformatted."""


class NotBegun(Cancelled):
    """Cancelled before a process was started."""


def printable(text: str) -> str:
    """Return a text on one line, with escapes for what cannot be printed, such as a damaged file's."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
