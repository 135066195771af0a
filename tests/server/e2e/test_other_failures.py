"""Other failures that candidates showed: they stay in the history, and can be reduced from there."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from tests.server.e2e.documents import FAILURES, NEEDLES, failing, lines
from tests.server.e2e.scenes import held
from tests.server.editor import Answers, Buffer, Editor, Workspace
from tests.server.editor.answers import NO

pytestmark = pytest.mark.asyncio(loop_scope="session")

ACTION = "Reduce another failure"
ALL = ("needle", "thorn", "nettle")


@pytest.fixture
def workspace(workspace: Workspace) -> Workspace:
    workspace.configure(workspace.oracle(FAILURES))
    return workspace


async def history(editor: Editor, buffer: Buffer) -> list[dict[str, Any]]:
    found = await editor.execute("pollard.history", {"uri": buffer.uri})
    return found["records"]


async def reduced_other(editor: Editor, buffer: Buffer, **more: Any) -> dict[str, Any]:
    """Reduce another failure of a document that was reduced before; return the last progress."""
    known = {state["id"] for state in editor.seen.states}
    await editor.execute("pollard.reduceOther", {"uri": buffer.uri, **more})
    return await editor.until(lambda: ended_since(editor, known))


def ended_since(editor: Editor, known: set[str]) -> dict[str, Any] | None:
    """Return the last progress of a reduction that is not known yet, once it has ended."""
    new = [state["id"] for state in editor.seen.states if state["id"] not in known]
    return editor.seen.end(new[-1]) if new else None


async def test_the_history_has_the_other_failures_of_a_finished_reduction(editor: Editor) -> None:
    buffer = editor.open("case.txt", failing(*ALL))
    end = await editor.reduced(buffer)
    (record,) = await history(editor, buffer)
    assert record["others"] == end["others"]
    kinds = [other["description"].split(",")[0] for other in record["others"]]
    assert sorted(kinds) == ["KeyError", "NameError"]
    assert "2 other failures seen" in end["message"]


async def test_another_failure_is_reduced_with_its_own_failure_kept(editor: Editor) -> None:
    buffer = editor.open("case.txt", failing("needle", "thorn"))
    first = await editor.reduced(buffer)
    assert "needle" in buffer.text
    end = await reduced_other(editor, buffer)
    assert end["failure"]["kind"] == "NameError"
    assert end["originalFailure"]["kind"] == "NameError"
    assert end["bytes"] <= first["others"][0]["bytes"]
    assert "thorn" in buffer.text
    assert "needle" not in buffer.text


async def test_its_record_continues_the_one_that_saw_it(editor: Editor) -> None:
    """So the original of both can be restored, though another text was in between."""
    buffer = editor.open("case.txt", original := failing("needle", "thorn"))
    await editor.reduced(buffer)
    await reduced_other(editor, buffer)
    records = await history(editor, buffer)
    reductions = [record for record in records if record["status"] == "finished"]
    assert [record["continues"] for record in reductions] == [None, reductions[0]["id"]]
    await editor.run((await editor.code_actions(buffer))["Restore original"])
    await editor.until(lambda: buffer.text == original)


async def test_several_failures_are_offered_for_choice(start) -> None:
    editor = await start(answers=Answers(queue=["Always in this workspace"]))
    buffer = editor.open("case.txt", failing(*ALL))
    await editor.reduced(buffer)
    asked = len(editor.seen.questions)
    chosen = await editor.run((await editor.code_actions(buffer))[ACTION])
    assert chosen == {"record": None, "number": None, "bytes": None}
    question = await editor.until(lambda: editor.seen.questions[asked:])
    titles = question[0].titles
    assert [title[:2] for title in titles] == ["1:", "2:"]
    assert all(re.search(r"Error, raised in load, \d+ B$", title) for title in titles)


async def test_the_chosen_failure_is_reduced(start) -> None:
    editor = await start()
    buffer = editor.open("case.txt", failing(*ALL))
    await editor.reduced(buffer)
    known = {state["id"] for state in editor.seen.states}
    asked = len(editor.seen.questions)
    editor.answers.other = "(the question stays open)"
    await editor.execute("pollard.reduceOther", {"uri": buffer.uri})
    (question,) = await editor.until(lambda: editor.seen.questions[asked:])
    (title,) = (title for title in question.titles if "KeyError" in title)
    question.reply(title)
    end = await editor.until(lambda: ended_since(editor, known))
    assert end["failure"]["kind"] == "KeyError"
    assert "nettle" in buffer.text


async def test_a_named_failure_is_reduced_without_a_question(editor: Editor) -> None:
    buffer = editor.open("case.txt", failing(*ALL))
    first = await editor.reduced(buffer)
    (number,) = (other["number"] for other in first["others"] if "KeyError" in other["description"])
    (record,) = await history(editor, buffer)
    end = await reduced_other(editor, buffer, record=record["id"], number=number)
    assert end["failure"]["kind"] == "KeyError"


async def test_only_the_region_of_the_first_reduction_is_reduced(editor: Editor) -> None:
    text = "kept above ü\n" + failing("needle", "thorn") + "kept below\n"
    buffer = editor.open("case.txt", text)
    start, end = text.index("line 0"), text.index("kept below")
    await editor.reduced(buffer, editor.select(buffer, start, end))
    end_state = await reduced_other(editor, buffer)
    assert end_state["failure"]["kind"] == "NameError"
    assert buffer.text.startswith("kept above ü\n")
    assert buffer.text.endswith("kept below\n")
    assert "hay" not in buffer.text


async def test_what_the_user_typed_before_is_kept(editor: Editor) -> None:
    buffer = editor.open("case.txt", failing("needle", "thorn"))
    await editor.reduced(buffer)
    editor.type(buffer, 0, "my note ")
    await editor.settled(buffer)
    mine = buffer.text
    editor.allow_overwriting()
    await reduced_other(editor, buffer)
    kept = [record for record in await history(editor, buffer) if record["status"] == "kept"]
    arguments = {"uri": buffer.uri, "record": kept[-1]["id"], "number": 0}
    assert (await editor.execute("pollard.history", arguments))["text"] == mine


async def test_text_typed_before_the_failures_text_arrives_is_not_overwritten(
    editor: Editor,
) -> None:
    buffer = editor.open("case.txt", failing("needle", "thorn"))
    await editor.reduced(buffer)
    known = len(editor.seen.states)
    reducing = asyncio.ensure_future(editor.execute("pollard.reduceOther", {"uri": buffer.uri}))
    await asyncio.sleep(0)  # so that the request goes out first
    editor.type(buffer, 0, "my note ")
    await reducing
    await editor.until(lambda: any("was not replaced" in each for each in editor.seen.messages))
    assert buffer.text.startswith("my note ")
    assert len(editor.seen.states) == known


async def test_a_reduction_that_found_only_other_failures_keeps_them(
    editor: Editor, workspace: Workspace
) -> None:
    """Its record has no accepted text, but is needed to reduce them."""
    workspace.configure(workspace.oracle('grep -q thorn "$1" || return 1' + FAILURES))
    buffer = editor.open("case.txt", "thorn\nneedle\n")
    end = await editor.reduced(buffer)
    assert (end["state"], end["reductions"]) == ("done", 0)
    (record,) = await history(editor, buffer)
    assert record["steps"] == []
    assert [other["description"] for other in record["others"]] == ["NameError, raised in load"]
    assert (await reduced_other(editor, buffer))["failure"]["kind"] == "NameError"


async def test_the_action_is_offered_only_if_other_failures_were_seen(editor: Editor) -> None:
    buffer = editor.open("case.txt", failing("needle"))
    await editor.reduced(buffer)
    assert ACTION not in await editor.code_actions(buffer)
    other = editor.open("other.txt", failing("needle", "thorn"))
    await editor.reduced(other)
    assert ACTION in await editor.code_actions(other)


async def refused(editor: Editor, buffer: Buffer, **more: Any) -> str:
    """Return the sentence with which the command is refused."""
    with pytest.raises(JsonRpcException) as refusal:
        await editor.execute("pollard.reduceOther", {"uri": buffer.uri, **more})
    assert refusal.value.code == -32803
    return str(refusal.value)


async def test_each_obstacle_is_named_in_one_sentence(
    editor: Editor, own_directories: Path
) -> None:
    buffer = editor.open("case.txt", failing("needle", "thorn"))
    assert "has not been reduced yet" in await refused(editor, buffer)
    await editor.reduced(buffer)
    (record,) = await history(editor, buffer)
    left = buffer.text
    assert "There is no reduction '9'" in await refused(editor, buffer, record="9")
    problem = await refused(editor, buffer, number=2)
    assert f"{record['id']!r} has no other failure 2; it has 1." in problem
    for folder in (own_directories / "state").rglob(f"case.txt-*/{record['id']}/others"):
        shutil.rmtree(folder)
    assert "cannot be read" in await refused(editor, buffer)
    assert buffer.text == left


async def test_without_other_failures_there_is_nothing_to_reduce(editor: Editor) -> None:
    buffer = editor.open("case.txt", failing("needle"))
    await editor.reduced(buffer)
    assert "has seen another failure" in await refused(editor, buffer)


async def test_nothing_changes_if_the_oracle_is_gone(editor: Editor) -> None:
    buffer = editor.open("case.txt", failing("needle", "thorn"))
    await editor.reduced(buffer)
    left = buffer.text
    workspace = editor.workspace
    file = workspace.write("pollard.toml", workspace.oracle(FAILURES, "another"))
    editor.report_file_change(file)
    assert "needle" in await refused(editor, buffer)
    await editor.settled(buffer)
    assert buffer.text == left


async def test_while_the_document_is_reduced_it_is_refused(
    editor: Editor, workspace: Workspace
) -> None:
    workspace.configure(workspace.oracle(NEEDLES))
    buffer = editor.open("case.txt", lines())
    await held(editor, buffer)
    assert "is being reduced already" in await refused(editor, buffer)
    workspace.release()


async def test_nothing_runs_without_the_users_consent(start, workspace: Workspace) -> None:
    editor = await start(answers=Answers(consent="Run once"))
    buffer = editor.open("case.txt", failing("needle", "thorn"))
    await editor.reduced(buffer)
    workspace.forget()
    editor.answers.consent = NO
    end = await reduced_other(editor, buffer)
    assert end["state"] == "failed"
    assert workspace.runs == []
