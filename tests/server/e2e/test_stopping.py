"""Every way to stop ends all oracles, and keeps the best text in the buffer and on disk."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest
from lsprotocol import types as lsp

from tests.conftest import oracle_processes
from tests.server.e2e import documents
from tests.server.e2e.scenes import held
from tests.server.editor import Editor, Workspace

pytestmark = pytest.mark.asyncio(loop_scope="session")


def oracles_running() -> list[str]:
    return oracle_processes(os.environ["POLLARD_STATE_DIR"])


async def stopped(editor: Editor, job: str) -> None:
    """Wait for the end of a stopped reduction and its processes, while the oracle is still held."""
    end = await editor.ended(job)
    assert end["state"] == "stopped"
    await editor.until(lambda: not oracles_running())


def press_cancel(editor: Editor, job: str) -> None:
    editor.cancel(editor.seen.tokens[-1])


def run_stop_by_id(editor: Editor, job: str) -> None:
    editor.client.workspace_execute_command(lsp.ExecuteCommandParams("pollard.stop", [{"id": job}]))


def run_stop_by_uri(editor: Editor, job: str) -> None:
    (uri,) = editor.buffers
    editor.client.workspace_execute_command(
        lsp.ExecuteCommandParams("pollard.stop", [{"uri": uri}])
    )


def run_stop_all(editor: Editor, job: str) -> None:
    editor.client.workspace_execute_command(lsp.ExecuteCommandParams("pollard.stop", [{}]))


@pytest.mark.parametrize("stop", [press_cancel, run_stop_by_id, run_stop_by_uri, run_stop_all])
async def test_stopping_keeps_the_best_so_far(editor: Editor, workspace: Workspace, stop) -> None:
    buffer = editor.open("case.txt", original := documents.lines())
    job = await held(editor, buffer)
    assert oracles_running()
    best = buffer.text
    stop(editor, job)
    await stopped(editor, job)
    assert buffer.text == best != original
    assert editor.seen.end(job)["bytes"] == len(best)


async def test_a_stop_during_the_check_of_the_original_changes_nothing(
    editor: Editor, workspace: Workspace
) -> None:
    buffer = editor.open("case.txt", original := documents.lines())
    workspace.hold(1 << 30)
    job = await editor.reduce(buffer)
    await editor.until(lambda: workspace.is_holding)
    await editor.execute("pollard.stop", {"id": job})
    await stopped(editor, job)
    assert buffer.text == original


async def test_a_stop_while_the_user_thinks_about_consent_ends_it(start) -> None:
    """A later answer starts no run."""
    editor = await start()
    editor.answers.consent = "(the question stays open)"
    buffer = editor.open("case.txt", original := documents.lines())
    job = await editor.reduce(buffer)
    await editor.until(lambda: editor.seen.open_questions)
    await editor.execute("pollard.stop", {"id": job})
    await stopped(editor, job)
    editor.seen.questions[-1].reply("Always in this workspace")
    await editor.settled(buffer)
    assert editor.workspace.runs == []
    assert buffer.text == original


async def test_cancelling_the_request_at_once_stops_its_reduction(editor: Editor) -> None:
    """`$/cancelRequest` is sent before the answer with the reduction's id arrives."""
    buffer = editor.open("case.txt", documents.lines())
    editor.workspace.hold(len(buffer.text) // 2)
    request = asyncio.ensure_future(
        editor.execute("pollard.reduce", {"uri": buffer.uri}, id_="cancelled")
    )
    await asyncio.sleep(0)  # so that the request goes out first
    editor.notify(lsp.CANCEL_REQUEST, lsp.CancelParams("cancelled"))
    await stopped(editor, (await request)["id"])


async def test_cancelling_the_answered_request_stops_its_reduction(
    editor: Editor, workspace: Workspace
) -> None:
    buffer = editor.open("case.txt", original := documents.lines())
    workspace.hold(len(original) // 2)
    began = await editor.execute("pollard.reduce", {"uri": buffer.uri}, id_="answered")
    await editor.until(lambda: workspace.is_holding)
    editor.notify(lsp.CANCEL_REQUEST, lsp.CancelParams("answered"))
    await stopped(editor, began["id"])


async def test_closing_the_document_keeps_the_best_on_disk(
    editor: Editor, workspace: Workspace
) -> None:
    buffer = editor.open("case.txt", original := documents.lines())
    job = await held(editor, buffer)
    best = buffer.text
    editor.close(buffer)
    await stopped(editor, job)
    again = editor.open("case.txt", original)
    records = (await editor.execute("pollard.history", {"uri": again.uri}))["records"]
    number = records[-1]["steps"][-1]["number"]
    found = await editor.execute("pollard.history", {"uri": again.uri, "number": number})
    assert found["text"] == best


async def test_an_editor_that_is_killed_leaves_no_process(
    start, editor: Editor, workspace: Workspace
) -> None:
    """The next editor finds the original and the best text."""
    buffer = editor.open("case.txt", original := documents.lines())
    await held(editor, buffer)
    best = buffer.text
    await editor.crash()
    assert not oracles_running()
    await best_and_original_are_there(start, best, original)


async def test_an_editor_that_leaves_in_good_order_leaves_no_process(
    start, editor: Editor, workspace: Workspace
) -> None:
    buffer = editor.open("case.txt", original := documents.lines())
    await held(editor, buffer)
    best = buffer.text
    await editor.leave()
    assert not oracles_running()
    await best_and_original_are_there(start, best, original)


async def test_a_terminated_server_leaves_no_process(
    start, editor: Editor, workspace: Workspace
) -> None:
    """SIGTERM is what a session manager sends at logout."""
    buffer = editor.open("case.txt", original := documents.lines())
    await held(editor, buffer)
    best = buffer.text
    editor.process.send_signal(signal.SIGTERM)
    await editor.gone()
    assert not oracles_running()
    await best_and_original_are_there(start, best, original)


async def best_and_original_are_there(start, best: str, original: str) -> None:
    editor = await start()
    buffer = editor.open("case.txt", best)
    records = (await editor.execute("pollard.history", {"uri": buffer.uri}))["records"]
    number = records[-1]["steps"][-1]["number"]
    found = await editor.execute("pollard.history", {"uri": buffer.uri, "number": number})
    assert found["text"] == best
    await editor.execute("pollard.restore", {"uri": buffer.uri})
    await editor.until(lambda: buffer.text == original)


async def test_stopping_what_does_not_run_stops_nothing(editor: Editor) -> None:
    buffer = editor.open("case.txt", documents.lines())
    assert await editor.execute("pollard.stop", {"uri": buffer.uri}) == {"ids": []}
