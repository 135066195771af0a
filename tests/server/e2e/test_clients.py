"""Editors that lack a capability still get all that they can use."""

from __future__ import annotations

import pytest

from tests.server.e2e import documents
from tests.server.e2e.scenes import held
from tests.server.editor import Editor, Workspace, capabilities

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_without_apply_edit_nothing_runs_and_a_message_says_why(start) -> None:
    """Because the result could not get into the buffer."""
    editor = await start(supports=capabilities(apply_edit=False))
    buffer = editor.open("case.txt", original := documents.lines())
    action = (await editor.code_actions(buffer))["Reduce file"]
    if action.disabled is None:
        job = (await editor.run(action))["id"]
        await editor.ended(job)
        assert any("apply" in message or "edit" in message for message in editor.seen.messages)
    assert buffer.text == original
    assert editor.edits == 0


async def test_without_progress_there_are_two_messages(start, workspace: Workspace) -> None:
    """One at the start, and one with the result at the end."""
    editor = await start(supports=capabilities(progress=False))
    buffer = editor.open("case.txt", documents.lines())
    end = await editor.reduced(buffer)
    assert (editor.seen.tokens, editor.seen.reports) == ([], [])
    first, last = await editor.until(
        lambda: len(editor.seen.messages) >= 2 and editor.seen.messages
    )
    assert "case.txt" in first
    assert " → " in last
    assert f"{end['runs']} runs" in last


async def test_progress_of_the_requests_own_token_needs_no_capability(start) -> None:
    editor = await start(supports=capabilities(progress=False))
    buffer = editor.open("case.txt", documents.lines())
    began = await editor.execute("pollard.reduce", {"uri": buffer.uri}, token="mine")
    await editor.ended(began["id"])
    await editor.until(lambda: editor.seen.reports and editor.seen.reports[-1].kind == "end")
    assert {report.token for report in editor.seen.reports} == {"mine"}
    assert editor.seen.tokens == []


async def test_the_requests_own_token_can_be_cancelled(start, workspace: Workspace) -> None:
    editor = await start()
    buffer = editor.open("case.txt", original := documents.lines())
    workspace.hold(len(original) // 2)
    began = await editor.execute("pollard.reduce", {"uri": buffer.uri}, token="mine")
    await editor.until(lambda: workspace.is_holding)
    editor.cancel("mine")
    assert (await editor.ended(began["id"]))["state"] == "stopped"


async def test_without_configuration_the_file_and_the_options_apply(
    start, workspace: Workspace
) -> None:
    """The initialization options override the file."""
    options = {"stream": {"mode": "final"}}
    editor = await start(supports=capabilities(configuration=False), options=options)
    buffer = editor.open("case.txt", documents.lines())
    assert (await editor.reduced(buffer))["state"] == "done"
    assert editor.seen.asked_settings == 0
    assert len(buffer.from_server) == 1


async def test_without_support_for_disabled_actions_none_is_sent(
    start, workspace: Workspace
) -> None:
    workspace.configure()
    editor = await start(supports=capabilities(disabled_actions=False))
    buffer = editor.open("case.txt", documents.lines())
    assert await editor.code_actions(buffer) == {}


async def test_without_registration_nothing_is_registered(start) -> None:
    editor = await start(fresh=True, supports=capabilities(registration=False))
    buffer = editor.open("case.txt", documents.lines())
    assert (await editor.reduced(buffer))["state"] == "done"
    assert editor.seen.registered == []


async def test_edits_are_versioned_even_for_an_editor_without_that_capability(start) -> None:
    """An edit without a version would be applied to any text; the editor checks that none came."""
    editor = await start(supports=capabilities(document_changes=False))
    buffer = editor.open("case.txt", documents.lines())
    assert (await editor.reduced(buffer))["state"] == "done"
    assert documents.needles(buffer.text) == 3


async def test_other_requests_are_answered_while_a_reduction_runs(
    editor: Editor, workspace: Workspace
) -> None:
    """The oracle is held throughout, so the answers cannot have waited for it."""
    buffer = editor.open("case.txt", documents.lines())
    await held(editor, buffer)
    other = editor.open("other.py", documents.python(), "python")
    assert "Reduce file" in await editor.code_actions(other)
    assert (await editor.execute("pollard.status", {}))["reductions"]
