"""Two documents, a user who does anything at any time, and what must hold whatever they do."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st
from pygls.exceptions import JsonRpcException

from tests.server.e2e import documents
from tests.server.editor import KEEP_MINE, KEEP_REDUCING, RESTORE, Buffer, Treatment
from tests.server.editor.answers import FOREIGN
from tests.server.interleavings.here import EditorHere

Step = tuple[str, dict[str, Any]]

_number = itertools.count()
_which = st.integers(0, 1)


def _step(method: str, /, **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Step]:
    return st.tuples(st.just(method), st.fixed_dictionaries(arguments))


STEPS = st.lists(
    st.one_of(
        _step(
            "change",
            which=_which,
            place=st.floats(0, 1),
            how=st.sampled_from(["type", "type", "delete", "undo"]),
        ),
        _step(
            "reduce",
            which=_which,
            resume=st.sampled_from([False, False, True]),
            edits=st.integers(0, 3),
        ),
        _step("watch", edits=st.integers(1, 4)),
        _step(
            "command",
            which=_which,
            name=st.sampled_from(["stop", "pause", "resume", "restore", "checkOracle"]),
        ),
        _step("answer", title=st.sampled_from([KEEP_REDUCING, KEEP_MINE, RESTORE, None])),
        _step("close_or_open", which=_which),
        _step(
            "save_and_change_settings",
            which=_which,
            interval=st.sampled_from([1, 5]),
            mode=st.sampled_from(["live", "final"]),
        ),
        _step("refuse", cancels=st.booleans()),
    ),
    min_size=6,
    max_size=24,
)
"""What a user does: names of methods of `TwoDocuments`, with arguments."""

# Sentences that refuse a command, all of them expected.
_REFUSALS = ("is being reduced already", "has not been reduced", "is neither open", "nothing to")


@dataclass
class Desk:
    """One of the two documents, and all texts that the user gave it."""

    buffer: Buffer
    given: set[str] = field(default_factory=set)
    is_sealed: bool = False  # closed, and the server knows


def interesting(text: str | bytes) -> bool:
    """Do what the oracle does."""
    content = text.encode() if isinstance(text, str) else text
    return content.count(b"needle") >= 3


class TwoDocuments:
    """A user with two documents, who carries out steps one after the other.

    Where a step is impossible, as in a document that is closed, nothing happens.
    """

    def __init__(self, editor: EditorHere, loop: asyncio.AbstractEventLoop) -> None:
        """Open both documents in an editor that runs in this loop."""
        self.editor = editor
        self._loop = loop
        self.desks = [self._opened(f"case{next(_number)}.txt") for _ in range(2)]
        self.editor.treatment = self._treated
        self.refused_next = False
        self._do(self._settle())

    def carry_out(self, steps: Sequence[Step]) -> None:
        """Carry out the steps, and check after each of them, and after all, what must hold."""
        try:
            for name, arguments in steps:
                getattr(self, name)(**arguments)
                self._check()
            self._do(self._end())
            for desk in self.desks:
                self._check_at_the_end(desk)
            self._check()
        finally:
            self._do(self.editor.close_all())
            self.editor.check()
            self.editor.forget()

    def _opened(self, name: str) -> Desk:
        async def opened() -> Desk:
            buffer = self.editor.open(name, documents.lines(26 + next(_number) % 12))
            return Desk(buffer, {buffer.text})

        return self._do(opened())

    def _do(self, awaitable: Awaitable[Any]) -> Any:
        return self._loop.run_until_complete(awaitable)

    def _treated(self, buffer: Buffer) -> Treatment:
        """Refuse an edit if the user said so; an edit of a closed document is a fault."""
        if any(desk.is_sealed for desk in self.desks if desk.buffer is buffer):
            self.editor.faults.append(f"an edit of {buffer.uri}, which is closed")
        refused, self.refused_next = self.refused_next, False
        return Treatment.REFUSE if refused else Treatment.APPLY

    # What the user does

    def change(self, which: int, place: float, how: str) -> None:
        """Change a text; what the user typed need not survive what they do to it themselves."""
        desk = self.desks[which]

        async def changed() -> None:
            buffer, at = desk.buffer, int(place * len(desk.buffer.text))
            if how == "type":
                self.editor.type(buffer, at, f"<{next(_number)}>")
            elif how == "delete":
                self.editor.delete(buffer, at, at + 1)
            elif buffer.undone:
                self.editor.undo(buffer)
            _forget_what_is_gone(buffer)
            if self.editor.is_beginning(buffer.uri):
                buffer.typed.clear()

        if desk.buffer.is_open:
            self._do(changed())
            desk.given.add(desk.buffer.text)

    def reduce(self, which: int, resume: bool, edits: int) -> None:
        """Start a reduction, and watch its first edits."""
        more = {"resume": True} if resume else {}
        self._do(self._command("pollard.reduce", which, **more))
        self._do(self._watched(edits))

    def watch(self, edits: int) -> None:
        self._do(self._watched(edits))

    def command(self, which: int, name: str) -> None:
        self._do(self._command(f"pollard.{name}", which))

    def answer(self, title: str | None) -> None:
        self._do(self._answered(title))

    def close_or_open(self, which: int) -> None:
        """Close a document, or open it again; its unsaved changes are gone."""
        desk = self.desks[which]
        if desk.buffer.is_open:
            self._do(self._closed(desk))
        else:
            self.desks[which] = self._opened(desk.buffer.uri.rpartition("/")[2])

    def save_and_change_settings(self, which: int, interval: int, mode: str) -> None:
        async def changed() -> None:
            buffer = self.desks[which].buffer
            if buffer.is_open:
                self.editor.save(buffer)
            self.editor.change_settings({"stream": {"interval": interval, "mode": mode}})

        self._do(changed())

    def refuse(self, cancels: bool) -> None:
        """Press the Cancel button of the newest progress, or refuse the next edit."""

        async def cancelled() -> None:
            for token in self.editor.seen.tokens[-1:]:
                self.editor.cancel(token)

        if cancels:
            self._do(cancelled())
        self.refused_next = not cancels

    async def _command(self, name: str, which: int, **more: Any) -> None:
        """Run a command; a refusal must be one of the expected sentences."""
        try:
            await self.editor.execute(name, {"uri": self.desks[which].buffer.uri, **more})
        except JsonRpcException as error:
            if not any(sentence in error.message for sentence in _REFUSALS):
                self.editor.faults.append(f"{name} was refused: {error.message}")

    async def _watched(self, edits: int) -> None:
        """Wait for some edits, or until no reduction runs without the user."""
        goal = self.editor.edits + edits
        await self.editor.until(lambda: self.editor.edits >= goal or not self._is_busy)

    async def _closed(self, desk: Desk) -> None:
        self.editor.close(desk.buffer)
        await self.editor.execute("pollard.status", {})
        desk.is_sealed = True

    # What must hold

    def _check(self) -> None:
        """Nothing is lost, no edit was wrong, and no document has two reductions."""
        assert [desk.buffer.lost for desk in self.desks] == [[], []]
        assert self.editor.faults == []
        running = Counter(self._do(self.editor.running()))
        assert set(running.values()) <= {1}

    def _check_at_the_end(self, desk: Desk) -> None:
        """The text is the user's or interesting, and the server knows it."""
        buffer = desk.buffer
        if buffer.is_open:
            assert buffer.text in desk.given or interesting(buffer.text)
            assert self.editor.server_text(buffer.uri) == buffer.text

    async def _end(self) -> None:
        """Let reductions end that do not wait for the user, stop the others, and let all settle."""
        while await self.editor.running():
            await self._answered(KEEP_MINE)
            await self.editor.execute("pollard.stop", {})
            await asyncio.sleep(0.001)
        await self._answered(None)
        for desk in self.desks:
            if desk.buffer.is_open:  # its thread is that of `pollard.restore`
                await self.editor.execute("pollard.history", {"uri": desk.buffer.uri})
        await self._settle()
        await self._settle()

    async def _answered(self, title: str | None) -> None:
        await self._settle()
        for question in self.editor.seen.open_questions:
            question.reply(title if question.titles == FOREIGN else None)
        await asyncio.sleep(0)

    async def _settle(self) -> None:
        for desk in self.desks:
            await self.editor.settled(desk.buffer)

    @property
    def _is_busy(self) -> bool:
        """Return whether a reduction runs without waiting for the user."""
        return self.editor.is_reducing and not self.editor.seen.open_questions


def _forget_what_is_gone(buffer: Buffer) -> None:
    gone = set(buffer.lost)
    buffer.typed = [key for key in buffer.typed if key not in gone]
