"""Finding branches again after the document they belong to was reduced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.branches import locate
from pollard.syntax.edits import Shift

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pollard.passes.subject import Edits, Subject
    from pollard.syntax.branches import Branch


def relocate(subject: Subject, branches: Iterable[Branch], edits: Edits) -> list[Branch]:
    """Return the branches of the subject's document that `branches` of its predecessor became."""
    return list(moved(subject, branches, edits).values())


def moved(subject: Subject, branches: Iterable[Branch], edits: Edits) -> dict[Branch, Branch]:
    """Map branches of the subject's predecessor, from which `edits` made it, to what they became.

    A branch whose text is gone, or whose bytes are no longer a node of their own, is left out: a
    later iteration meets what became of it.
    """
    shift = Shift(edits)
    spans = {branch: (shift.at(branch.start), shift.end_at(branch.end)) for branch in branches}
    wanted = sorted({span for span in spans.values() if span[0] < span[1]})
    found = dict(zip(wanted, locate(subject.root, wanted), strict=True))
    now = ((branch, found.get(span)) for branch, span in spans.items())
    return {branch: place for branch, place in now if place is not None}
