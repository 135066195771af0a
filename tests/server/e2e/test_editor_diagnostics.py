"""*Reduce to this diagnostic* where only the editor knows the tool, which is asked then."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from tests.server.editor import Editor, Workspace, capabilities
from tests.server.editor.buffer import Buffer
from tests.server.editor.workspace import QUICK

pytestmark = pytest.mark.asyncio(loop_scope="session")

TEXT = """\
import os
import sys


def load(path):
    return mispeled + sys.argv


print(load(os.environ))
"""
#: By the quick strategy of these tests, which has only lines.
REDUCED = "return mispeled + sys.argv"
TITLE = "Reduce to this diagnostic: Spelling unknown-word"
DIAGNOSTIC = "editor:Spelling(unknown-word) Unknown word: …"
EXPLANATION = "vscode itself checks each candidate, in a hidden document; no command runs."


@pytest.fixture(autouse=True)
def project(workspace: Workspace) -> None:
    """A project without an oracle."""
    workspace.configure(top=QUICK)


def found(text: str, word: str = "mispeled") -> list[dict[str, Any]]:
    """What the editor's spelling checker and another tool report about a text."""
    start = {"line": text[: max(text.find(word), 0)].count("\n"), "character": 0}
    where = {"start": start, "end": start}
    other = {"range": where, "message": "too short", "source": "Other", "code": "unknown-word"}
    if word not in text:
        return [other]
    message = f'Unknown word: "{word}"'
    return [
        other,
        {"range": where, "message": message, "source": "Spelling", "code": "unknown-word"},
    ]


async def spelling(params: dict[str, Any]) -> list[dict[str, Any]]:
    return found(params["text"])


@pytest.fixture
def asked(start):
    """Starts an editor that can be asked, and has a spelling checker."""

    async def begin(**options) -> Editor:
        editor = await start(supports=capabilities(diagnose=True), **options)
        editor.own_tools = spelling
        return editor

    return begin


async def action(editor: Editor, buffer: Buffer) -> lsp.CodeAction | None:
    (_, shown) = found(buffer.text)
    where = editor.select(buffer, buffer.text.index("mispeled"), buffer.text.index(" + sys"))
    diagnostic = lsp.Diagnostic(where, shown["message"], source="Spelling", code="unknown-word")
    return (await editor.code_actions(buffer, where, shown=[diagnostic])).get(TITLE)


async def test_the_buffer_shrinks_to_what_the_editor_still_reports(asked) -> None:
    """No command runs, so nobody is asked for a consent; a sentence says what is done instead."""
    editor = await asked()
    buffer = editor.open("wrong.py", TEXT, "python")
    began = await editor.run(await action(editor, buffer))
    end = await editor.ended(began["id"])
    assert (end["state"], buffer.text.strip()) == ("done", REDUCED)
    assert end["failure"]["kind"] == "editor Spelling(unknown-word)"
    assert editor.seen.questions == []
    assert [each for each in editor.seen.messages if EXPLANATION in each]


async def test_candidates_come_one_at_a_time_with_all_that_an_editor_needs(asked) -> None:
    """Also if two documents are reduced at once."""
    editor = await asked()

    async def slowly(params: dict[str, Any]) -> list[dict[str, Any]]:
        await asyncio.sleep(0.002)
        return found(params["text"])

    editor.own_tools = slowly
    buffers = [editor.open(name, TEXT, "python") for name in ("a.py", "untitled:Untitled-1")]
    jobs = [await editor.reduce(each, diagnostic=DIAGNOSTIC) for each in buffers]
    ends = [await editor.ended(job) for job in jobs]
    assert [end["state"] for end in ends] == ["done", "done"], [end["message"] for end in ends]
    assert editor.seen.most_diagnoses == 1
    first = editor.seen.diagnosed[0]
    assert (first["text"], first["languageId"], first["source"]) == (TEXT, "python", "Spelling")
    assert {each["name"] for each in editor.seen.diagnosed} == {"a.py", "Untitled-1.py"}
    assert first["seconds"] == 10.0
    assert min(each["seconds"] for each in editor.seen.diagnosed) < 1.0


