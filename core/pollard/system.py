"""Files that a crash cannot tear, removing trees, and the signals that ask a process to end."""

from __future__ import annotations

import contextlib
import errno
import functools
import glob
import os
import shutil
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import IO, BinaryIO

if sys.platform != "win32":
    import fcntl

# Ctrl-C, kill, a closed terminal, and Ctrl-Break on Windows.
_END_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_TEMPORARY_SUFFIX = ".tmp"
_MAX_PREFIX_BYTES = 200  # names of files have at most 255 bytes
_CANNOT_SYNC = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)  # as on some network file systems


def write_atomically(path: Path, content: bytes) -> None:
    """Write `content` to `path`, so that a crash or a power cut leaves the old content or the new one.

    Writes a file beside it, waits until that is on the disk, and renames it. Keeps the mode. A device
    or a pipe is no file that could be replaced: it is written to. May raise OSError.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        path.write_bytes(content)
        return
    _remove_leftovers(path)
    temporary = path.with_name(f"{_temporary_prefix(path)}{os.getpid()}{_TEMPORARY_SUFFIX}")
    try:
        write_synced(temporary, content)
        if path.exists():
            shutil.copymode(path, temporary)
        os.replace(temporary, path)  # noqa: PTH105 (tests record it)
        sync_directory(path.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def write_synced(path: Path, content: bytes) -> None:
    """Write `content` to the file at `path`, and wait until it is on the disk. May raise OSError."""
    with path.open("wb", buffering=0) as file:
        append_synced(file, content)


def append_synced(file: BinaryIO, content: bytes) -> None:
    """Write `content` to an unbuffered file, and wait until it is on the disk. May raise OSError."""
    while content:
        content = content[file.write(content) :]  # which may accept only a part
    try:
        os.fsync(file.fileno())
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise


def make_directory(path: Path, mode: int = 0o777) -> None:
    """Make a directory and those above it, unless they exist, so that they survive a power cut.

    May raise OSError.
    """
    missing = [each for each in (path, *path.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode, exist_ok=True)
        sync_directory(each.parent)
    if not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))


def sync_directory(path: Path) -> None:
    """Wait until the names in a directory are on the disk, where the system can do that."""
    with contextlib.suppress(OSError):  # the files themselves are there already
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def locked(stream: IO[bytes]) -> bool:
    """Lock an open file until it is closed; return False if somebody else has it, and on Windows."""
    if sys.platform == "win32":
        return False
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _temporary_prefix(path: Path) -> str:
    """Return how the name of a file beside `path` begins; a long name is cut to leave room for more."""
    return f".{os.fsdecode(os.fsencode(path.name)[:_MAX_PREFIX_BYTES])}."


@functools.lru_cache(maxsize=1024)
def _remove_leftovers(path: Path) -> None:
    """Remove what processes left beside `path` that were killed while they wrote it; once is enough."""
    import psutil  # noqa: PLC0415 (rarely needed)

    pattern = f"{glob.escape(_temporary_prefix(path))}*{_TEMPORARY_SUFFIX}"
    with contextlib.suppress(OSError):
        for found in path.parent.glob(pattern):
            process = found.name.removesuffix(_TEMPORARY_SUFFIX).rpartition(".")[2]
            if process.isdecimal() and not psutil.pid_exists(int(process)):
                found.unlink()


def remove_tree(path: Path) -> None:
    """Remove the directory, link or file at `path`, if it exists, whatever its permissions.

    Raises `OSError` if it cannot be removed.
    """
    if path.is_symlink() or not path.is_dir():  # to open a pipe would block
        path.unlink(missing_ok=True)
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
