"""Confirms by new runs what a search accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.errors import PollardError
from pollard.oracle import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.journal import History
    from pollard.oracle import OriginalFailure, Run, Signature

GONE_BACK = (
    "The oracle no longer holds for smaller {what} that it accepted: it is flaky, or what it runs "
    "changed. The result is the last of them that it still holds for."
)
_SEARCHED_AGAIN = (
    "The oracle no longer holds for smaller texts that it accepted: it is flaky for them, or what it "
    "runs changed. The search went back to a text of {size:,} bytes, and went on with {runs} runs for "
    "each text that it accepts."
)
SEARCHED_HEARING = (
    "The script also holds for another failure, at which the search ended. It went back to where the "
    "failure was that of the original, and compared what the script reads from there on."
)
_MIN_CAREFUL_RUNS = 10  # a text that fails in every second run passes in one case of a thousand


class Slipped(Exception):
    """New runs confirm only `text`, which was accepted earlier than the best text.

    They may also confirm that a text is interesting, but hear another failure.
    """

    def __init__(self, text: bytes) -> None:
        super().__init__("The search slipped to a text that does not show the failure every time.")
        self.text = text


class Unstable(PollardError):
    """No accepted text is interesting any more: the oracle's earlier verdicts cannot be trusted."""


class Confirmation:
    """Runs accepted texts or trees of files again, and keeps the last run that was interesting.

    A search may slip from an original that always fails to a text that fails only now and then: the
    variable that it prints has no value any more, or an address has become a number. One run would
    often miss that.

    `run` is the last run that was interesting; None before there was one.
    """

    def __init__(self, runs_required: tuple[int, int]) -> None:
        """For a flaky failure, k of n runs must be interesting."""
        self.run: Run | None = None
        self._runs_required = runs_required

    @property
    def failure(self) -> Signature | None:
        """What that run showed; None before there was one."""
        return self.run.failure if self.run else None

    def keep(self, run: Run | None) -> None:
        """Keep another run of the same text, which tells more, if it was interesting."""
        if run is not None and run.verdict is Verdict.INTERESTING:
            self.run = run

    def holds(
        self, run_again: Callable[[], Run], original: OriginalFailure, *, checks: int = 1
    ) -> bool:
        """Return whether enough new runs show the failure of the original. Raises as `run_again`.

        Enough are k of n of a flaky failure, or all of `checks` runs.
        """
        is_flaky = self._runs_required != (1, 1)
        required, total = self._runs_required if is_flaky else (checks, checks)
        hits = 0
        for done in range(1, total + 1):
            run = run_again()
            if original.is_shown_by(run):
                hits += 1
                self.run = run
            if hits >= required:
                return True
            if hits + total - done < required:
                break
        return False


def last_confirmed(history: History, holds: Callable[[bytes, int], bool], checks: int) -> bytes:
    """Return the best text, or the last one before it that `holds` in so many runs.

    Raises Unstable if there is none, and what `holds` raises.
    """
    runs = confirming_runs(checks)
    for text in history.backwards():
        if holds(text, runs):
            return text
        runs = careful_runs(checks)
    raise unstable("file itself")


def confirming_runs(checks: int) -> int:
    """Return how many runs must be interesting for a result whose original was run `checks` times.

    They are more, since a search has chosen the result among hundreds of texts: with three checks, one
    that fails in every second run passes in one case of 64. Whoever trusts one run has one here, too.
    """
    return 2 * checks if checks > 1 else 1


def careful_runs(checks: int) -> int:
    """Return how many runs must be interesting for a text once a search has slipped."""
    return max(confirming_runs(checks), _MIN_CAREFUL_RUNS)


def searched_again(text: bytes, runs: int) -> str:
    """Return the note that the search went back to `text`, and went on with so many runs a text."""
    return _SEARCHED_AGAIN.format(size=len(text), runs=runs)


def unstable(what: str) -> Unstable:
    """Return the error for an original that is not interesting any more."""
    return Unstable(
        f"The oracle no longer holds for the {what}: it is flaky, or what it runs changed during the "
        "reduction. Nothing was reduced."
    )
