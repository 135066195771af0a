"""Code actions and commands to control a reduction: pause, status, history, restore."""

from __future__ import annotations

import asyncio

import pytest
from pygls.exceptions import JsonRpcException

from tests.server.e2e import documents
from tests.server.e2e.documents import NEEDLES
from tests.server.e2e.scenes import held
from tests.server.editor import Editor, Workspace

pytestmark = pytest.mark.asyncio(loop_scope="session")

REDUCE_FILE = "Reduce file"
STOP = "Stop reduction"
PAUSE = "Pause reduction"
RESUME = "Resume reduction"
RESTORE = "Restore original"
STEP_BACK = "Step back to an earlier reduction"


async def test_while_a_reduction_runs_it_can_be_stopped_and_paused(
    editor: Editor, workspace: Workspace
) -> None:
    buffer = editor.open("case.txt", documents.lines())
    await held(editor, buffer)
    actions = await editor.code_actions(buffer)
    assert {STOP, PAUSE} <= actions.keys()
    assert RESUME not in actions
    assert REDUCE_FILE not in actions or actions[REDUCE_FILE].disabled
    await editor.run(actions[STOP])


async def test_a_paused_reduction_runs_nothing_until_it_is_resumed(
    editor: Editor, workspace: Workspace
) -> None:
    buffer = editor.open("case.txt", documents.lines())
    job = await held(editor, buffer)
    paused = await editor.run((await editor.code_actions(buffer))[PAUSE])
    assert paused == {"ids": [job]}
    await editor.until(lambda: editor.seen.of(job)[-1]["state"] == "paused")
    workspace.release()  # the run that had begun may end
    status = await editor.execute("pollard.status", {"uri": buffer.uri})
    assert [entry["state"] for entry in status["reductions"] if entry["id"] == job] == ["paused"]
    actions = await editor.code_actions(buffer)
    assert PAUSE not in actions
    resumed = await editor.run(actions[RESUME])
    assert resumed == {"ids": [job]}
    assert (await editor.ended(job))["state"] == "done"
    assert documents.needles(buffer.text) == 3


async def test_the_original_can_be_restored_afterwards(editor: Editor) -> None:
    buffer = editor.open("case.txt", original := documents.lines())
    await editor.reduced(buffer)
    actions = await editor.code_actions(buffer)
    assert {REDUCE_FILE, RESTORE, STEP_BACK} <= actions.keys()
    assert STOP not in actions
    restored = await editor.run(actions[RESTORE])
    await editor.until(lambda: buffer.text == original)
    assert restored["bytes"] == len(original.encode())


async def test_before_anything_was_reduced_there_is_nothing_to_restore(editor: Editor) -> None:
    buffer = editor.open("case.txt", documents.lines())
    assert list(await editor.code_actions(buffer)) == [REDUCE_FILE]
    with pytest.raises(JsonRpcException, match=r"[Nn]othing|no reduction") as refusal:
        await editor.execute("pollard.restore", {"uri": buffer.uri})
    assert refusal.value.code == -32803


async def test_restoring_during_a_reduction_stops_it(editor: Editor, workspace: Workspace) -> None:
    buffer = editor.open("case.txt", original := documents.lines())
    job = await held(editor, buffer)
    await editor.execute("pollard.restore", {"uri": buffer.uri})
    assert (await editor.ended(job))["state"] == "stopped"
    await editor.until(lambda: buffer.text == original)
    workspace.release()
    await editor.settled(buffer)
    assert buffer.text == original


async def test_what_the_user_wrote_after_the_reduction_is_kept_when_it_is_restored(
    editor: Editor,
) -> None:
    """The restored text replaces it in the buffer, but the history has it."""
    buffer = editor.open("case.txt", original := documents.lines())
    await editor.reduced(buffer)
    editor.type(buffer, 0, "my note ")
    mine = buffer.text
    await editor.execute("pollard.restore", {"uri": buffer.uri})
    await editor.until(lambda: buffer.text == original)
    editor.undo(buffer)
    assert buffer.text == mine


async def test_text_typed_during_a_restore_is_not_overwritten(
    editor: Editor,
) -> None:
    """The user requests the original and types before it arrives: the typed text stays."""
    buffer = editor.open("case.txt", documents.lines())
    await editor.reduced(buffer)
    restoring = asyncio.ensure_future(editor.execute("pollard.restore", {"uri": buffer.uri}))
    await asyncio.sleep(0)  # so that the request goes out first
    editor.type(buffer, 0, "my note ")
    await restoring
    await editor.until(lambda: any("restored" in message for message in editor.seen.messages))
    assert buffer.text.startswith("my note ")


