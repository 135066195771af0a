"""Files that a crash cannot tear, removing trees, and the signals that ask a process to end."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
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


def remove_tree(path: Path) -> None:
    """Remove the directory, link or file at `path`, if it exists, whatever its permissions.

    Raises `OSError` if it cannot be removed.
    """
    if path.is_symlink() or path.is_file():
        path.unlink()
        return
    with contextlib.suppress(OSError):
        shutil.rmtree(path)
        return
    if path.exists():
        _make_writable(path)
        shutil.rmtree(path)


def _make_writable(path: Path) -> None:
    path.chmod(0o700)
    for parent, directories, _ in os.walk(path):
        for name in directories:
            inside = Path(parent, name)
            if not inside.is_symlink():
                inside.chmod(0o700)


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
