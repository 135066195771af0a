"""The syntax guard at the borders of islands and inside them.

To the grammar of a host an island is one token, in which nothing is ever wrong. So a candidate is
also parsed by the grammars of the islands that its edits touch, and by no others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.islands.islands import Island, islands_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.syntax.tree.document import Document
    from pollard.syntax.tree.edits import Edit


class IslandGuard:
    """Rejects what gives an island more syntax errors than it has in the best document so far."""

    def __init__(self) -> None:
        self._base: Document | None = None
        self._errors: dict[Island, int] = {}

    def rejects(self, base: Document, edits: Sequence[Edit], candidate: Document) -> bool:
        """Tell whether `candidate`, which `edits` make of `base`, has more errors in an island."""
        return any(
            now.has_more_errors_than(self._errors.get(before, before.errors))
            for before, now in _touched(base, edits, candidate)
        )

    def accept(self, base: Document, edits: Sequence[Edit], document: Document) -> None:
        """Take note of the errors of the new best document, which `edits` made of `base`."""
        if base is not self._base:
            self._base, self._errors = base, {}
        for before, now in _touched(base, edits, document):
            if before.errors:
                self._errors[before] = now.errors


def _touched(
    base: Document, edits: Sequence[Edit], candidate: Document
) -> Iterator[tuple[Island, Island]]:
    """Yield each island of `base` whose text the edits change, with what it is in `candidate`."""
    for before in islands_of(base).beside(edits):
        now = before.after(edits, candidate)
        if now is not None:
            yield before, now
            yield from _touched(before, edits, now)
