"""Commands that the user allowed before it was known when a run of them is interesting."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.oracle import Criteria
from pollard_server.trust.pin import pin

if TYPE_CHECKING:
    from pollard.oracle import Oracle


class Trials:
    """The answers to trials, each of which holds for one more request; thread-safe.

    Such an answer is about all that the pin covers but the criteria, which decide what a run means
    and not what it does.
    """

    def __init__(self) -> None:
        self._answers: dict[str, str] = {}
        self._lock = threading.Lock()

    def add(self, oracle: Oracle, answer: str) -> None:
        """Remember what the user answered when asked about the trial of an oracle."""
        key = _key(oracle)
        with self._lock:
            self._answers[key] = answer

    def take(self, oracle: Oracle) -> str | None:
        """Return the answer that an oracle may use, which then is used up; None if there is none."""
        with self._lock:
            if not self._answers:  # files are read for the key
                return None
        key = _key(oracle)
        with self._lock:
            return self._answers.pop(key, None)

    def clear(self) -> None:
        """Forget all answers."""
        with self._lock:
            self._answers.clear()


def _key(oracle: Oracle) -> str:
    return pin(replace(oracle, criteria=Criteria(), invalid=None))
