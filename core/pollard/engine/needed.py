"""Needed pieces: what a candidate may not remove, as earlier verdicts say.

The removal of a branch failed, so its text holds something that is needed. A candidate that removes
the branch and more beside it fails as well, nearly always: of 700 such candidates in 61 reductions four
were interesting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.engine.memory import branch_key
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.engine.hoisting import Elements
    from pollard.engine.subject import Subject
    from pollard.syntax.branches.branches import Branch


# The steps under which attempts to remove a branch, or to hoist into it, are remembered: the outermost
# descendants that fit, or those further inside as well.
REMOVE_STEP = "remove"
HOIST_STEP = "hoist"
HOIST_INNER_STEP = "hoist inner"
# A failure counts until the text has shrunk by this factor.
_RETRY_FACTOR = 1.5
# In bytes. Of a heavier branch a light descendant may be all that is needed, though no part can go.
_MAX_SEARCHED_WEIGHT = 512


class NeededPieces:
    """Finds the innermost branches of the subject's present document that could not be removed."""

    def __init__(self, subject: Subject) -> None:
        self._text = subject.document.text
        self._attempts = subject.memory.attempts
        self._retry_weight = subject.weight * _RETRY_FACTOR
        self._known: dict[Branch, Sequence[Branch]] = {}

    def inside(self, branch: Branch) -> Sequence[Branch]:
        """Return those below a branch; none if the branch is heavy."""
        if self._weight(branch) > _MAX_SEARCHED_WEIGHT:
            return ()
        if branch not in self._known:
            self._known[branch] = [
                piece for child in branch.children for piece in self._innermost(child)
            ]
        return self._known[branch]

    def beside(self, branch: Branch, kept: Branch | Elements) -> bool:
        """Return whether one of them goes, with more, if only a descendant of a branch is kept."""
        lost = self._weight(branch) - self._weight(kept)
        return any(
            (piece.end <= kept.start or kept.end <= piece.start) and self._weight(piece) < lost
            for piece in self.inside(branch)
        )

    def _weight(self, branch: Branch | Elements) -> int:
        return size(self._text[branch.start : branch.end])

    def _innermost(self, branch: Branch) -> Sequence[Branch]:
        if branch.is_token:
            return ()
        return self.inside(branch) or ((branch,) if self._is_needed(branch) else ())

    def _is_needed(self, branch: Branch) -> bool:
        return self._attempts.knows(REMOVE_STEP, branch_key(self._text, branch), self._retry_weight)
