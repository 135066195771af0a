"""However the server ends, what it has started ends first: on a polite kill, too."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NAMES = ("SIGTERM", "SIGHUP", "SIGINT", "SIGBREAK")


@contextlib.contextmanager
def ends_with(end: Callable[[], None]) -> Iterator[None]:
    """Call `end` when the context is left, or when a signal asks the process to end.

    After a signal the process ends at once: the thread that reads standard input cannot be woken.
    """

    def asked(number: int, _frame: object) -> None:
        # Not in the handler itself, which interrupts code that may hold a lock that `end` needs.
        threading.Thread(target=_leave, args=(end, number), daemon=True).start()

    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in _NAMES:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, asked)
    try:
        yield
    finally:
        end()
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(end: Callable[[], None], number: int) -> None:
    try:
        end()
    finally:
        logging.shutdown()
        os._exit(128 + number)
