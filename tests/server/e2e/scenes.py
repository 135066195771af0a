"""Starting points that many tests share."""

from __future__ import annotations

from lsprotocol import types as lsp

from tests.server.editor import Buffer, Editor


async def held(
    editor: Editor, buffer: Buffer, where: lsp.Range | None = None, *, below: int | None = None
) -> str:
    """Start a reduction and hold its oracle at half of the size (or `below` bytes).

    When this returns the oracle is running, and the buffer has what was accepted so far.
    """
    workspace = editor.workspace
    workspace.hold(below or len(buffer.text.encode()) // 2)
    job = await editor.reduce(buffer, where)
    await editor.until(lambda: workspace.is_holding and shows_the_best(editor, buffer))
    await editor.settled(buffer)
    return job


def shows_the_best(editor: Editor, buffer: Buffer) -> bool:
    """Return whether the buffer has shrunk to the smallest interesting text."""
    size = len(buffer.text.encode("utf-8", "surrogatepass"))
    return bool(buffer.from_server) and size == editor.workspace.smallest


async def asked(editor: Editor, number: int = 1) -> None:
    """Wait until that many questions of the server are open."""
    await editor.until(lambda: len(editor.seen.open_questions) >= number)


async def all_ended(editor: Editor) -> None:
    """Wait until no reduction runs."""
    await editor.until(lambda: all(editor.seen.end(state["id"]) for state in editor.seen.states))
