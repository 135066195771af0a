"""The sandboxes of an executor, one for each directory in which its runs take place."""

from __future__ import annotations

import contextlib
import enum
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pollard.errors import OracleError
from pollard.executors.sandbox import bubblewrap, landlock, seatbelt, socket_filter
from pollard.executors.sandbox.secrets import visible_variables
from pollard.oracle.sandbox_policy import SandboxLevel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pollard.executors.sandbox.cell import Cell
    from pollard.oracle.sandbox_policy import SandboxPolicy
    from pollard.oracle.verdict import Outcome

T = TypeVar("T")

MAX_STARTS = 10
"""How often a sandbox is started, at most, if files go while it is."""

# Where programs keep what they want to find again.
_CACHES = {b"XDG_CACHE_HOME": ".", b"npm_config_cache": "npm"}


class Means(enum.Enum):
    """What confines runs."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "Landlock"
    SEATBELT = "sandbox-exec"
    NOTHING = "nothing"


class Sandboxes:
    """Keeps a sandbox for each *room*: a directory that the runs in it may write.

    `means` confine the runs; `problem` says why these are not the best that the system could have,
    although the policy asks for a sandbox. Threads may share this object, but not a room.
    """

    def __init__(self, policy: SandboxPolicy, root: Path, named: Iterable[Path] = ()) -> None:
        """`root` is a directory that no run can write; runs need the `named` paths, if they exist."""
        self._policy = policy
        own = (Path(sys.prefix), Path(sys.base_prefix), Path(__file__))
        self._named = (*named, *own)
        self._empty = root / "empty"
        self._cells: dict[Path, Cell] = {}
        is_off = policy.level is SandboxLevel.OFF
        self.means, self.problem = (Means.NOTHING, "") if is_off else means_here()
        if self.means is Means.BUBBLEWRAP:
            self._empty.touch()

    @property
    def warning(self) -> str:
        """A sentence about what a run may do although the policy forbids it; "" if nothing."""
        if not self.problem:
            return ""
        if self.means is Means.LANDLOCK:
            open_network = "" if socket_filter.is_available() else " and send datagrams"
            return (
                "The sandbox is a weak one, and runs may change permissions of your files"
                f"{open_network}: {self.problem}."
            )
        return f"Runs are not in a sandbox, and may do whatever you may do: {self.problem}."

    @contextlib.contextmanager
    def cell(self, room: Path) -> Iterator[Cell | None]:
        """Provide the launcher of a room for one run, or None if there is none; see `wrapper_of_run`.

        Raises `CellError` if it cannot be started.
        """
        if self.means not in (Means.BUBBLEWRAP, Means.LANDLOCK):
            yield None
            return
        if room not in self._cells:
            self._cells[room] = self.started(lambda: self._new_cell(room))
        cell = self._cells[room]
        try:
            yield cell
        finally:
            if cell.is_busy:  # the run was interrupted, so nobody knows what it would answer next
                del self._cells[room]
                cell.close()

    def environment(self) -> Mapping[bytes, bytes]:
        """Return those of this process's variables that all runs get.

        As bytes, since encoding a hundred variables takes longer than all else before a start.
        """
        encoded = {os.fsencode(name): os.fsencode(value) for name, value in os.environ.items()}
        return self.visible(encoded)

    def visible(self, variables: Mapping[bytes, bytes]) -> Mapping[bytes, bytes]:
        """Return those of some variables that all runs get."""
        if self.means is Means.NOTHING:
            return variables
        return visible_variables(variables, self._policy)

    def caches(self, directory: Path) -> dict[bytes, bytes]:
        """Return the variables by which programs keep their caches in a directory of a room."""
        if self.means is Means.NOTHING:
            return {}
        return {name: os.fsencode(directory / part) for name, part in _CACHES.items()}

    def call(self, command: Sequence[str], room: Path) -> int:
        """Run a command with the streams of this process, and return its exit code.

        Raises `OracleError` if there is no sandbox.
        """
        if self.problem and self.means is Means.NOTHING:
            raise OracleError(f"There is no sandbox: {self.problem}.")
        environment = {**self.environment(), **self.caches(room / "cache")}
        whole = [*self._wrapper(room), *command]

        def run() -> int:
            return subprocess.run(whole, env=environment, cwd=room, check=False).returncode

        return self.confined(run, room)

    def wrapper_of_run(self, room: Path) -> list[str]:
        """Return the command line before that of a run without a launcher; [] if there is none."""
        return self._wrapper(room) if self.means is Means.SEATBELT else []

    def wrapper_of_server(self, room: Path, directory: Path) -> list[str]:
        """Return the command line before that of a process that stays and is talked to.

        It starts in `directory`, which is in the room, and ends with the thread that starts it.
        """
        if self.means is not Means.BUBBLEWRAP:
            return self.wrapper_of_run(room)
        # As the first process, a server could not end by a signal of its own, such as an abort. The
        # last options say where it starts.
        program, *options = (word for word in self._wrapper(room) if word != "--as-pid-1")
        return [program, "--die-with-parent", *options[:-3], "--chdir", str(directory), "--"]

    def confined(self, function: Callable[[], T], room: Path) -> T:
        """Return what a function returns; the processes that it starts are confined to the room.

        With bubblewrap and sandbox-exec they are so by their command line.
        """
        if self.means is Means.LANDLOCK:
            return landlock.confined(function, self._policy, room)
        return function()

    def close(self) -> None:
        """End all sandboxes; no run may be in progress."""
        for cell in self._cells.values():
            cell.close()
        self._cells.clear()

    def launcher_command(self, room: Path, program: Sequence[str]) -> list[str]:
        """Return the command that starts a program in the room's sandbox, to serve as its launcher."""
        private = bubblewrap.PRIVATE if self.means is Means.BUBBLEWRAP else ()
        return [*self._wrapper(room), *program, *private]

    def started(self, start: Callable[[], T]) -> T:
        """Return what a function returns that starts a sandbox; if files have just gone, call it again.

        Raises what it raises.
        """
        for _ in range(MAX_STARTS - 1):
            with contextlib.suppress(bubblewrap.MountError):
                return start()
        return start()

    def check_server(self, outcome: Outcome) -> None:
        """Raise `MountError`, for `started`, if an outcome is that of a sandbox and not of a server."""
        if self.means is Means.BUBBLEWRAP and outcome.exit_code == 1:
            bubblewrap.check_start(outcome.stderr.decode("utf-8", "replace"))

    def _new_cell(self, room: Path) -> Cell:
        from pollard.executors.sandbox import launcher  # noqa: PLC0415 (only on Linux)
        from pollard.executors.sandbox.cell import Cell  # noqa: PLC0415

        program = (sys.executable, "-I", "-S", str(launcher.__file__))
        cell = Cell(self.launcher_command(room, program), lambda start: self.confined(start, room))
        cell.greet()
        return cell

    def _wrapper(self, room: Path) -> list[str]:
        if self.means is Means.SEATBELT:
            return seatbelt.arguments(self._policy, room)
        if self.means is Means.BUBBLEWRAP:
            return bubblewrap.arguments(self._policy, room, self._empty, self._named)
        return []


def means_here() -> tuple[Means, str]:
    """Return the best means that this machine has, and why it has no better one; "" if none exists."""
    if sys.platform == "darwin":
        problem = seatbelt.failure()
        return (Means.NOTHING if problem else Means.SEATBELT), problem
    if sys.platform != "linux":
        return Means.NOTHING, "this system has no sandbox that Pollard knows"
    problem = bubblewrap.failure() if bubblewrap.program() else "bubblewrap is not installed"
    if not problem:
        return Means.BUBBLEWRAP, ""
    return (Means.LANDLOCK if landlock.is_available() else Means.NOTHING), problem
