"""Waits for a condition; if it does not hold in time, the error says what was seen instead."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TypeVar

import pytest

T = TypeVar("T")

#: Generous, because machines are slow and shared; no test may depend on how long something takes.
TIMEOUT_SECONDS = float(os.environ.get("POLLARD_PATIENCE") or 60)
_POLL_SECONDS = 0.1  # each look takes processor time, which the editor needs as well


def wait_for(
    what: str,
    look: Callable[[], T | None],
    *,
    seen: Callable[[], object] | None = None,
    seconds: float = TIMEOUT_SECONDS,
) -> T:
    """Return the first true result of `look`; after `seconds`, fail and report `seen`."""
    stop = time.monotonic() + seconds
    while True:
        result = look()
        if result:
            return result
        if time.monotonic() > stop:
            instead = seen() if seen else result
            pytest.fail(f"waited {seconds:.0f} s for {what}; seen instead: {instead!r}")
        time.sleep(_POLL_SECONDS)
