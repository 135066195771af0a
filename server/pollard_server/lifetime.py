"""Shuts the server down: after a signal or when the editor is gone, all jobs end first.

`Outbox` keeps a slow editor from blocking the server.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import signal
import threading
import time
from io import RawIOBase
from typing import TYPE_CHECKING

import psutil

from pollard.system import end_signals_handled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

logger = logging.getLogger(__name__)

_POLL_SECONDS = 2.0


@contextlib.contextmanager
def cleanup_at_exit(clean_up: Callable[[], None]) -> Iterator[None]:
    """Call `clean_up` when the context exits, or when a signal asks the process to end.

    After a signal the process exits immediately, because the thread that reads standard input cannot
    be woken.
    """
    with _on_signal(lambda number: _clean_up_and_exit(clean_up, number)):
        try:
            yield
        finally:
            clean_up()


@contextlib.contextmanager
def _on_signal(react: Callable[[int], None]) -> Iterator[None]:
    """Call `react` in a thread for the first signal that asks the process to end.

    A signal handler interrupts code that may hold any lock, so it must not even start a thread.
    The thread is therefore started in advance, and a byte in a pipe wakes it.
    """
    readable, writable = os.pipe()

    def write(number: int, _: object) -> None:
        os.write(writable, bytes([number]))

    waiting = threading.Thread(
        target=_pass_signals_on, args=(readable, react), name="signals", daemon=True
    )
    waiting.start()
    try:
        with end_signals_handled(write), _waking(writable):
            yield
    finally:
        os.close(writable)
        waiting.join()
        os.close(readable)


@contextlib.contextmanager
def _waking(writable: int) -> Iterator[None]:
    """Write the number of each handled signal to a pipe as soon as the signal arrives.

    Python runs a handler between two instructions of the main thread. If the signal arrives just
    before that thread waits in a system call, the handler runs only after the next message, if
    ever. Windows does not need it: there asyncio wakes its loop for signals.
    """
    if os.name != "posix" or threading.current_thread() is not threading.main_thread():
        yield
        return
    os.set_blocking(writable, False)
    previous = signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(previous)


def _pass_signals_on(readable: int, react: Callable[[int], None]) -> None:
    for number in os.read(readable, 1):
        react(number)


def _clean_up_and_exit(clean_up: Callable[[], None], number: int) -> None:
    try:
        clean_up()
    finally:
        logging.shutdown()
        os._exit(128 + number)


def exit_with_editor(process: int, clean_up: Callable[[], None]) -> None:
    """End this process, as if by a signal, once the editor's process is gone.

    Usually the end of standard input shows that the editor is gone. But an editor that crashed may
    have a child process that still holds the other end open.
    """
    threading.Thread(
        target=_await_editors_exit, args=(process, clean_up), name="editor", daemon=True
    ).start()


def _await_editors_exit(process: int, clean_up: Callable[[], None]) -> None:
    with contextlib.suppress(psutil.Error):
        editor = psutil.Process(process)
        while editor.is_running() and editor.status() != psutil.STATUS_ZOMBIE:
            time.sleep(_POLL_SECONDS)
    logger.warning("The editor is gone")
    _clean_up_and_exit(clean_up, signal.SIGTERM)


_FLUSH_SECONDS = 1.0


class Outbox(RawIOBase):
    """A standard output that never blocks: a thread writes the bytes in order.

    Otherwise the event loop could wait for an editor that waits for the event loop. After a broken
    pipe the bytes are dropped.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.broken = False
        self._thread = threading.Thread(target=self._work, name="outbox", daemon=True)
        self._thread.start()

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]  # only bytes are ever written
        """Take `data`; raise BrokenPipeError if the reader is gone."""
        if self.broken:
            raise BrokenPipeError
        self._queue.put(data)
        return len(data)

    def close(self) -> None:
        """Wait until everything is written, for a second at most."""
        if not self.closed:
            self._queue.put(None)
            self._thread.join(_FLUSH_SECONDS)
        super().close()

    def _work(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # the reader is gone, the stream closed
            while (data := self._queue.get()) is not None:
                self._stream.write(data)
                self._stream.flush()
        self.broken = True
