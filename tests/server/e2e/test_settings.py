"""Where settings come from, when they take effect, and how mistakes are reported."""

from __future__ import annotations

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from tests.server.e2e import documents
from tests.server.e2e.documents import NEEDLES
from tests.server.e2e.scenes import held
from tests.server.editor import Editor, Workspace, capabilities
from tests.server.editor.workspace import QUICK

pytestmark = pytest.mark.asyncio(loop_scope="session")

FINAL = {"stream": {"mode": "final"}}


async def test_the_editors_settings_lie_over_the_files(start, workspace: Workspace) -> None:
    editor = await start(settings=FINAL)
    buffer = editor.open("case.txt", documents.lines())
    await editor.reduced(buffer)
    assert len(buffer.from_server) == 1


async def test_an_oracle_may_be_in_the_editors_settings_alone(start, workspace: Workspace) -> None:
    workspace.configure()
    command = ["/bin/sh", "{workspace}/needle.sh", "{file}"]
    editor = await start(settings={"oracles": {"own": {"command": command}}})
    buffer = editor.open("case.txt", documents.lines())
    assert (await editor.reduced(buffer))["state"] == "done"
    assert documents.needles(buffer.text) == 3


async def test_changed_settings_take_effect_for_the_next_reduction(
    editor: Editor, workspace: Workspace
) -> None:
    """A running reduction keeps its own."""
    one = editor.open("one.txt", documents.lines())
    job = await held(editor, one)
    editor.change_settings(FINAL)
    workspace.release()
    before = len(one.from_server)
    assert (await editor.ended(job))["state"] == "done"
    assert before >= 1
    two = editor.open("two.txt", documents.lines(41))
    await editor.reduced(two)
    assert len(two.from_server) == 1


async def test_a_changed_file_takes_effect_for_the_next_reduction(
    editor: Editor, workspace: Workspace
) -> None:
    """Even if the editor does not report the change: each reduction reads the file again."""
    one = editor.open("one.txt", documents.lines())
    await editor.reduced(one)
    workspace.configure(workspace.oracle(NEEDLES), top=QUICK + 'mode = "final"\n')
    two = editor.open("two.txt", documents.lines(41))
    await editor.reduced(two)
    assert len(two.from_server) == 1


async def test_settings_that_are_pushed_take_effect(start, workspace: Workspace) -> None:
    """From an editor without `workspace/configuration`."""
    editor = await start(fresh=True, supports=capabilities(configuration=False))
    params = lsp.DidChangeConfigurationParams(settings={"pollard": FINAL})
    editor.notify(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, params)
    buffer = editor.open("case.txt", documents.lines())
    await editor.reduced(buffer)
    assert len(buffer.from_server) == 1


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("checks = 1\nstrategi = 'hdd'\n", 1, "strategi"),
        ("checks = 'many'\n", 0, "checks"),
        ("[oracles.a]\ncommand = [\n", None, "TOML"),
    ],
    ids=["key", "value", "syntax"],
)
async def test_a_broken_file_gets_diagnostics_and_one_message(
    editor: Editor, workspace: Workspace, text: str, line: int | None, words: str
) -> None:
    """Once it is fixed, the diagnostics disappear and reductions work."""
    whole = (workspace.folder / "pollard.toml").read_text()
    file = workspace.write("pollard.toml", text)
    editor.report_file_change(file)
    buffer = editor.open("case.txt", documents.lines())
    assert await failed(editor, buffer)
    (mark,) = await editor.until(lambda: editor.seen.diagnostics[file.as_uri()])
    assert words in mark.message
    assert mark.severity == lsp.DiagnosticSeverity.Error
    assert line is None or mark.range.start.line == line
    action = (await editor.code_actions(buffer))["Reduce file"]
    assert action.disabled is not None
    assert await failed(editor, buffer)
    assert len(settings_messages(editor)) == 1

    file.write_text(whole)
    editor.report_file_change(file)
    assert (await editor.reduced(buffer))["state"] == "done"
    await editor.until(lambda: not editor.seen.diagnostics[file.as_uri()])


def settings_messages(editor: Editor) -> list[str]:
    """Return the messages about settings, without those about a failed request."""
    return [message for message in editor.seen.messages if message.startswith("Pollard: ")]


async def failed(editor: Editor, buffer) -> bool:
    """Try to reduce; return whether that failed, at once or later, and left the buffer alone."""
    before = buffer.text
    try:
        end = await editor.reduced(buffer)
    except JsonRpcException as refusal:
        return refusal.code == -32803 and buffer.text == before
    return end["state"] == "failed" and buffer.text == before


async def test_all_problems_of_a_file_are_marked(editor: Editor, workspace: Workspace) -> None:
    file = workspace.write("pollard.toml", "one = 1\ntwo = 2\nchecks = 0\n")
    buffer = editor.open("case.txt", documents.lines())
    assert await failed(editor, buffer)
    marks = await editor.until(lambda: editor.seen.diagnostics[file.as_uri()])
    assert sorted(mark.range.start.line for mark in marks) == [0, 1, 2]


async def test_broken_settings_of_the_editor_are_reported_once(start, workspace: Workspace) -> None:
    editor = await start(settings={"checks": "many"})
    buffer = editor.open("case.txt", documents.lines())
    assert await failed(editor, buffer)
    assert await failed(editor, buffer)
    assert len(settings_messages(editor)) == 1
    editor.change_settings({})
    assert (await editor.reduced(buffer))["state"] == "done"


async def test_the_nearest_file_counts(editor: Editor, workspace: Workspace) -> None:
    inner = workspace.folder / "inner"
    inner.mkdir()
    table = (workspace.folder / "pollard.toml").read_text()
    table = table.replace("{workspace}", "{workspace}/..")
    (inner / "pollard.toml").write_text(table.replace("[stream]\n", '[stream]\nmode = "final"\n'))
    buffer = editor.open("inner/case.txt", documents.lines())
    assert (await editor.reduced(buffer))["state"] == "done"
    assert len(buffer.from_server) == 1
