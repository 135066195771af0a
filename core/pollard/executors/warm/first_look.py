"""Notices when a Python program first looks at its candidate; runs in the tool's own interpreter.

What a program does before is the same for all candidates: it reads its settings, finds plug-ins and
builds its tables. So a zygote does that once, and forks where the program begins to differ.

Python reports such events to a hook (`sys.addaudithook`), except that it says nothing of `os.stat` and
its kind, which are replaced meanwhile. To ask whether the candidate is there is no look, since it
always is. Whatever a run must do itself counts as a look, too: starting threads and processes, and
writing. Code in C may open the candidate without a report; the kernel tells of that (`inotify`).
"""

from __future__ import annotations

import errno
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ctypes
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

_DEEDS = (
    "subprocess.",
    "socket.",
    "_thread.",
    "pty.",
    "os.system",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
)
_CHANGES = ("os.chdir", "os.fchdir", "os.kill", "os.killpg", "os.link", "os.symlink", "os.mkdir")
_MORE_CHANGES = ("os.remove", "os.rename", "os.rmdir", "os.truncate", "tempfile.")
_ACTS = (*_DEEDS, *_CHANGES, *_MORE_CHANGES)
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_REPLACED = ("stat", "lstat")
# What these return follows from the type of a file alone.
_TYPE_ONLY = {
    *("exists", "lexists", "isfile", "isdir", "islink", "realpath", "_joinrealpath"),
    *("is_file", "is_dir", "is_symlink"),
}
_IN_NONBLOCK, _IN_ACCESS, _IN_OPEN = 0x800, 0x1, 0x20
_EVENT_BYTES = 4096


class FirstLook:
    """Calls `act` once, when the program first looks at its candidate or does what runs must do.

    `unseen` tells whether that is still to come.
    """

    def __init__(self, file: str, libc: ctypes.CDLL, act: Callable[[], None]) -> None:
        """`file` is the absolute path of the candidate. Raises OSError."""
        self.unseen = True
        self._folder, self._name = os.path.split(file)
        self._act = act
        self._kernel = libc.inotify_init1(_IN_NONBLOCK)
        if libc.inotify_add_watch(self._kernel, os.fsencode(file), _IN_OPEN | _IN_ACCESS) < 0:
            raise OSError("the kernel does not tell of files that are opened")
        self._functions = {name: getattr(os, name) for name in _REPLACED}
        for name, function in self._functions.items():
            setattr(os, name, self._reporting(function))
        sys.addaudithook(self._on_event)

    def was_opened(self) -> bool:
        """Return whether the candidate was opened; the kernel is asked once."""
        try:
            return bool(os.read(self._kernel, _EVENT_BYTES))
        except OSError as error:
            return error.errno != errno.EAGAIN
        finally:
            os.close(self._kernel)

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.unseen:
            return
        if event == "open":
            path, _, flags = arguments
            is_look = bool(flags & _WRITES) or self._is_candidate(path)
        elif event == "os.scandir":
            is_look = self._is_folder(arguments[0])
        else:
            is_look = event.startswith(_ACTS)
        if is_look:
            self._see()

    def _reporting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def reporting(path: Any, *arguments: Any, **options: Any) -> Any:
            if self.unseen and self._is_candidate(path) and not _asks_for_type(sys._getframe(1)):
                self._see()
            return function(path, *arguments, **options)

        return reporting

    def _see(self) -> None:
        self.unseen = False
        for name, function in self._functions.items():
            setattr(os, name, function)
        self._act()

    def _is_candidate(self, path: Any) -> bool:
        return not isinstance(path, int) and os.path.basename(os.fsdecode(path)) == self._name  # noqa: PTH119

    def _is_folder(self, path: Any) -> bool:
        if path is None or isinstance(path, int):
            return True
        return os.path.abspath(os.fsdecode(path)) == self._folder  # noqa: PTH100


def _asks_for_type(caller: FrameType) -> bool:
    """Return whether the caller is a function of the standard library that only tells what is there."""
    frame: FrameType | None = caller
    module = caller.f_globals.get("__name__", "")
    if module.startswith("pathlib") and caller.f_code.co_name in ("stat", "lstat"):
        frame = caller.f_back
    is_of_library = module in ("genericpath", "posixpath") or module.startswith("pathlib")
    return is_of_library and frame is not None and frame.f_code.co_name in _TYPE_ONLY
