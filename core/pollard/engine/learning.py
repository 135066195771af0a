"""Learning from candidates that the oracle calls invalid: what never gets as far as the failure.

The papers' test function has an outcome for tests that cannot be decided (hddh-2021, figure 1), and
their algorithms take it for "not interesting". It says more: a variable without its type never
compiles, wherever it stands. So each edit is remembered by its *kind* (the shape of what it touches,
and what it does to it), and a kind that was invalid `ENOUGH` times and never anything else is skipped.

That is a guess, so it may only put things off: a pass with a `*` ends after an iteration that changed
nothing *and* skipped nothing, and passes without one skip nothing at all. Guarantees stay as they are.

A stream of candidates may be read further than to its first hit. Therefore it is tried in pieces of
`LESSON` candidates, and nothing is learnt, and nothing counts as skipped, before a piece has its
answer: lessons are the same for any number of jobs, of which no more than that are of use meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.oracle import Verdict

if TYPE_CHECKING:
    from collections.abc import Hashable


#: So often a kind of edit has to be invalid before it is skipped.
ENOUGH = 3

#: So many candidates are tried before what they teach is heeded.
LESSON = 8

_NEVER = -1


class Lessons:
    """How often each kind of edit was invalid; disabled, it learns and skips nothing.

    `skipping` is whether what is hopeless is skipped now, `skipped` how often that happened.
    """

    def __init__(self, *, enabled: bool = False) -> None:
        self.enabled = enabled
        self.skipping = False
        self.skipped = 0
        self._invalid: dict[Hashable, int] = {}

    def learn(self, kind: Hashable, verdict: Verdict) -> None:
        """Take note of the verdict on a candidate that differs from the best by one such edit."""
        if not self.enabled or kind is None:
            return
        known = self._invalid.get(kind, 0)
        if verdict is not Verdict.INVALID or known == _NEVER:
            self._invalid[kind] = _NEVER
        else:
            self._invalid[kind] = known + 1

    def is_hopeless(self, kind: Hashable) -> bool:
        """Tell whether such an edit is to be skipped; None, for several at once, never is."""
        return self.skipping and self._invalid.get(kind, 0) >= ENOUGH