async def test_every_accepted_text_is_in_the_history(editor: Editor, workspace: Workspace) -> None:
    buffer = editor.open("case.txt", original := documents.lines())
    await editor.reduced(buffer)
    records = (await editor.execute("pollard.history", {"uri": buffer.uri}))["records"]
    steps = records[-1]["steps"]
    texts = [await text_of(editor, buffer, step["number"]) for step in steps]
    assert await text_of(editor, buffer, 0) == original
    assert texts[-1] == buffer.text
    assert set(buffer.from_server) <= set(texts)
    assert [step["bytes"] for step in steps] == [len(text) for text in texts]
    assert all(workspace.is_interesting(text) for text in texts)


async def text_of(editor: Editor, buffer, number: int) -> str:
    found = await editor.execute("pollard.history", {"uri": buffer.uri, "number": number})
    return found["text"]


async def test_an_earlier_reduction_can_be_stepped_back_to(editor: Editor) -> None:
    buffer = editor.open("case.txt", documents.lines())
    await editor.reduced(buffer)
    wanted = await text_of(editor, buffer, 1)
    await editor.execute("pollard.restore", {"uri": buffer.uri, "number": 1})
    await editor.until(lambda: buffer.text == wanted)


async def test_the_action_lets_the_user_choose_among_earlier_reductions(editor: Editor) -> None:
    buffer = editor.open("case.txt", documents.lines())
    await editor.reduced(buffer)
    last = buffer.text
    action = (await editor.code_actions(buffer))[STEP_BACK]
    editor.answers.to = lambda question: question.titles[0]  # type: ignore[method-assign]
    await editor.run(action)
    await editor.until(lambda: buffer.text != last)


async def test_status_reports_all_reductions_or_that_of_a_document(
    editor: Editor, workspace: Workspace
) -> None:
    one, two = editor.open("one.txt", documents.lines()), editor.open("two.txt", "x")
    job = await held(editor, one)
    everything = (await editor.execute("pollard.status", {}))["reductions"]
    assert [(entry["id"], entry["uri"]) for entry in everything] == [(job, one.uri)]
    assert (await editor.execute("pollard.status", {"uri": two.uri}))["reductions"] == []


async def test_with_several_oracles_each_has_its_action(start, workspace: Workspace) -> None:
    workspace.configure(workspace.oracle(NEEDLES, "needle"), workspace.oracle("grep -q hay", "hay"))
    editor = await start()
    buffer = editor.open("case.py", documents.python(), "python")
    actions = await editor.code_actions(buffer)
    titles = ["Reduce file with needle", "Reduce file with hay"]
    if not set(titles) <= actions.keys():  # they appear when the settings are known
        await editor.until(lambda: editor.seen.asked_settings)
        actions = await editor.code_actions(buffer)
    assert [title for title in actions if title.startswith("Reduce")] == titles


async def test_an_oracle_for_another_language_is_not_offered(start, workspace: Workspace) -> None:
    workspace.configure(workspace.oracle(NEEDLES, keys='languages = ["c"]\n'))
    editor = await start()
    buffer = editor.open("case.py", documents.python(), "python")
    action = (await editor.code_actions(buffer))[REDUCE_FILE]
    assert action.disabled is not None
    assert "No oracle is for" in action.disabled.reason


async def test_without_an_oracle_the_action_says_what_to_do(start, workspace: Workspace) -> None:
    workspace.configure()
    editor = await start()
    buffer = editor.open("case.py", documents.python(), "python")
    action = (await editor.code_actions(buffer))[REDUCE_FILE]
    assert action.disabled is not None
    assert "pollard.toml" in action.disabled.reason


async def test_requests_for_other_kinds_get_no_actions(editor: Editor) -> None:
    buffer = editor.open("case.py", documents.python(), "python")
    assert await editor.code_actions(buffer, only=["quickfix"]) == {}
    assert REDUCE_FILE in await editor.code_actions(buffer, only=["refactor"])
    assert REDUCE_FILE in await editor.code_actions(buffer, only=["refactor.rewrite.reduce"])


async def test_the_oracle_can_be_checked_without_reducing(
    editor: Editor, workspace: Workspace
) -> None:
    buffer = editor.open("case.txt", original := documents.lines())
    began = await editor.execute("pollard.checkOracle", {"uri": buffer.uri})
    assert began["uri"] == buffer.uri
    result = await editor.until(lambda: editor.seen.checked and editor.seen.checked[-1])
    assert result["id"] == began["id"]
    assert (result["oracle"], result["interesting"]) == ("needle", True)
    assert {run["verdict"] for run in result["runs"]} == {"interesting"}
    assert buffer.text == original
    assert len(workspace.runs) == len(result["runs"])
