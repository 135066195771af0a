"""The zygotes of an executor, one for each run directory, and what they import."""

from __future__ import annotations

import contextlib
import os
import select
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pollard.errors import NotBegun
from pollard.executors.invocation import kill_with_descendants
from pollard.executors.sandbox import bubblewrap
from pollard.executors.sandbox.cell import Cell, CellError
from pollard.executors.warm import zygote
from pollard.executors.watchdog import watched_mark
from pollard.oracle.executor import FLAG_PERIOD_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pollard.executors.run_directories import RunDirectory
    from pollard.executors.sandbox import Sandboxes
    from pollard.executors.warm.python_programs import PythonProgram
    from pollard.oracle.executor import Cancellable

_LOAD_SECONDS = 60.0
_NOTES_BYTES = 1 << 20
_REFUSED, _BEHIND = b"refused ", b"behind "


class ZygoteRefused(CellError):
    """A program's modules cannot be kept; the text continues "Runs are cold: "."""


class StaysBehind(ZygoteRefused):
    """The program cannot run up to its first look at the candidate; its modules may be loaded."""


class ZygoteCell(Cell):
    """A zygote in its sandbox, which is used as a launcher is."""

    def load(self, setup: Mapping[str, Any], cancelled: Cancellable | None) -> None:
        """Have it import modules, and wait for that.

        Raises `ZygoteRefused`, `MountError`, and `NotBegun` once `cancelled` is set.
        """
        error: BaseException | None = None
        try:
            self._send(dict(setup), [])
            self._wait(cancelled)
            if self._is_ready():
                return
        except BaseException as raised:
            error = raised
        complaint = self._kill()
        bubblewrap.check_start(complaint)
        if error is not None:
            raise error
        told = complaint.splitlines()[-1:] or ["it ended at once"]
        kind = StaysBehind if setup["arguments"] else ZygoteRefused
        raise kind(f"its modules cannot be loaded ({told[0]})")

    def _kill(self) -> str:
        kill_with_descendants(self._process.pid)
        return self.close()

    def _wait(self, cancelled: Cancellable | None) -> None:
        """Wait until there is something to read."""
        poll = select.poll()
        poll.register(self.descriptor, select.POLLIN)
        for _ in range(int(_LOAD_SECONDS / FLAG_PERIOD_SECONDS)):
            if poll.poll(FLAG_PERIOD_SECONDS * 1000):
                return
            if cancelled is not None and cancelled.is_set():
                raise NotBegun("The run was cancelled while modules were loaded.")
        raise ZygoteRefused("its modules take too long to load")

    def _read_line(self) -> bytes:
        line = super()._read_line()
        if line.startswith(_REFUSED):
            raise ZygoteRefused(line.removeprefix(_REFUSED).decode("utf-8", "replace"))
        if line.startswith(_BEHIND):
            raise StaysBehind(line.removeprefix(_BEHIND).decode("utf-8", "replace"))
        return line


class Zygotes:
    """Keeps a zygote for each room, and starts it again once it is gone.

    All import `modules`, which a recorded run (`recording`) found. If they go ahead, they also run the
    program up to its first look at the candidate; they no longer do once that was impossible. Threads
    may share this object, but not a room.
    """

    def __init__(
        self,
        program: PythonProgram,
        sandboxes: Sandboxes,
        variables: Callable[[RunDirectory, str], dict[bytes, bytes]],
        arguments: Callable[[RunDirectory], list[bytes]],
        *,
        stdin: bool,
    ) -> None:
        """`variables` returns the environment of a run, and `arguments` its command.

        `stdin` says whether it reads a file there.
        """
        self.modules: tuple[str, ...] = ()
        self.go_ahead = not stdin  # which is read without a look
        self._arguments = arguments
        self._program = program
        self._sandboxes = sandboxes
        self._variables = variables
        self._stdin = stdin
        self._cells: dict[Path, ZygoteCell] = {}

    @contextlib.contextmanager
    def cell(self, directory: RunDirectory, cancelled: Cancellable | None) -> Iterator[Cell]:
        """Provide the zygote of a directory for one run. Raises `CellError` and `NotBegun`."""
        room = directory.room
        if room not in self._cells:
            self._cells[room] = self._opened(directory, cancelled)
        cell = self._cells[room]
        try:
            yield cell
        except CellError:
            self._drop(room)
            raise
        finally:
            if cell.is_busy:
                self._drop(room)

    @contextlib.contextmanager
    def recording(self, directory: RunDirectory, cancelled: Cancellable | None) -> Iterator[Cell]:
        """Provide a zygote that has imported nothing, and learn `modules` from its run."""
        directory.cache.mkdir(exist_ok=True)
        handle, path = tempfile.mkstemp(dir=directory.cache)
        os.truncate(handle, _NOTES_BYTES)
        os.close(handle)
        try:
            with contextlib.closing(self._started(directory, path, cancelled)) as cell:
                yield cell
            notes = Path(path).read_bytes().rstrip(b"\0")
        finally:
            Path(path).unlink(missing_ok=True)
        self.modules = _kept(notes.decode("utf-8", "replace"), directory.room, self._program.target)

    def close(self) -> None:
        """End all zygotes; no run may be in progress."""
        for room in list(self._cells):
            self._drop(room)

    def _drop(self, room: Path) -> None:
        cell = self._cells.pop(room, None)
        if cell is not None:
            cell.close()

    def _opened(self, directory: RunDirectory, cancelled: Cancellable | None) -> ZygoteCell:
        if self.go_ahead:
            with contextlib.suppress(StaysBehind):
                return self._started(directory, "", cancelled, self._arguments(directory))
            self.go_ahead = False
        return self._started(directory, "", cancelled)

    def _started(
        self,
        directory: RunDirectory,
        record: str,
        cancelled: Cancellable | None,
        arguments: Sequence[bytes] = (),
    ) -> ZygoteCell:
        """Start a zygote; with `arguments` it goes ahead."""
        return self._sandboxes.started(
            lambda: self._loaded(directory, record, cancelled, arguments)
        )

    def _loaded(
        self,
        directory: RunDirectory,
        record: str,
        cancelled: Cancellable | None,
        arguments: Sequence[bytes],
    ) -> ZygoteCell:
        program = self._program
        mark = watched_mark()
        setup = {
            "mode": program.mode,
            "target": program.target,
            "words": list(program.words),
            "options": program.length,
            "directory": str(directory.directory),
            "modules": list(self.modules),
            "record": record,
            "stdin": self._stdin,
            "arguments": list(arguments),
            "file": str(directory.file),
        }
        words = (*program.interpreter, zygote.__file__)
        cell = ZygoteCell(
            self._sandboxes.launcher_command(directory.room, words),
            lambda start: self._sandboxes.confined(start, directory.room),
            self._variables(directory, mark),
        )
        cell.mark = mark
        cell.load(setup, cancelled)
        return cell


def _kept(notes: str, room: Path, target: str) -> tuple[str, ...]:
    """Return the modules that a zygote may import: not what is run, and nothing from the run itself."""
    found: dict[str, None] = {}
    for line in notes.splitlines():
        name, _, origin = line.partition("\t")
        if name not in (target, f"{target}.__main__", "__main__") and not origin.startswith(
            f"{room}{os.sep}"
        ):
            found[name] = None
    return tuple(found)
