"""The sandboxes of an executor, one for each directory in which its runs take place."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.executors.sandbox import bubblewrap
from pollard.executors.sandbox.secrets import visible_variables
from pollard.oracle.sandbox_policy import SandboxLevel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from pollard.executors.sandbox.cell import Cell
    from pollard.oracle.sandbox_policy import SandboxPolicy

# Where programs keep what they want to find again.
_CACHES = {b"XDG_CACHE_HOME": ".", b"npm_config_cache": "npm"}


class Sandboxes:
    """Keeps a sandbox for each *room*: a directory that the runs in it may write.

    `problem` says why runs are not confined although the policy wants it; "" if they are. Threads may
    share it, but not a room.
    """

    def __init__(self, policy: SandboxPolicy, root: Path) -> None:
        """`root` is a directory that no run can write."""
        self._policy = policy
        self._empty = root / "empty"
        self._cells: dict[Path, Cell] = {}
        self.problem = "" if policy.level is SandboxLevel.OFF else self._prepare()

    @property
    def _is_off(self) -> bool:
        return self._policy.level is SandboxLevel.OFF or bool(self.problem)

    @contextlib.contextmanager
    def cell(self, room: Path) -> Iterator[Cell | None]:
        """Provide the sandbox of a room for one run, or None if runs are not confined.

        Raises `CellError` if it cannot be started.
        """
        if self._is_off:
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
        if self._is_off:
            return dict(variables)
        caches = {name: os.fsencode(cache / directory) for name, directory in _CACHES.items()}
        return visible_variables(variables, self._policy) | caches

    def call(self, command: Sequence[str], room: Path) -> int:
        """Run a command with the streams of this process, and return its exit code.

        Raises `OracleError` if there is no sandbox.
        """
        if self.problem:
            raise OracleError(f"There is no sandbox: {self.problem}.")
        wrapper = [] if self._is_off else bubblewrap.arguments(self._policy, room, self._empty)
        environment = self.environment(os.environb, room / "cache")
        return subprocess.run(
            [*wrapper, *command], env=environment, cwd=room, check=False
        ).returncode

    def close(self) -> None:
        """End all sandboxes; no run may be in progress."""
        for cell in self._cells.values():
            cell.close()
        self._cells.clear()

    def _prepare(self) -> str:
        """Return why there is no sandbox here; "" if there is one."""
        if sys.platform != "linux":
            return "this system has none that Pollard knows"
        if bubblewrap.program() is None:
            return "bubblewrap is not installed"
        self._empty.touch()
        return bubblewrap.failure()

    def _new_cell(self, room: Path) -> Cell:
        from pollard.executors.sandbox.cell import Cell  # noqa: PLC0415 (only on Linux)

        wrapper = bubblewrap.arguments(self._policy, room, self._empty)
        return Cell(wrapper, bubblewrap.PRIVATE)
