"""Lines, where the grammar fails, or is another language's: its tree is not to be relied on.

Directives of C's preprocessor that begin inside of a statement, a dialect that the grammar does not
know, another language altogether: the pieces that could go are no units, or none that the guard lets
pass one by one. In the end some lines can only go together: those of a statement that a directive
tears apart, a macro that opens a namespace with the bracket that closes it.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pollard.passes.texts import line_spans, lines, units
from pollard.search.exhaustive import at_once
from pollard.syntax.edits import Edit, join

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.passes.subject import Candidate, Subject

# Of so many all rows and then any two are tried together, as long as that takes no more than a run for
# so many that were needed to get here, or a few.
_FEW = 32
_SHARE = 8
_FEWEST = 64


def unparsed(subject: Subject) -> None:
    """Minimise the lines of a text that the grammar misreads as `lines` does, then some at once."""
    if subject.is_misread():
        lines(subject)
        while subject.is_misread() and subject.first(_together(subject)) is not None:
            pass


def _together(subject: Subject) -> Iterator[Candidate]:
    """Yield the text without lines in a row, then without two of them, unless that was tried before."""
    spans = units(subject, line_spans)
    if len(spans) > _FEW:
        return
    changes = (join(Edit(*span) for span in gone) for gone in at_once(spans, 2, 2))
    yield from islice(subject.untried(changes), max(subject.tried // _SHARE, _FEWEST))
