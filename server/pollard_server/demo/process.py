"""The server's process: started beside the demo, and ended with it whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import psutil

from pollard_server.demo.errors import DemoError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard_server.demo.workspace import Workspace

SERVER = (sys.executable, "-m", "pollard_server")

# How long the server has to end with all that it has started, once it was asked to.
_END_SECONDS = 1.0


class Process:
    """A server over standard input and output. Make one with `start`, and `end` it."""

    def __init__(self, process: asyncio.subprocess.Process, workspace: Workspace) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.input, self.output = process.stdin, process.stdout
        self._process = process
        self._workspace = workspace

    @classmethod
    async def start(cls, command: Sequence[str], workspace: Workspace) -> Process:
        """Start a server in a workspace. Raises DemoError if there is no such program."""
        # Not in the user's folder: `python -m` takes modules from where it starts.
        with workspace.log.open("wb") as log:
            try:
                process = await asyncio.create_subprocess_exec(
                    *command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    cwd=workspace.root,
                    env=workspace.environment(),
                    **_out_of_reach_of_ctrl_c(),
                )
            except OSError as error:
                raise DemoError(
                    f"The language server cannot be started: {command[0]}: "
                    f"{error.strerror or error}; install Pollard again."
                ) from error
        return cls(process, workspace)

    async def end(self, *, ask: bool) -> None:
        """Wait for the end, which a signal asks for if `ask`; it is not waited for long."""
        if ask:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
        if await self._ended(_END_SECONDS):
            return
        _kill(self._process.pid)
        await self._process.wait()

    async def obituary(self) -> DemoError:
        """Return what to tell the user of a server that ended before its time."""
        status = (
            f"exit status {self._process.returncode}" if await self._ended(1.0) else "no answer"
        )
        log = self._workspace.log.read_text(encoding="utf-8", errors="replace").split("\n")
        words = next((line.strip() for line in reversed(log) if line.strip()), "")
        said = f": {words}" if words else ""
        return DemoError(
            f"The demo's language server ended too early ({status}{said}); start the demo again, and "
            "if that does not help, install Pollard again."
        )

    async def _ended(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._process.wait(), seconds)
        except asyncio.TimeoutError:
            return False
        return True


def _out_of_reach_of_ctrl_c() -> dict[str, Any]:
    """Return what makes the terminal's Ctrl-C go to the demo alone, which then tells the server."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _kill(number: int) -> None:
    """Kill a process and all that it has started."""
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(number)
        for each in (process, *process.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                each.kill()