@pytest.mark.parametrize("how", ["stop", "cancel"])
async def test_it_ends_within_half_a_second_while_the_editor_thinks(asked, how: str) -> None:
    """And the editor is told that nobody waits any more."""
    editor = await asked()
    thinks, withdrawn = asyncio.Event(), asyncio.Event()

    async def thinking(params: dict[str, Any]) -> list[dict[str, Any]]:
        if params["text"] == TEXT:
            return found(TEXT)
        thinks.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            withdrawn.set()
            raise
        return []

    editor.own_tools = thinking
    buffer = editor.open("wrong.py", TEXT, "python")
    job = await editor.reduce(buffer, diagnostic=DIAGNOSTIC)
    await asyncio.wait_for(thinks.wait(), 30)
    if how == "stop":
        await editor.execute("pollard.stop", {"id": job})
    else:
        editor.cancel(editor.seen.tokens[-1])
    assert (await editor.ended(job))["state"] == "stopped"
    await asyncio.wait_for(withdrawn.wait(), 30)


async def test_the_same_code_of_another_source_does_not_count(asked) -> None:
    editor = await asked()
    buffer = editor.open("wrong.py", TEXT.replace("mispeled", "spelled"), "python")
    end = await editor.reduced(buffer, diagnostic=DIAGNOSTIC)
    assert end["state"] == "failed"
    assert "must be reported; it reported Other(unknown-word) too short" in end["message"]
    assert "command: none; vscode is asked" in end["message"]


async def test_an_editor_that_cannot_tell_says_why(asked) -> None:
    editor = await asked()

    async def refusing(_: dict[str, Any]) -> list[dict[str, Any]]:
        raise JsonRpcException("no server is attached", -32803)

    editor.own_tools = refusing
    buffer = editor.open("wrong.py", TEXT, "python")
    end = await editor.reduced(buffer, diagnostic=DIAGNOSTIC)
    assert end["state"] == "failed"
    sentence = "vscode could not say what it reports about a candidate: no server is"
    assert sentence in end["message"]
    assert buffer.text == TEXT


async def test_a_stopped_reduction_goes_on_and_asks_about_nothing_twice(asked) -> None:
    editor = await asked()
    buffer = editor.open("wrong.py", TEXT * 3, "python")
    few = asyncio.Event()

    async def counting(params: dict[str, Any]) -> list[dict[str, Any]]:
        if len(editor.seen.diagnosed) > 8:
            few.set()
            await asyncio.sleep(0.2)
        return found(params["text"])

    editor.own_tools = counting
    job = await editor.reduce(buffer, diagnostic=DIAGNOSTIC)
    await asyncio.wait_for(few.wait(), 30)
    await editor.execute("pollard.stop", {"id": job})
    assert (await editor.ended(job))["state"] == "stopped"
    await editor.settled(buffer)
    before = {each["text"] for each in editor.seen.diagnosed[3:-1]}
    editor.seen.diagnosed.clear()
    editor.own_tools = spelling
    again = await editor.run(
        (await editor.code_actions(buffer))["Continue the interrupted reduction"]
    )
    assert (await editor.ended(again["id"]))["state"] == "done"
    assert buffer.text.strip() == REDUCED
    assert not before & {each["text"] for each in editor.seen.diagnosed[3:-2]}


async def test_without_the_capability_there_is_no_action_and_a_clear_sentence(start) -> None:
    editor = await start()
    buffer = editor.open("wrong.py", TEXT, "python")
    assert await action(editor, buffer) is None
    end = await editor.reduced(buffer, diagnostic=DIAGNOSTIC)
    assert end["state"] == "failed"
    assert "only an editor knows, which cannot be asked here; name the tool" in end["message"]
    assert editor.seen.diagnosed == []


async def test_pollards_own_diagnostics_are_not_offered(asked) -> None:
    """Those are mistakes in settings files."""
    editor = await asked()
    buffer = editor.open("pollard.toml", "wrong = 1\n", "toml")
    where = editor.select(buffer, 0, 5)
    shown = lsp.Diagnostic(where, "is not a setting", source="pollard")
    found_there = await editor.code_actions(buffer, where, shown=[shown])
    assert [title for title in found_there if "diagnostic" in title] == []


async def test_a_workspace_that_is_not_trusted_is_not_reduced(asked) -> None:
    editor = await asked(options={"trusted": False})
    buffer = editor.open("wrong.py", TEXT, "python")
    offered = await action(editor, buffer)
    assert offered is not None
    assert offered.disabled is not None
    with pytest.raises(JsonRpcException, match="not trusted"):
        await editor.reduce(buffer, diagnostic=DIAGNOSTIC)
