"""Learns from earlier verdicts which edits never succeed.

`InvalidEdits` is the option `learn_invalid`. The papers treat a test that cannot be decided as not
interesting (hddh-2021, figure 1), but it says more: a variable without its type never compiles,
wherever it stands. So each edit is remembered by its *kind* (the shape of what it touches and what it
does to it), and a kind that was only ever invalid is skipped. That is a guess, so it may only
postpone candidates: a pass with a `*` ends after a round that changed nothing *and* skipped nothing,
and passes without one skip nothing. Guarantees stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.oracle import Verdict

if TYPE_CHECKING:
    from collections.abc import Hashable


#: A kind of edit is skipped once it was invalid this many times.
INVALID_BEFORE_SKIPPING = 3

#: Candidates are judged in batches of this size, and only whole batches are learnt from: streams are
#: read ahead, and what is learnt must not depend on how far. So more jobs than this do not help.
LEARNING_BATCH = 8

_NOT_ALWAYS_INVALID = -1


class InvalidEdits:
    """Counts how often each kind of edit was invalid; disabled, it learns and skips nothing.

    `skipping` is whether hopeless edits are skipped at present, `skipped` how many were.
    """

    def __init__(self, *, enabled: bool = False) -> None:
        self.enabled = enabled
        self.skipping = False
        self.skipped = 0
        self._invalid: dict[Hashable, int] = {}

    def learn(self, kind: Hashable, verdict: Verdict) -> None:
        """Note the verdict on a candidate that differs from the best text by one edit of a kind."""
        if not self.enabled or kind is None:
            return
        count = self._invalid.get(kind, 0)
        if verdict is not Verdict.INVALID or count == _NOT_ALWAYS_INVALID:
            self._invalid[kind] = _NOT_ALWAYS_INVALID
        else:
            self._invalid[kind] = count + 1

    def is_hopeless(self, kind: Hashable) -> bool:
        """Return whether to skip edits of a kind; False for None, which stands for several edits."""
        return self.skipping and self._invalid.get(kind, 0) >= INVALID_BEFORE_SKIPPING
