"""The exit codes of the command line.

Sentences for the user on standard error, and streams that take every character.

Ctrl-C, a polite kill and a closed terminal: the first one asks for the end, the second insists.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import time
from typing import TYPE_CHECKING

from pollard.signals import handled

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from types import FrameType

    import psutil


REDUCED = 0
NOTHING_REDUCED = 1
USAGE = 2
NOT_INTERESTING = 3
UNEXPECTED = 70
INTERRUPTED = 130
#: 128 + SIGPIPE: nobody reads the output any more.
BROKEN_PIPE = 141


def say(message: str) -> None:
    """Write a line to standard error; a terminal that is gone is no reason to fail."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()


def complain(message: str) -> None:
    """Write what went wrong to standard error, with the program's name before it."""
    say(f"pollard: {message}")


def lenient_streams() -> None:
    """Let both streams replace what their encoding has no character for, such as odd file names."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def on_terminal() -> bool:
    """Whether standard error is a terminal, so that somebody may be watching."""
    return sys.stderr.isatty()


def can_redraw() -> bool:
    """Whether standard error is a terminal that can move its cursor."""
    return on_terminal() and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")


_ROUNDS, _PAUSE = 3, 0.02
_LONGEST_START = 1.0


def interrupts(
    stop: Callable[[], None], leave: Callable[[], None] = lambda: None
) -> AbstractContextManager[None]:
    """Return what, while it is open, calls `stop` at the first signal and ends at a second one.

    `stop` is called in the main thread, between any two of its instructions. `leave` is called
    before the process ends at once, to bring the terminal in order. Signals that are ignored
    (nohup, a background job) stay ignored.
    """
    is_first = True

    def arrived(_number: int, _frame: FrameType | None) -> None:
        nonlocal is_first
        if is_first:
            is_first = False
            stop()
        else:
            _leave_at_once(leave)

    return handled(arrived)


def _leave_at_once(leave: Callable[[], None]) -> None:
    with contextlib.suppress(OSError):
        leave()
    say("interrupted again: left at once; the best so far is on disk, go on with --resume")
    _kill_runs()
    os._exit(INTERRUPTED)


def _kill_runs() -> None:
    """Kill the oracle's processes; several times, as one may just start another."""
    import psutil  # noqa: PLC0415 (hardly anybody presses twice)

    from pollard.executors.invocation import RUN_VARIABLE, start_no_more  # noqa: PLC0415 (the same)

    start_no_more(_LONGEST_START)  # what is killed makes a search go on with the next candidate
    own = os.environ.get(RUN_VARIABLE)
    for number in range(_ROUNDS):
        time.sleep(_PAUSE if number else 0)  # what was killed may have started more
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if process.environ().get(RUN_VARIABLE) != own:
                    _kill(process)


def _kill(process: psutil.Process) -> None:
    """Kill a process, with its group if it leads one: what it starts meanwhile is in that too."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            if os.getpgid(process.pid) == process.pid:
                os.killpg(process.pid, signal.SIGKILL)
    process.kill()
