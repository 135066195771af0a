"""Confirms by new runs what a search accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.errors import PollardError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.journal import History
    from pollard.oracle import OriginalFailure, Run, Signature

_GONE_BACK = (
    "The oracle no longer holds for smaller texts that it accepted: it is flaky, or what it runs "
    "changed. The result is the last text that it still holds for."
)


class Unstable(PollardError):
    """No accepted text is interesting any more: the oracle's earlier verdicts cannot be trusted."""


class Confirmation:
    """Runs accepted texts or trees of files again, and keeps the last run that was interesting.

    - `failure`: what that run showed; None before there was one
    - `run`: the run itself
    """

    def __init__(self, runs_required: tuple[int, int]) -> None:
        """Of the second number of runs, the first must be interesting."""
        self.failure: Signature | None = None
        self.run: Run | None = None
        self._required, self._total = runs_required

    def holds(self, run_again: Callable[[], Run], original: OriginalFailure) -> bool:
        """Return whether enough new runs show the failure of the original. Raises as `run_again`."""
        hits = 0
        for _ in range(self._total):
            run = run_again()
            if original.is_shown_by(run):
                hits += 1
                self.failure, self.run = run.failure, run
            if hits >= self._required:
                return True
        return False


def confirm_best(history: History, holds: Callable[[bytes], bool]) -> str | None:
    """Go back from the best text to the last one that `holds`; return a note if another one is best.

    Raises Unstable if there is none, and what `holds` raises.
    """
    for text in history.backwards():
        if holds(text):
            if text == history.best:
                return None
            history.go_back_to(text)
            return _GONE_BACK
    raise unstable("file itself")


def unstable(what: str) -> Unstable:
    """Return the error for an original that is not interesting any more."""
    return Unstable(
        f"The oracle no longer holds for the {what}: it is flaky, or what it runs changed during the "
        "reduction. Nothing was reduced."
    )
