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

from pollard.signals import handled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

logger = logging.getLogger(__name__)

_LOOK_SECONDS = 2.0


@contextlib.contextmanager
def ends_with(end: Callable[[], None]) -> Iterator[None]:
    """Call `end` when the context is left, or when a signal asks the process to end.

    After a signal the process ends at once: the thread that reads standard input cannot be woken.
    """
    with _signals_heard(lambda number: _leave(end, number)):
        try:
            yield
        finally:
            end()


@contextlib.contextmanager
def _signals_heard(hear: Callable[[int], None]) -> Iterator[None]:
    """Call `hear` in a thread for the first signal that asks for the end.

    A handler interrupts code that may hold any lock, and could not even start a thread: so the thread
    waits already, and the handler writes a byte.
    """
    heard, told = os.pipe()

    def write(caught: int, _: object) -> None:
        os.write(told, bytes([caught]))

    waiting = threading.Thread(target=_wait, args=(heard, hear), name="signals", daemon=True)
    waiting.start()
    try:
        with handled(write):
            yield
    finally:
        os.close(told)
        waiting.join()
        os.close(heard)


def _wait(heard: int, hear: Callable[[int], None]) -> None:
    for number in os.read(heard, 1):
        hear(number)


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
