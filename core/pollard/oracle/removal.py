"""Removing what oracles leave behind, also when they made it hard to remove."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from pathlib import Path
from typing import IO

if sys.platform != "win32":
    import fcntl

_LOCK = "lock"
_GRACE_SECONDS = 60


def remove_tree(path: Path) -> None:
    """Remove the directory, link or file at `path`; it may be gone, or closed to us by its modes.

    Raises `OSError` if something resists.
    """
    if path.is_symlink() or path.is_file():
        path.unlink()
        return
    with contextlib.suppress(OSError):
        shutil.rmtree(path)
        return
    if path.exists():
        _open_up(path)
        shutil.rmtree(path)


def claim(root: Path) -> IO[bytes]:
    """Mark `root` as in use for as long as the returned file is open."""
    stream = (root / _LOCK).open("wb")
    _lock(stream)
    return stream


def remove_abandoned(parent: Path) -> None:
    """Remove the roots in `parent` whose owner was killed before it could tidy up."""
    for root in parent.glob("pollard-*"):
        with contextlib.suppress(OSError, RecursionError):
            # A young root may not have been claimed yet.
            if time.time() - root.lstat().st_mtime > _GRACE_SECONDS:
                _remove_unclaimed(root)


def _remove_unclaimed(root: Path) -> None:
    with (root / _LOCK).open("rb+") as stream:
        if _lock(stream):
            remove_tree(root)


def _open_up(path: Path) -> None:
    path.chmod(0o700)
    for parent, directories, _ in os.walk(path):
        for name in directories:
            inside = Path(parent, name)
            if not inside.is_symlink():
                inside.chmod(0o700)


def _lock(stream: IO[bytes]) -> bool:
    if sys.platform == "win32":
        return False  # an open file cannot be removed there anyway
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
