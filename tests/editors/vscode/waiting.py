"""Wait for what must come true, and tell what was seen instead when it does not."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TypeVar

import pytest

T = TypeVar("T")

#: Generous, since the machines are slow and shared; no test may depend on how long a thing takes.
PATIENCE_SECONDS = float(os.environ.get("POLLARD_PATIENCE") or 60)
_POLL_SECONDS = 0.04


def wait_for(
    what: str,
    look: Callable[[], T | None],
    *,
    seen: Callable[[], object] | None = None,
    seconds: float = PATIENCE_SECONDS,
) -> T:
    """Return what `look` returns once that is true, or fail with what was `seen` instead."""
    stop = time.monotonic() + seconds
    while True:
        result = look()
        if result:
            return result
        if time.monotonic() > stop:
            instead = seen() if seen else result
            pytest.fail(f"waited {seconds:.0f} s for {what}; seen instead: {instead!r}")
        time.sleep(_POLL_SECONDS)
