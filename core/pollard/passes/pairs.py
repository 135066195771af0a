"""Pairs: what no single step finds, once the text is small and each run cheap.

A text from which no single piece can go may still lose two at once: 1-minimal is not 2-minimal
(n-minimality: Zeller & Hildebrandt, TSE 2002, section 3.2). All pairs are too many for most texts. But
most runs of a long search are those on the way, of texts that keep the oracle busy for longer, and what
is left in the end was hardly looked at. So the end gets as many runs as the way to it.
"""

from __future__ import annotations

import re
from itertools import chain, combinations, islice
from typing import TYPE_CHECKING

from pollard.passes.last import is_short
from pollard.syntax.edits import Edit
from pollard.syntax.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.passes.subject import Candidate, Edits, Subject

    Spans = Sequence[tuple[int, int]]

# The way ends where the text is so many times as heavy as what is left of it.
_NEAR = 3
# Tokens in a row, and how many candidates for each run that is due are shown to the guard.
_ROW = 8
_PATIENCE = 16

_TOKEN = re.compile(rb"\w+|[^\w\s\x80-\xff]|[\x80-\xff]+")
_CHARACTER = re.compile(rb"[^\s\x80-\xff]|[\xc0-\xff][\x80-\xbf]*")


def pairs(subject: Subject) -> None:
    """Remove tokens that can only go together, then characters: some in a row, two, or three.

    First what the guard lets pass, then the rest, as long as less than half of all runs were made on
    texts of up to three times the size of what is left. Where more were, it does nothing.
    """
    if not is_short(subject):
        return
    for guard in (True, False):
        before = -1
        while before < subject.tried and (due := _due(subject)) > 0:
            before = subject.tried
            candidates = _guarded(subject, due) if guard else subject.untried(_changes(subject))
            subject.first(islice(candidates, due), guard=guard)


def _due(subject: Subject) -> int:
    """Return how many runs the end is behind the way to it."""
    way = subject.tried_until(_NEAR * subject.weight)
    return way - (subject.tried - way)


def _guarded(subject: Subject, due: int) -> Iterator[Candidate]:
    candidates = islice(subject.untried(_changes(subject)), _PATIENCE * due)
    return (one for one in candidates if subject.fits(one.base, one.edits))


def _changes(subject: Subject) -> Iterator[Edits]:
    text, layout = subject.document.text, Layout(subject.document, subject.span)
    for pattern in (_TOKEN, _CHARACTER):
        spans = [found.span() for found in pattern.finditer(text, *subject.span)]
        for gone in _together(spans):
            yield layout.tidy(Edit(*span) for span in gone)


def _together(spans: Spans) -> Iterator[Spans]:
    """Yield what may go at once, those beside each other first; rows are searched from the end."""
    rows = (
        spans[end - length : end]
        for length in range(1, _ROW + 1)
        for end in range(len(spans), length - 1, -1)
    )
    return chain(rows, combinations(spans, 2), combinations(spans, 3))
