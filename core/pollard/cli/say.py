"""Sentences for the user on standard error, and streams that take every character."""

from __future__ import annotations

import contextlib
import io
import os
import sys


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
