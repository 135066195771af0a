"""Buffers without a file, several workspace folders, cells of notebooks, two editors at once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.server.e2e import documents
from tests.server.e2e.documents import NEEDLES
from tests.server.editor import Editor, Workspace
from tests.server.editor.workspace import QUICK

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: Interesting if the candidate's name ends as it must, and the word is there.
ENDING = 'case "$1" in *{ending}) grep -q needle "$1" ;; *) false ;; esac'


@pytest.mark.parametrize(
    ("language", "ending"), [("python", "/Untitled-1.py"), ("rust", "/Untitled-1.rs")]
)
async def test_the_oracle_of_an_unsaved_buffer_gets_a_file_with_the_ending_of_its_language(
    start, workspace: Workspace, language: str, ending: str
) -> None:
    workspace.configure(workspace.oracle(ENDING.format(ending=ending)))
    editor = await start(fresh=True, folder=workspace.folder)
    buffer = editor.open("untitled:Untitled-1", documents.lines(), language)
    end = await editor.reduced(buffer)
    assert (end["state"], documents.needles(buffer.text)) == ("done", 1)
    await editor.run((await editor.code_actions(buffer))["Restore original"])
    await editor.until(lambda: buffer.text == documents.lines())


async def test_a_remote_document_is_reduced_with_the_settings_of_the_open_folder(
    start, workspace: Workspace
) -> None:
    """Its text is in the buffer; the file itself is not needed."""
    workspace.configure(workspace.oracle(ENDING.format(ending="/case.py")))
    editor = await start(fresh=True, folder=workspace.folder)
    buffer = editor.open("vscode-vfs://github/me/project/case.py", documents.lines(), "python")
    assert (await editor.reduced(buffer))["state"] == "done"
    assert documents.needles(buffer.text) == 1


def project(folder: Path, word: str) -> Path:
    """Write a folder with settings of its own, whose oracle requires a word."""
    folder.mkdir()
    script = folder / "oracle.sh"
    script.write_text(f'grep -q {word} "$1"\n')
    table = f'[oracles.{word}]\ncommand = ["/bin/sh", "{script}", "{{file}}"]\n'
    (folder / "pollard.toml").write_text(QUICK.replace("[stream]", f"{table}[stream]"))
    return folder


async def test_each_folder_of_a_workspace_has_its_own_settings(
    start, workspace: Workspace, tmp_path: Path
) -> None:
    """Also one that is added later; a buffer without a file has those of the first one."""
    first, second = project(tmp_path / "first", "needle"), project(tmp_path / "second", "hay")
    editor: Editor = await start(fresh=True, folder=first)
    added = lsp.WorkspaceFoldersChangeEvent(
        added=[lsp.WorkspaceFolder(second.as_uri(), "second")], removed=[]
    )
    params = lsp.DidChangeWorkspaceFoldersParams(added)
    editor.notify(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, params)
    names = [(first / "a.txt").as_uri(), (second / "a.txt").as_uri(), "untitled:Untitled-1"]
    buffers = [editor.open(name, documents.lines()) for name in names]
    jobs = [await editor.reduce(buffer) for buffer in buffers]
    for job in jobs:
        assert (await editor.ended(job))["state"] == "done"
    in_first, in_second, unsaved = (buffer.text for buffer in buffers)
    assert ("needle" in in_first, "hay" in in_first) == (True, False)
    assert ("needle" in in_second, "hay" in in_second) == (False, True)
    assert unsaved == in_first
    files = [
        (await editor.execute("pollard.oracles", {"uri": buffer.uri}))["file"] for buffer in buffers
    ]
    wanted = [(each / "pollard.toml").as_uri() for each in (first, second, first)]
    assert files == wanted


async def test_a_cell_of_a_notebook_is_refused_with_what_to_do(start) -> None:
    """By the command, and by the actions, which are disabled."""
    editor = await start()
    uri = "vscode-notebook-cell:/home/me/case.ipynb#W0sZmlsZQ"
    buffer = editor.open(uri, documents.python(), "python")
    actions = await editor.code_actions(buffer)
    assert actions
    for action in actions.values():
        assert action.disabled is not None
        assert "A cell of a notebook cannot be reduced" in action.disabled.reason
        assert "copy what you need from it into a file of its own." in action.disabled.reason
    for command in ("pollard.reduce", "pollard.checkOracle"):
        with pytest.raises(Exception, match="cell of a notebook cannot be reduced"):
            await editor.execute(command, {"uri": uri})


async def test_two_editors_reduce_one_file_of_one_folder_at_the_same_time(
    start, workspace: Workspace
) -> None:
    """Each buffer gets its own result, and the history that they share has both."""
    workspace.configure(workspace.oracle(NEEDLES))
    workspace.write("case.txt", documents.lines())
    editors = [await start(fresh=True, folder=workspace.folder) for _ in range(2)]
    buffers = [editor.open("case.txt", documents.lines()) for editor in editors]
    pairs = list(zip(editors, buffers, strict=True))
    jobs = [await editor.reduce(buffer) for editor, buffer in pairs]
    ends = await asyncio.gather(
        *(editor.ended(job) for editor, job in zip(editors, jobs, strict=True))
    )
    assert [end["state"] for end in ends] == ["done", "done"]
    for editor, buffer in pairs:
        await editor.settled(buffer)
        assert documents.needles(buffer.text) == 3
        found = await editor.execute("pollard.history", {"uri": buffer.uri})
        assert [each["status"] for each in found["records"]] == ["finished", "finished"]
    for editor, buffer in pairs:
        await editor.run((await editor.code_actions(buffer))["Restore original"])
        await editor.until(lambda buffer=buffer: buffer.text == documents.lines())
