"""The sandboxes of an executor, one for each directory in which its runs take place."""

from __future__ import annotations

import contextlib
import enum
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.executors.sandbox import bubblewrap, landlock
from pollard.executors.sandbox.secrets import visible_variables
from pollard.oracle.sandbox_policy import SandboxLevel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from pollard.executors.sandbox.cell import Cell
    from pollard.oracle.sandbox_policy import SandboxPolicy

# Where programs keep what they want to find again.
_CACHES = {b"XDG_CACHE_HOME": ".", b"npm_config_cache": "npm"}


class Means(enum.Enum):
    """What confines runs."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "Landlock"
    NOTHING = "nothing"


class Sandboxes:
    """Keeps a sandbox for each *room*: a directory that the runs in it may write.

    `means` confine the runs; `problem` says why these are not bubblewrap, although the policy asks
    for a sandbox. Threads may share this object, but not a room.
    """

    def __init__(self, policy: SandboxPolicy, root: Path) -> None:
        """`root` is a directory that no run can write."""
        self._policy = policy
        self._empty = root / "empty"
        self._cells: dict[Path, Cell] = {}
        is_off = policy.level is SandboxLevel.OFF
        self.means, self.problem = (Means.NOTHING, "") if is_off else _means()
        if self.means is Means.BUBBLEWRAP:
            self._empty.touch()

    @property
    def warning(self) -> str:
        """A sentence about what a run may do although the policy forbids it; "" if nothing."""
        if not self.problem:
            return ""
        if self.means is Means.LANDLOCK:
            return (
                "The sandbox is a weak one, and runs may change permissions of your files and send "
                f"datagrams: {self.problem}."
            )
        return f"Runs are not in a sandbox, and may do whatever you may do: {self.problem}."

    @contextlib.contextmanager
    def cell(self, room: Path) -> Iterator[Cell | None]:
        """Provide the sandbox of a room for one run, or None if runs are not confined.

        Raises `CellError` if it cannot be started.
        """
        if self.means is Means.NOTHING:
            yield None
            return
        if room not in self._cells:
            self._cells[room] = self._new_cell(room)
        cell = self._cells[room]
        try:
            yield cell
        finally:
            if cell.is_busy:  # the run was interrupted, so nobody knows what it would answer next
                del self._cells[room]
                cell.close()

    def environment(self, variables: Mapping[bytes, bytes], cache: Path) -> dict[bytes, bytes]:
        """Return the variables that a run gets; `cache` is in its room."""
        if self.means is Means.NOTHING:
            return dict(variables)
        caches = {name: os.fsencode(cache / directory) for name, directory in _CACHES.items()}
        return visible_variables(variables, self._policy) | caches

    def call(self, command: Sequence[str], room: Path) -> int:
        """Run a command with the streams of this process, and return its exit code.

        Raises `OracleError` if there is no sandbox.
        """
        if self.problem and self.means is Means.NOTHING:
            raise OracleError(f"There is no sandbox: {self.problem}.")
        environment = self.environment(os.environb, room / "cache")
        wrapper = self._wrapper(room)

        def run() -> int:
            self._confine(room)
            whole = [*wrapper, *command]
            return subprocess.run(whole, env=environment, cwd=room, check=False).returncode

        with ThreadPoolExecutor(1) as thread:  # which may stay confined
            return thread.submit(run).result()

    def close(self) -> None:
        """End all sandboxes; no run may be in progress."""
        for cell in self._cells.values():
            cell.close()
        self._cells.clear()

    def _new_cell(self, room: Path) -> Cell:
        from pollard.executors.sandbox.cell import Cell  # noqa: PLC0415 (only on Linux)

        private = bubblewrap.PRIVATE if self.means is Means.BUBBLEWRAP else ()
        return Cell(self._wrapper(room), private, lambda: self._confine(room))

    def _wrapper(self, room: Path) -> list[str]:
        if self.means is not Means.BUBBLEWRAP:
            return []
        return bubblewrap.arguments(self._policy, room, self._empty)

    def _confine(self, room: Path) -> None:
        if self.means is Means.LANDLOCK:
            landlock.confine_this_thread(self._policy, room)


def _means() -> tuple[Means, str]:
    """Return the best means that this system has, and why it is not bubblewrap."""
    if sys.platform != "linux":
        return Means.NOTHING, "this system has no sandbox that Pollard knows"
    problem = bubblewrap.failure() if bubblewrap.program() else "bubblewrap is not installed"
    if not problem:
        return Means.BUBBLEWRAP, ""
    return (Means.LANDLOCK if landlock.is_available() else Means.NOTHING), problem
