"""Runs of oracles that are a front end's own diagnostics: no command runs, the editor is asked."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING

from pollard.executors.process import judged
from pollard.executors.timeouts import settled
from pollard.oracle.diagnostics.protocol_diagnostics import as_lines, named_code
from pollard.oracle.executor import MAX_TIMEOUT_SECONDS
from pollard.oracle.shares import turn_of
from pollard.oracle.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from typing import Any

    from pollard.oracle.command import CommandOracle
    from pollard.oracle.executor import Cancellable
    from pollard.oracle.shares import Share
    from pollard.oracle.verdict import Run

# Whoever asks an editor cannot know that nothing more will come. So a candidate without the diagnostic
# takes this many times as long as the slowest of the latest that had it.
_WAIT_FACTOR = 3.0
_LATEST = 5
_MIN_WAIT_SECONDS = 0.5
_MAX_WAIT_SECONDS = 10.0


class EditorExecutor:
    """Has the oracle's `Diagnoser` report the diagnostics of candidates; any thread may call `run`."""

    def __init__(self, oracle: CommandOracle, *, share: Share | None = None) -> None:
        assert oracle.diagnoser is not None
        self.oracle = oracle
        self.timeout = MAX_TIMEOUT_SECONDS
        self._diagnoser = oracle.diagnoser
        self._share = share
        self._latest: deque[float] = deque(maxlen=_LATEST)

    def run(
        self, text: bytes, *, cancelled: Cancellable | None = None, capture: bool = False
    ) -> Run:
        """Judge the diagnostics of `text`. They are standard output, in JSON.

        The runs whose output is wanted (`capture`) check the original and the result, and wait as long
        as they may. Raises `Cancelled` once `cancelled` is set, and `OracleError` if the front end
        cannot tell.
        """
        wait = _MAX_WAIT_SECONDS if capture else self._wait_seconds

        def run_once(*, alone: bool) -> Run:
            with turn_of(self._share, cancelled, alone=alone) as waited:
                outcome = self._outcome(text, wait, cancelled)
            return judged(self.oracle, outcome, waited)

        run = settled(run_once, self.timeout)
        if run.verdict is Verdict.INTERESTING:
            self._latest.append(run.seconds)
        return run

    def fingerprint(self) -> str | None:
        """Return the front end's fingerprint: what it reports depends on settings of its own."""
        return self._diagnoser.fingerprint

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def __enter__(self) -> EditorExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _wait_seconds(self) -> float:
        slowest = max(self._latest, default=_MAX_WAIT_SECONDS)
        return min(max(_WAIT_FACTOR * slowest, _MIN_WAIT_SECONDS), _MAX_WAIT_SECONDS)

    def _outcome(self, text: bytes, wait_seconds: float, cancelled: Cancellable | None) -> Outcome:
        began = time.monotonic()
        found = self._diagnoser.diagnose(
            text,
            wait_seconds=wait_seconds,
            is_cancelled=cancelled.is_set if cancelled else lambda: False,
        )
        return Outcome(
            exit_code=0,
            signal=None,
            stdout=as_lines([_with_source(item) for item in found or ()]),
            seconds=time.monotonic() - began,
            timed_out=found is None,
        )


def _with_source(item: dict[str, Any]) -> dict[str, Any]:
    """Return a diagnostic whose code names its source, too: several tools may use the same codes."""
    code = item.get("code")
    return {**item, "code": named_code(item.get("source") or "", "" if code is None else str(code))}
