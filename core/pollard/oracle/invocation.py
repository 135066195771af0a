"""All that the process layer has to know to execute one run."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from pollard.oracle.errors import OracleError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

#: The most bytes one file of a run may have, so that a runaway cannot fill the disk.
FILE_SIZE_LIMIT = 1 << 30
#: Seconds between two looks at the memory of a run.
WATCH_PERIOD = 0.25
#: The environment variable that marks every process of a run.
RUN_VARIABLE = "POLLARD_RUN"

# Held while a process starts. A thread may ask again: a signal's handler is in the middle of one.
_starting = threading.RLock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """One execution: what to start, where, and its limits (seconds and bytes).

    `memory` bounds the sum over all processes of the run; `data` additionally bounds what each may
    allocate, and is None unless the user asked for a limit. `stdin` is a file to read from. `owner`
    is whose command messages say that it is.
    """

    arguments: list[str]
    program: str
    directory: Path
    environment: Mapping[bytes, bytes]
    stdin: Path | None
    capture: bool
    timeout: float
    memory: int
    data: int | None
    output_limit: int
    owner: str = "oracle"


def start(
    call: Invocation, program: str | None = None, *, new_session: bool = True, flags: int = 0
) -> subprocess.Popen[bytes]:
    """Start the process (or `program` in its place); `flags` are Windows's creation flags.

    Raises `OracleError` if the system refuses.
    """
    streams = subprocess.PIPE if call.capture else subprocess.DEVNULL
    stdin: IO[bytes] | int = call.stdin.open("rb") if call.stdin else subprocess.DEVNULL
    try:
        with _starting:
            return subprocess.Popen(
                call.arguments,
                bufsize=0,
                executable=program or call.program,
                stdin=stdin,
                stdout=streams,
                stderr=streams,
                cwd=call.directory,
                env=_environment(call),
                start_new_session=new_session,
                creationflags=flags,
            )
    except (OSError, ValueError) as error:
        raise OracleError(_refused(call, error)) from error
    finally:
        if not isinstance(stdin, int):
            stdin.close()


def start_no_more(seconds: float) -> None:
    """Let no other thread start anything from now on, for a process that is about to end.

    Waits for one that is starting now, but no longer than so many seconds.
    """
    _starting.acquire(timeout=seconds)


def _environment(call: Invocation) -> Mapping[bytes, bytes] | Mapping[str, str]:
    if sys.platform == "win32":
        return {os.fsdecode(name): os.fsdecode(value) for name, value in call.environment.items()}
    return call.environment


def _refused(call: Invocation, error: OSError | ValueError) -> str:
    program, whose = call.program, f"The {call.owner}'s"
    if isinstance(error, FileNotFoundError):
        return f"{whose} command {program!r} (or its interpreter) does not exist; correct it."
    if isinstance(error, PermissionError):
        return f"{whose} command {program!r} is not executable; run: chmod +x {program}"
    if isinstance(error, ValueError):
        return f"{whose} command {program!r} has an impossible argument: {error}."
    hint = "; begin it with a line such as #!/bin/sh" if "format" in str(error) else ""
    return f"{whose} command {program!r} cannot be started: {error.strerror}{hint}."
