"""Loads the engine while the editor does not wait for it.

An editor waits for the answer to `initialize`, which needs no engine. So the modules of the loop's
thread must not import `pollard.api`, `pollard.executors`, `pollard.passes` or `pollard.reduction`
when they are imported; a job imports them in its own thread, when it needs them.
"""

from __future__ import annotations

import gc
import threading


def load_soon() -> None:
    """Load the engine in a thread, so that the first job finds it loaded."""
    threading.Thread(target=_load, name="engine", daemon=True).start()


def _load() -> None:
    import pollard.api  # noqa: F401, PLC0415

    gc.freeze()  # a full collection would traverse all loaded modules and delay the event loop
