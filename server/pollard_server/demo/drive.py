"""Drives the server through one reduction, from its start to its end, and ends it on Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from pollard.signals import handled
from pollard_server.demo.errors import DemoError
from pollard_server.demo.process import SERVER, Process
from pollard_server.demo.workspace import workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pollard_server.demo.editor import Editor
    from pollard_server.demo.news import Ending, Listener
    from pollard_server.demo.workspace import Workspace

_LEAVE_SECONDS = 1.0


def drive(
    listener: Listener, *, jobs: int | None = None, command: Sequence[str] = SERVER
) -> Ending | None:
    """Let a server reduce the bundled script; return how that ended, None if it was not awaited.

    `listener` hears the news in this thread. The first Ctrl-C stops the reduction, or if there is none
    yet the demo; a second one leaves at once. Raises PollardError if the server does not do its work.
    No process and no file is left behind.
    """
    for name in ("pygls", "asyncio"):  # what they complain of comes as one sentence of ours
        logging.getLogger(name).addHandler(logging.NullHandler())
    interrupts = _Interrupts()
    with handled(interrupts.arrived):  # before there is a loop: half of one cannot be closed
        return asyncio.run(_Drive(listener, jobs, command).run(interrupts))


class _Drive:
    def __init__(self, listener: Listener, jobs: int | None, command: Sequence[str]) -> None:
        self._listener = listener
        self._jobs = jobs
        self._command = command
        self._editor: Editor | None = None
        self._stopping = False
        self._leaving = False

    async def run(self, interrupts: _Interrupts) -> Ending | None:
        """Reduce; None if it was interrupted before it began, or twice."""
        loop = asyncio.get_running_loop()
        work = asyncio.create_task(self._work())
        with interrupts.told(lambda: loop.call_soon_threadsafe(self._interrupted, work)):
            try:
                return await work
            except asyncio.CancelledError:
                return None

    def _interrupted(self, work: asyncio.Task[Ending]) -> None:
        if self._editor is not None and self._editor.reducing and not self._stopping:
            self._editor.stop()
        elif not self._leaving:
            self._leaving = True
            work.cancel()
        self._stopping = True

    async def _work(self) -> Ending:
        with workspace(self._jobs) as folder:
            starting = asyncio.ensure_future(Process.start(self._command, folder))
            try:
                # A start that is broken off half-way would leave a process that nobody knows.
                process = await asyncio.shield(starting)
                return await self._reduce(process, folder)
            finally:
                with contextlib.suppress(DemoError):
                    await self._end(await starting)

    async def _reduce(self, process: Process, folder: Workspace) -> Ending:
        # Half a second's work, for which neither the first picture nor the server should wait.
        from pollard_server.demo.editor import Editor  # noqa: PLC0415

        self._editor = Editor(process, folder)
        return await self._editor.reduce(self._listener)

    async def _end(self, process: Process) -> None:
        """End the server: with the words that editors use if there is time for them."""
        at_once, self._leaving = self._leaving, True  # from here on nobody interrupts
        said_goodbye = False
        if self._editor is not None and not at_once:
            with contextlib.suppress(DemoError, asyncio.TimeoutError):
                await asyncio.wait_for(self._editor.leave(), _LEAVE_SECONDS)
                said_goodbye = True
        await process.end(ask=not said_goodbye)


class _Interrupts:
    """Takes note of Ctrl-C and the like, for whom it may concern."""

    def __init__(self) -> None:
        self._missed = 0
        self._call: Callable[[], object] | None = None

    @contextlib.contextmanager
    def told(self, call: Callable[[], object]) -> Iterator[None]:
        """Call for each one meanwhile, and for those that came before."""
        self._call = call
        for _ in range(self._missed):
            call()
        try:
            yield
        finally:
            self._call = None

    def arrived(self, *_: object) -> None:
        """Call who is told, or keep it for that moment."""
        if self._call is None:
            self._missed += 1
        else:
            self._call()
