"""However the server ends, what it has started ends first: on a polite kill, too."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import threading
import time
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

logger = logging.getLogger(__name__)

_NAMES = ("SIGTERM", "SIGHUP", "SIGINT", "SIGBREAK")

_LOOK_SECONDS = 2.0


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


def outlive_no(process: int, end: Callable[[], None]) -> None:
    """End this process as if by a signal once another one, the editor, is gone.

    Usually the end of standard input tells that; an editor that died may have left it open in a
    process that lives on.
    """
    threading.Thread(target=_watch, args=(process, end), name="editor", daemon=True).start()


def _watch(process: int, end: Callable[[], None]) -> None:
    with contextlib.suppress(psutil.Error):
        editor = psutil.Process(process)
        while editor.is_running() and editor.status() != psutil.STATUS_ZOMBIE:
            time.sleep(_LOOK_SECONDS)
    logger.warning("The editor is gone")
    _leave(end, signal.SIGTERM)
