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
    """Return the branches of the subject's document that `branches` of its predecessor became.

    `edits` made the one from the other. A branch whose text is gone, or whose bytes are no longer a
    node of their own, is left out: a later iteration meets what became of it.
    """
    shift = Shift(edits)
    spans = [(shift.at(branch.start), shift.end_at(branch.end)) for branch in branches]
    found = locate(subject.root, {span for span in spans if span[0] < span[1]})
    return [branch for branch in found if branch is not None]
