"""The last step before a formatter: white space as a person would write it, usually for one run.

The steps before it change only the white space beside what they remove. What was lifted out of a
long text, or lost its neighbours one by one, may keep thousands of blanks and empty lines.

A tidied text is one candidate, and no node of its tree differs but for its place. If the oracle
refuses it, its lines are tidied by halves, and these by halves again.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pollard.engine.subject import Candidate
from pollard.syntax.layout.continuations import joined_lines
from pollard.syntax.layout.respacing import Respacing, structure, without_blank_lines
from pollard.syntax.layout.statements import statement_edits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pollard.engine.statistics import Statistics
    from pollard.engine.subject import Subject
    from pollard.syntax.tree.document import Document
    from pollard.syntax.tree.edits import Edit

NAME = "tidy"
"""The name of this step in statistics."""

# In longer texts statements stay on the lines that they are on.
_MAX_BYTES_FOR_STATEMENTS = 16_384
# White space goes in the middle of a search if that shortens the text by a quarter or more. Half of
# a text that is well laid out may be white space, too.
_BYTES_PER_SURPLUS_BYTE = 4
# Parses of a short text to find out which edits change its tree.
_MAX_PARSES = 64
# If the oracle refuses the tidied text, its halves get 8 runs, and one for 8 of the search.
_MIN_RUNS_FOR_HALVES = 8
_RUNS_PER_RUN_FOR_HALVES = 8


def tidy(subject: Subject) -> None:
    """Clean up the white space of the document, and put one statement on each line."""
    edits = _edits(subject, statements=True)
    limit = _MIN_RUNS_FOR_HALVES + subject.tally.runs // _RUNS_PER_RUN_FOR_HALVES
    _halves(edits, partial(_accepts, subject), limit)


class SurplusBlanks:
    """Removes white space in the middle of a search, in one run, once it is most of the text.

    If that is refused, it is tried again once half of the text is gone.
    """

    def __init__(self) -> None:
        self._max_weight: int | None = None

    def shed(self, subject: Subject, statistics: Statistics) -> None:
        """Remove blank lines, blanks and indentation, if they are more than half of the region."""
        start, end = subject.span
        if end - start <= 2 * subject.weight:
            return
        if self._max_weight is None or subject.weight <= self._max_weight:
            self._max_weight = subject.weight // 2
            edits = _edits(subject, statements=False)
            if _bytes_saved(edits) * _BYTES_PER_SURPLUS_BYTE >= end - start:
                with statistics.measuring(NAME, subject.tally):
                    _accepts(subject, edits)


def _bytes_saved(edits: Sequence[Edit]) -> int:
    return sum(edit.end - edit.start - len(edit.new) for edit in edits)


def _accepts(subject: Subject, edits: Sequence[Edit]) -> bool:
    """Make the document with these edits the best one, unless its tree or the oracle objects."""
    subject.level = 0
    base = subject.document
    if not edits or not _is_same(base, edits):
        return False
    return subject.first(iter((Candidate(base, tuple(edits)),))) is not None


def _halves(edits: Sequence[Edit], accepts: Callable[[Sequence[Edit]], bool], limit: int) -> int:
    """Apply all edits at once, else by halves, the last ones first; return the attempts left.

    Edits before accepted ones keep their offsets.
    """
    if not edits or limit < 0 or accepts(edits) or len(edits) == 1:
        return limit - 1
    middle = len(edits) // 2
    limit = _halves(edits[middle:], accepts, limit - 1)
    return _halves(edits[:middle], accepts, limit)


def _edits(subject: Subject, *, statements: bool) -> Sequence[Edit]:
    """Return the edits that tidy the document without changing its tree, as far as possible."""
    document = subject.document
    if document.language is None or subject.foreign_grammar:
        return without_blank_lines(document.text, subject.span)
    respacing = Respacing(document, subject.span)
    edits = respacing.edits()
    if not _is_same(document, edits):
        # As in Markdown, where blank lines and indentation count.
        edits = _sound(document, [], respacing.careful_edits(blank_lines=1))
        edits = _sound(document, edits, respacing.careful_edits(blank_lines=0))
    if statements and len(document.text) <= _MAX_BYTES_FOR_STATEMENTS:
        edits = _sound(document, edits, statement_edits(respacing))
        edits = _sound(document, edits, joined_lines(document, subject.span))
    return edits


def _sound(document: Document, edits: list[Edit], more: list[Edit]) -> list[Edit]:
    """Return `edits`, to which those of `more` are added that leave the tree as it is.

    An edit replaces one of the same span.
    """
    kept = {(edit.start, edit.end): edit for edit in edits}

    def accepts(some: Sequence[Edit]) -> bool:
        changed = kept | {(edit.start, edit.end): edit for edit in some}
        is_same = _is_same(document, sorted(changed.values()))
        if is_same:
            kept.update(changed)
        return is_same

    is_short = len(document.text) <= _MAX_BYTES_FOR_STATEMENTS
    _halves(more, accepts, _MAX_PARSES if is_short else 0)
    return sorted(
        edit for edit in kept.values() if document.text[edit.start : edit.end] != edit.new
    )


def _is_same(document: Document, edits: Sequence[Edit]) -> bool:
    """Return whether edits of white space move the nodes of the tree, and change nothing else."""
    if document.language is None:
        return True
    return document.once(structure) == structure(document.edited(edits))
