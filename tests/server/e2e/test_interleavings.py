"""Random interleavings of a user's typing, answers and reductions, against the real server.

Every keystroke is unique. The editor itself reports an edit of the server that removes one that was
not given away (by starting a reduction, or by an answer that says so). In the end the server's text
is the buffer's.
"""

from __future__ import annotations

import asyncio
import itertools

import pytest
import pytest_asyncio
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.examples import examples, rarely
from tests.server.e2e import documents
from tests.server.editor import (
    EMACS,
    KEEP_MINE,
    KEEP_REDUCING,
    NEOVIM,
    RESTORE,
    VSCODE,
    Editor,
    Treatment,
    Workspace,
)
from tests.server.editor.workspace import QUICK, note

pytestmark = pytest.mark.asyncio(loop_scope="session")

EXAMPLES = 12
_number = itertools.count()

MOVES = ["watch"] * 4 + ["reduce"] * 2 + ["undo", "refuse", "stop", "pause", "resume"]
steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["type", "type", "delete"]), st.floats(0, 1)),
        st.tuples(st.sampled_from(MOVES), st.none()),
        st.tuples(st.just("answer"), st.sampled_from([KEEP_REDUCING, KEEP_MINE, RESTORE, None])),
    ),
    min_size=6,
    max_size=20,
)


class User:
    """Performs a random step, if that is possible now."""

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self.buffer = editor.open(f"case{next(_number)}.txt", documents.lines(36))
        self.job = ""

    @property
    def is_reducing(self) -> bool:
        return bool(self.job) and not self.editor.seen.end(self.job)

    async def reduce(self, _: None) -> None:
        if not self.is_reducing:
            self.job = await self.editor.reduce(self.buffer)

    async def type(self, place: float) -> None:
        at = int(place * len(self.buffer.text))
        self.editor.type(self.buffer, at, f"<{next(_number)}>")

    async def delete(self, place: float) -> None:
        """Delete a character; typed text that contained it need not survive then."""
        at = int(place * len(self.buffer.text))
        self.editor.delete(self.buffer, at, at + 1)
        self._forget_what_is_gone()

    async def undo(self, _: None) -> None:
        if self.buffer.undone:
            self.editor.undo(self.buffer)
            self._forget_what_is_gone()

    def _forget_what_is_gone(self) -> None:
        gone = set(self.buffer.lost)
        self.buffer.typed = [key for key in self.buffer.typed if key not in gone]

    async def watch(self, _: None) -> None:
        """Wait for the next event, if a reduction is running."""
        edits = self.editor.edits
        await self.editor.until(lambda: self.editor.edits > edits or not self._is_busy)

    @property
    def _is_busy(self) -> bool:
        """Return whether the reduction runs without waiting for the user."""
        paused = [state["state"] == "paused" for state in self.editor.seen.of(self.job)][-1:]
        return self.is_reducing and paused != [True] and not self.editor.seen.open_questions

    async def refuse(self, _: None) -> None:
        """Refuse the next edit."""

        def once(_) -> Treatment:
            self.editor.treatment = lambda _: Treatment.APPLY
            return Treatment.REFUSE

        self.editor.treatment = once

    async def answer(self, title: str | None) -> None:
        """Answer the open questions of the server."""
        await self.editor.settled(self.buffer)
        for question in self.editor.seen.open_questions:
            question.reply(title)
        await asyncio.sleep(0)

    async def stop(self, _: None) -> None:
        await self.editor.execute("pollard.stop", {"uri": self.buffer.uri})

    async def pause(self, _: None) -> None:
        await self.editor.execute("pollard.pause", {"uri": self.buffer.uri})

    async def resume(self, _: None) -> None:
        await self.editor.execute("pollard.resume", {"uri": self.buffer.uri})

    async def finish(self) -> None:
        """Answer open questions, stop reductions, and wait until nothing changes any more."""
        while self.is_reducing:
            await self.answer(KEEP_MINE)
            await self.stop(None)
            await self.editor.until(lambda: not self.is_reducing or self.editor.seen.open_questions)
        await self.answer(None)
        self.editor.treatment = lambda _: Treatment.APPLY
        await self.editor.settled(self.buffer)


@pytest_asyncio.fixture(
    loop_scope="session", params=[VSCODE, *rarely(NEOVIM, EMACS)], ids=lambda habits: habits.name
)
async def hands(request: pytest.FixtureRequest, start, workspace: Workspace) -> Editor:
    """One editor for all examples, with a slow oracle."""
    table = workspace.oracle(f"sleep 0.005; {documents.NEEDLES}")
    workspace.configure(table, top="cache = false\n" + QUICK.replace("0.02", "0.01"))
    return await start(temperament=request.param)


@given(steps=steps)
@settings(examples(EXAMPLES), phases=[Phase.generate])  # what depends on time shrinks badly
async def test_no_keystroke_is_lost_and_no_text_is_mistaken(
    hands: Editor, workspace: Workspace, steps: list
) -> None:
    user = User(hands)
    await user.reduce(None)
    await user.watch(None)
    for step, argument in steps:
        await getattr(user, step)(argument)
    await user.finish()
    assert user.buffer.lost == []
    assert hands.faults == []
    await agree(hands, user)
    hands.close(user.buffer)


async def agree(editor: Editor, user: User) -> None:
    """Compare the server's text with the buffer's; the last answer may still change both."""
    for _ in range(50):
        known = await server_text(editor, user)
        await editor.settled(user.buffer)
        if known == note(user.buffer.text):
            return
    pytest.fail(f"the server takes another text for the buffer's: {user.buffer.text!r}")


async def server_text(editor: Editor, user: User) -> str:
    """Return the checksum and size of the text that the server believes the buffer has."""
    checks = len(editor.seen.checked)
    await editor.execute("pollard.checkOracle", {"uri": user.buffer.uri})
    await editor.until(lambda: len(editor.seen.checked) > checks)
    return editor.workspace.runs[-1]
