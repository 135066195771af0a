"""The command line's side of the shell: exit codes, messages on standard error, and signals."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.system import end_signals_handled

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
BROKEN_PIPE = 141  # 128 + SIGPIPE: the reader of the output is gone


def say(message: str) -> None:
    """Write a line to standard error; ignore a closed terminal."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()


def complain(message: str) -> None:
    """Write an error message to standard error, after the program's name."""
    say(f"pollard: {message}")


def prepare_streams() -> None:
    """Open the standard streams that the parent closed, and escape what they cannot encode.

    A file that is opened later would otherwise get the number of a closed stream.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 (to the end)
            setattr(sys, name, stream)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def on_terminal() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr.isatty()


def can_redraw() -> bool:
    """Return whether standard error is a terminal that can move its cursor."""
    return on_terminal() and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")


_KILL_ROUNDS = 3
_PAUSE_SECONDS = 0.02
_MAX_SECONDS_FOR_STARTS = 1.0


def interrupts(
    stop: Callable[[], None], leave: Callable[[], None] = lambda: None
) -> AbstractContextManager[None]:
    """Return a context in which the first signal calls `stop`, and a second one exits immediately.

    `stop` runs in the main thread, between any two of its instructions. `leave` restores the
    terminal before the process exits. Ignored signals stay ignored (nohup, background jobs).
    """
    is_first = True

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        nonlocal is_first
        if is_first:
            is_first = False
            stop()
        else:
            _exit_immediately(leave)

    return end_signals_handled(on_signal)


def _exit_immediately(leave: Callable[[], None]) -> None:
    with contextlib.suppress(OSError):
        leave()
    say("interrupted again: left at once; the best so far is on disk, go on with --resume")
    _kill_runs()
    os._exit(INTERRUPTED)


def _kill_runs() -> None:
    """Kill the oracle's processes; repeat that, because one may just be starting another."""
    import psutil  # noqa: PLC0415 (rarely needed)

    from pollard.executors.invocation import RUN_VARIABLE, block_starts  # noqa: PLC0415

    block_starts(_MAX_SECONDS_FOR_STARTS)  # a killed run would make the search start the next one
    own_mark = os.environ.get(RUN_VARIABLE)
    for number in range(_KILL_ROUNDS):
        time.sleep(_PAUSE_SECONDS if number else 0)
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if process.environ().get(RUN_VARIABLE) != own_mark:
                    _kill(process)


def _kill(process: psutil.Process) -> None:
    """Kill a process; if it leads a group, kill the group, with what the process is just starting."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            if os.getpgid(process.pid) == process.pid:
                os.killpg(process.pid, signal.SIGKILL)
    process.kill()
