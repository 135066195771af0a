"""How a copy of a Python program ends; runs in the tool's own interpreter.

At the end of a process the interpreter destroys all that was loaded. In a copy that takes as long as
many runs, since it writes to each page of memory that the copy shares. So a copy does what others can
see of an end, and leaves its memory to the kernel.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import sys

_STANDARD = 3  # descriptors
_MAX_EXIT_CODE = 255


def reported(error: BaseException) -> int:
    """Print an exception as the interpreter would, without this script's frame; return the code."""
    trace = error.__traceback__ and error.__traceback__.tb_next
    error.__traceback__ = trace
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, trace
    sys.excepthook(type(error), error, trace)
    return 1


def leave(code: object) -> None:
    """End the process as the interpreter would, but leave its memory to the kernel.

    It returns where the interpreter might do more that others see: for odd exit codes, and if a file
    is open for writing.
    """
    if code is None:
        code = 0
    if type(code) is not int or not 0 <= code <= _MAX_EXIT_CODE or _warns_at_the_end():
        return
    threading = sys.modules.get("threading")
    if threading is not None:
        threading._shutdown()
    with contextlib.suppress(Exception):
        atexit._run_exitfuncs()
    with contextlib.suppress(Exception):
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        if not any(map(_is_written, os.listdir("/proc/self/fd"))):  # noqa: PTH208
            os._exit(code)


def _warns_at_the_end() -> bool:
    return bool(sys.flags.dev_mode or sys.flags.inspect or sys.warnoptions)


def _is_written(name: str) -> bool:
    """Return whether a descriptor that is no standard stream is open for writing."""
    number = int(name)
    if number < _STANDARD:
        return False
    try:
        return bool(fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE)
    except OSError:
        return False  # that of the list itself
