"""Pairs: what no single step finds, once the text is small and each run cheap.

A text from which no single piece can go may still lose two at once: 1-minimal is not 2-minimal
(n-minimality: Zeller & Hildebrandt, TSE 2002, section 3.2). All pairs are too many for most texts. But
most runs of a long search are those on the way, of texts that keep the oracle busy for longer, and what
is left in the end was hardly looked at. So the end gets as many runs as the way to it.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.engine.memory import digest
from pollard.passes.text.lines import character_spans, units, word_spans
from pollard.search.exhaustive import runs_and_combinations
from pollard.syntax.layout.layout import Layout
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.engine.subject import Candidate, Edits, Subject


# The way ends where the text is so many times as heavy as what is left of it.
_NEAR = 3
# So many candidates for each run that is due are shown to the guard.
_PATIENCE = 16


@declare(
    "pairs",
    runs="as many as were needed to get near the result",
    needs=Needs.SHORT_TREE,
    source="n-minimality: Zeller and Hildebrandt, TSE 2002, section 3.2",
)
def pairs(subject: Subject) -> None:
    """Remove two or three tokens at once, then characters, within a budget.

    First what the guard lets pass, then the rest, as long as less than half of all runs were made on
    texts of up to three times the size of what is left. Where more were, it does nothing; nor where so
    little is left that all there is to try would not make up for it.
    """
    if not _can_catch_up(subject):
        return
    for guard in (True, False):
        before = -1
        while before < subject.tally.runs and (due := _due(subject)) > 0:
            before = subject.tally.runs
            candidates = _guarded(subject, due) if guard else subject.untried(_changes(subject))
            subject.first(islice(candidates, due), guard=guard)


def _due(subject: Subject) -> int:
    """Return the remaining run budget: the runs on heavier texts, less those made since."""
    before = runs_until(subject, _NEAR * subject.weight)
    return before - (subject.tally.runs - before)


def runs_until(subject: Subject, weight: int) -> int:
    """Return how many runs were made until the region weighed at most `weight` bytes."""
    progress = subject.memory.progress
    return next((runs for runs, left in progress if left <= weight), subject.tally.runs)


def _can_catch_up(subject: Subject) -> bool:
    due, texts = _due(subject), set[bytes]()
    for one in subject.untried(_changes(subject)):
        if len(texts) >= due:
            return True
        texts.add(digest(one.base.edited(one.edits).text))
    return len(texts) >= due


def _guarded(subject: Subject, due: int) -> Iterator[Candidate]:
    candidates = islice(subject.untried(_changes(subject)), _PATIENCE * due)
    return (one for one in candidates if subject.fits(one.base, one.edits))


def _changes(subject: Subject) -> Iterator[Edits]:
    text, layout = subject.document.text, Layout(subject.document, subject.span)
    for split in (word_spans, character_spans):
        spans = [one for one in units(subject, split) if not text[slice(*one)].isspace()]
        for gone in runs_and_combinations(spans, 1, 3):
            yield layout.tidy(Edit(*span) for span in gone)
