"""Files that a crash cannot tear, and the signals that ask a process to end."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import FrameType

# Ctrl-C, kill, a closed terminal, and Ctrl-Break on Windows.
_END_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


def write_atomically(path: Path, content: bytes) -> None:
    """Write `content` to `path`, so that a crash leaves the old content or the new one.

    Writes a file beside it and renames that. Keeps the mode. May raise OSError.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(content)
        if path.exists():
            shutil.copymode(path, temporary)
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


@contextlib.contextmanager
def end_signals_handled(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Handle the signals that ask a process to end; no effect outside the main thread.

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
        for number, old_handler in previous.items():
            signal.signal(number, old_handler)
