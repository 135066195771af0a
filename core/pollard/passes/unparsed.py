"""Lines, where the grammar fails: there its tree is not to be relied on.

Directives of C's preprocessor that begin inside of a statement, a dialect that the grammar does not
know: the pieces that could go are no units, or none that the guard lets pass one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.passes.last import is_short
from pollard.passes.texts import lines

if TYPE_CHECKING:
    from pollard.passes.subject import Subject

# Lines are few in the end; each may take a run or two.
_MOST = 200


def unparsed(subject: Subject) -> None:
    """Minimise the lines of a text that has syntax errors, as the pass `lines` does."""
    start, end = subject.span
    few = subject.document.text.count(b"\n", start, end) < _MOST
    if few and is_short(subject) and subject.document.errors:
        lines(subject)
