"""What survives when the server is killed, and what a hundred reductions leave behind."""

from __future__ import annotations

from operator import le
from pathlib import Path

import pytest

from tests.examples import rarely
from tests.server.e2e import documents
from tests.server.e2e.scenes import held
from tests.server.editor import Editor, Workspace
from tests.server.editor.workspace import note

pytestmark = pytest.mark.asyncio(loop_scope="session")

POOL = 4
CONTINUE = "Continue the interrupted reduction"


@pytest.mark.parametrize("name", ["emoji", *rarely("crlf", "no last line end")])
async def test_a_killed_server_loses_no_byte_of_the_original(
    start, workspace: Workspace, name: str
) -> None:
    texts = {
        "crlf": documents.lines(end="\r\n"),
        "emoji": documents.lines(end=" 😀é\n"),
        "no last line end": documents.lines()[:-1],
    }
    first = await start()
    buffer = first.open("case.txt", original := texts[name])
    await held(first, buffer)
    left = buffer.text
    await first.kill_server()
    workspace.release()

    second = await start()
    again = second.open("case.txt", left)
    actions = await second.code_actions(again)
    assert {"Restore original", CONTINUE} <= actions.keys()
    await second.run(actions["Restore original"])
    await second.until(lambda: again.text == original)


async def test_a_killed_server_leaves_no_oracle_running(
    start, workspace: Workspace, no_leftovers: None
) -> None:
    """Nobody is left to kill a run, but it ends after its command, and no other follows."""
    editor = await start()
    await held(editor, editor.open("case.txt", documents.lines()))
    await editor.kill_server()
    workspace.release()


@pytest.mark.exhaustive
async def test_a_continued_reduction_repeats_no_run(start, workspace: Workspace) -> None:
    """Except the check of the original and the interrupted run; the result is the same."""
    whole = await start()
    reference = whole.open("other.txt", original := documents.lines())
    await whole.reduced(reference)
    workspace.forget()

    buffer = whole.open("case.txt", original)
    await held(whole, buffer)
    left = buffer.text
    await whole.kill_server()
    workspace.release()
    before = workspace.runs
    workspace.forget()

    second = await start()
    again = second.open("case.txt", left)
    began = await second.run((await second.code_actions(again))[CONTINUE])
    assert (await second.ended(began["id"]))["state"] == "done"
    assert again.text == reference.text
    assert set(workspace.runs) - set(before)
    assert set(workspace.runs) & set(before) <= {note(original), before[-1]}


async def test_a_reduction_is_offered_to_be_continued_only_while_it_can_be(
    start, workspace: Workspace
) -> None:
    """Not after it has finished."""
    editor = await start()
    buffer = editor.open("case.txt", documents.lines())
    await editor.reduced(buffer)
    assert CONTINUE not in await editor.code_actions(buffer)


async def test_a_reduction_that_reached_a_limit_can_be_continued(
    start, workspace: Workspace
) -> None:
    """The user reads which limit it was; without limits the result is that of a whole reduction."""
    editor = await start(settings={"max_runs": 25})
    buffer = editor.open("case.txt", original := documents.lines())
    await editor.reduced(buffer)
    left = buffer.text
    assert any("ended at its limit of 25 runs." in text for text in editor.seen.messages)

    editor.change_settings({})
    began = await editor.run((await editor.code_actions(buffer))[CONTINUE])
    assert (await editor.ended(began["id"]))["state"] == "done"
    whole = editor.open("other.txt", original)
    await editor.reduced(whole)
    assert len(whole.text) < len(left) < len(original)
    assert buffer.text == whole.text


async def test_the_original_is_on_disk_before_the_first_edit(
    editor: Editor, workspace: Workspace, own_directories: Path
) -> None:
    on_disk: list[bool] = []

    def look(buffer):
        files = (own_directories / "state").rglob("*")
        wanted = original.encode()
        on_disk.append(any(file.is_file() and file.read_bytes() == wanted for file in files))
        return editor_treatment(buffer)

    buffer = editor.open("case.txt", original := documents.lines())
    editor_treatment = editor.treatment
    editor.treatment = look
    await editor.reduced(buffer)
    assert on_disk
    assert all(on_disk)


@pytest.mark.exhaustive
async def test_a_hundred_reductions_leak_nothing(editor: Editor, workspace: Workspace) -> None:
    """No thread, open file or process is added after the first ten.

    Except in the thread pool that reads standard input, which fills up as it is used.
    """
    await reduce_often(editor, 10)
    threads, files, processes = resources(editor)
    await reduce_often(editor, 90)
    limits = (threads + POOL, files, processes)
    await editor.until(lambda: all(map(le, resources(editor), limits)))


async def reduce_often(editor: Editor, times: int) -> None:
    for number in range(times):
        buffer = editor.open(f"case{number % 7}.txt", "needle needle needle\nhay\n")
        assert (await editor.reduced(buffer))["state"] == "done"
        editor.close(buffer)


def resources(editor: Editor) -> tuple[int, int, int]:
    """Return the numbers of the server's threads, open files and child processes."""
    process = editor.process
    return process.num_threads(), process.num_fds(), len(process.children(recursive=True))
