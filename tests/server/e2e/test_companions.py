"""With `reduce_files`, the files beside a document are reduced after it, and none is changed."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.server.editor import Buffer, Editor, Workspace

pytestmark = pytest.mark.asyncio(loop_scope="session")

_MAIN = "first line\nthe needle\n" + "and one more\n" * 9
_PART = "not me\nkeep me\n" + "nor me\n" * 40
_KEYS = 'files = ["*.part"]\nreduce_files = true\n'
_NEEDED = 'grep -q needle "$1" && grep -q "keep me" a.part'


def opened(editor: Editor, condition: str = _NEEDED) -> Buffer:
    """Write two files beside a document, the first of which is needed, and open the document."""
    workspace = editor.workspace
    workspace.write("a.part", _PART)
    workspace.write("b.part", "nobody needs me\n")
    workspace.configure(workspace.oracle(condition, keys=_KEYS))
    return editor.open("case.txt", _MAIN)


def holding_beside(workspace: Workspace) -> str:
    """Return a condition that waits while the companion is small and the file `wait` exists."""
    wait, waits = workspace.outside / "wait", workspace.outside / "waits"
    wait.touch()
    return (
        f"{_NEEDED} || return 1\n"
        f'while [ -e "{wait}" ] && [ "$(wc -c < a.part)" -lt 200 ]; do : > "{waits}"; sleep 0.02; done'
    )


async def held_beside(editor: Editor, buffer: Buffer) -> str:
    """Start a reduction, and wait until the oracle is held at a version of the companion."""
    job = await editor.reduce(buffer)
    await editor.until((editor.workspace.outside / "waits").exists)
    return job


async def test_the_end_names_their_results(editor: Editor, workspace: Workspace) -> None:
    buffer = opened(editor)
    end = await editor.reduced(buffer)
    assert end["state"] == "done", end["message"]
    assert buffer.text == "the needle\n"
    small, gone = end["companions"]
    assert small["original"] == (workspace.folder / "a.part").as_uri()
    assert Path(unquote(urlsplit(small["result"]).path)).read_text() == "keep me\n"
    assert (small["bytes"], small["originalBytes"]) == (8, len(_PART))
    assert gone["original"] == (workspace.folder / "b.part").as_uri()
    assert gone["result"] is None
    assert (workspace.folder / "a.part").read_text() == _PART
    assert "beside it: a.part 295 B → 8 B, b.part is not needed" in end["message"]


async def test_without_the_setting_they_stay_as_they_are(
    editor: Editor, workspace: Workspace
) -> None:
    workspace.write("a.part", _PART)
    workspace.configure(workspace.oracle(_NEEDED, keys='files = ["a.part"]\n'))
    end = await editor.reduced(editor.open("case.txt", _MAIN))
    assert end["companions"] == []


async def test_meanwhile_the_buffer_is_the_users(editor: Editor, workspace: Workspace) -> None:
    """Nobody is asked about a change, and it stays."""
    buffer = opened(editor, holding_beside(workspace))
    job = await held_beside(editor, buffer)
    editor.type(buffer, 0, "mine ")
    asked = len(editor.seen.questions)
    (workspace.outside / "wait").unlink()
    end = await editor.ended(job)
    assert end["state"] == "done"
    assert [each["bytes"] for each in end["companions"]] == [8, 0]
    assert buffer.text == "mine the needle\n"
    assert len(editor.seen.questions) == asked


async def test_a_stop_keeps_the_best_so_far(editor: Editor, workspace: Workspace) -> None:
    buffer = opened(editor, holding_beside(workspace))
    job = await held_beside(editor, buffer)
    await editor.until(lambda: any("beside it, " in each["pass"] for each in editor.seen.of(job)))
    await editor.execute("pollard.stop", {"id": job})
    end = await editor.ended(job)
    assert end["state"] == "stopped"
    assert buffer.text == "the needle\n"


async def test_a_paused_reduction_can_be_stopped(editor: Editor, workspace: Workspace) -> None:
    buffer = opened(editor, holding_beside(workspace))
    job = await held_beside(editor, buffer)
    await editor.execute("pollard.pause", {"id": job})
    await editor.execute("pollard.stop", {"id": job})
    assert (await editor.ended(job))["state"] == "stopped"


async def test_what_goes_wrong_beside_it_does_not_spoil_the_result(editor: Editor) -> None:
    """The oracle wants a file as old as the original, and versions of it are new."""
    buffer = opened(editor, f'{_NEEDED} && [ -z "$(find a.part -newermt 2020-01-01)" ]')
    os.utime(editor.workspace.folder / "a.part", (10**9, 10**9))
    end = await editor.reduced(buffer)
    assert (end["state"], end["companions"]) == ("done", [])
    assert buffer.text == "the needle\n"
    assert any("The files beside case.txt are not" in each for each in editor.seen.messages)
