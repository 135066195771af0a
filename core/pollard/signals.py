"""The signals that ask a process to end: from Ctrl-C, kill, or a closed terminal."""

from __future__ import annotations

import contextlib
import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

_END_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


@contextlib.contextmanager
def handled(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Let *handler* handle these signals in this context; no effect outside the main thread.

    Ignored signals stay ignored (nohup, background jobs).
    """
    previous = {}
    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name) for name in _END_SIGNALS if hasattr(signal, name)):
            if signal.getsignal(number) is not signal.SIG_IGN:
                previous[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in previous.items():
            signal.signal(number, old)
