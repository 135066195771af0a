"""Lines, where the grammar fails: there its tree is not to be relied on.

Directives of C's preprocessor that begin inside of a statement, a dialect that the grammar does not
know, another language altogether: the pieces that could go are no units, or none that the guard lets
pass one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.passes.texts import lines
from pollard.search.cdd import cdd

if TYPE_CHECKING:
    from pollard.passes.subject import Subject

# Mostly few lines are left, each of which takes a run or two. Where a tree was of no use there are more
# of them, and ddmin might take a square of that.
_MANY = 200


def unparsed(subject: Subject) -> None:
    """Minimise the lines of a text that has syntax errors, as the pass `lines` does."""
    if subject.document.errors:
        start, end = subject.span
        many = subject.document.text.count(b"\n", start, end) >= _MANY
        lines(subject, cdd if many else None)
