"""The main flow: the buffer shrinks step by step to the result of `pollard reduce`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.server.e2e import documents
from tests.server.e2e.documents import NEEDLES
from tests.server.e2e.scenes import held
from tests.server.editor import TEMPERAMENTS, Editor, Temperament, Workspace
from tests.server.editor.workspace import QUICK, note

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("temperament", TEMPERAMENTS, ids=lambda habits: habits.name)
async def test_a_whole_file_shrinks_while_the_user_watches(
    start, workspace: Workspace, temperament: Temperament
) -> None:
    """The buffer shows several texts, each smaller and interesting; the last one is the result."""
    editor = await start(temperament=temperament)
    buffer = editor.open("case.py", original := documents.python(), "python")
    end = await editor.reduced(buffer, strategy="default")
    assert end["state"] == "done"
    assert buffer.text == buffer.from_server[-1]
    assert end["bytes"] == len(buffer.text) < end["originalBytes"] == len(original)
    assert len(buffer.from_server) > 1
    assert all(workspace.is_interesting(text) for text in buffer.from_server)
    assert documents.needles(buffer.text) == 3
    assert documents.is_subsequence(buffer.text, original)


@pytest.mark.parametrize("temperament", TEMPERAMENTS, ids=lambda habits: habits.name)
async def test_no_step_of_an_edit_counts_as_the_users_change(
    start, workspace: Workspace, temperament: Temperament
) -> None:
    """Neovim publishes each of several edits, and an edit that reaches the end in two steps."""
    editor = await start(temperament=temperament)
    tail = "".join(f"tail {number}\n" for number in range(20))
    buffer = editor.open("case.txt", documents.lines() + tail)
    end = await editor.reduced(buffer)
    assert end["state"] == "done"
    assert "tail" not in buffer.text
    assert "paused" not in [state["state"] for state in editor.seen.states]


async def test_the_code_action_reduces_the_file(editor: Editor) -> None:
    buffer = editor.open("case.py", documents.python(), "python")
    actions = await editor.code_actions(buffer)
    assert list(actions) == ["Reduce file"]
    assert actions["Reduce file"].kind == "refactor.rewrite.reduce"
    began = await editor.run(actions["Reduce file"])
    assert (await editor.ended(began["id"]))["state"] == "done"
    assert documents.needles(buffer.text) == 3


async def test_a_selection_is_all_that_changes(editor: Editor) -> None:
    buffer = editor.open("case.txt", original := documents.lines())
    start, end = original.index("line 10 "), original.index("line 30 ")
    where = editor.select(buffer, start, end)
    actions = await editor.code_actions(buffer, where)
    began = await editor.run(actions["Reduce selection"])
    assert (await editor.ended(began["id"]))["state"] == "done"
    assert buffer.text.startswith(original[:start])
    assert buffer.text.endswith(original[end:])
    assert all(text.startswith(original[:start]) for text in buffer.from_server)
    assert all(text.endswith(original[end:]) for text in buffer.from_server)
    middle = buffer.text[start : len(buffer.text) - len(original[end:])]
    assert documents.needles(middle) == 1


async def test_whole_lines_mean_the_same_in_neovim_and_in_vscode(editor: Editor) -> None:
    """Neovim ends a linewise selection at the last line's end, VS Code at the next line's start."""
    text = documents.lines()
    length = len(text.splitlines()[29])
    ends = [lsp.Position(29, length), lsp.Position(30, 0)]
    results = []
    for number, end in enumerate(ends):
        buffer = editor.open(f"case{number}.txt", text)
        await editor.reduced(buffer, lsp.Range(lsp.Position(10, 0), end))
        results.append(buffer.text)
    assert results[0] == results[1] != text


async def test_a_selection_made_backwards_is_a_selection(editor: Editor) -> None:
    buffer = editor.open("case.txt", original := documents.lines())
    forwards = editor.select(buffer, original.index("line 20"), len(original))
    end = await editor.reduced(buffer, lsp.Range(forwards.end, forwards.start))
    assert end["state"] == "done"
    assert buffer.text.startswith(original[: original.index("line 20")])
    assert len(buffer.text) < len(original)


async def test_two_selections_in_two_documents_share_the_machine(
    editor: Editor, workspace: Workspace
) -> None:
    """The second one ends while the first one is held, and the first one afterwards."""
    first = editor.open("first.txt", documents.lines())
    second = editor.open("second.txt", original := documents.lines(41))
    where = editor.select(second, original.index("line 10 "), len(original))
    one = await held(editor, first)
    workspace.hold(0)
    two = await editor.reduce(second, where)
    workspace.release()
    assert (await editor.ended(two))["state"] == "done"
    assert (await editor.ended(one))["state"] == "done"
    assert second.text.startswith(original[: original.index("line 10 ")])
    assert documents.needles(first.text) == documents.needles(second.text) == 3


async def test_both_of_two_documents_make_progress_with_one_worker(
    editor: Editor, workspace: Workspace
) -> None:
    """Two reductions take turns with their runs, so neither waits for the other's end."""
    one = editor.open("one.txt", documents.lines(80))
    two = editor.open("two.txt", documents.lines(81))
    jobs = [await editor.reduce(buffer) for buffer in (one, two)]
    ends = [await editor.ended(job) for job in jobs]
    assert [end["state"] for end in ends] == ["done", "done"]
    order = [state["id"] for state in editor.seen.states if state["state"] == "reducing"]
    first_end = min(
        index for index, state in enumerate(editor.seen.states) if state["state"] == "done"
    )
    before = {state["id"] for state in editor.seen.states[:first_end]}
    assert before == set(jobs) == set(order)


@pytest.mark.parametrize(
    ("strategy", "lines"),
    [
        ("default", None),
        ("hdd*", (11, 30)),
        pytest.param("default", (11, 30), marks=pytest.mark.exhaustive),
        pytest.param("hdd*", None, marks=pytest.mark.exhaustive),
        pytest.param("ddmin", None, marks=pytest.mark.exhaustive),
        pytest.param("ddmin", (11, 30), marks=pytest.mark.exhaustive),
    ],
)
async def test_the_result_is_that_of_the_command_line(
    editor: Editor, workspace: Workspace, tmp_path: Path, strategy: str, lines
) -> None:
    """Byte for byte, for the same file, region, strategy and oracle."""
    text = documents.json()
    file = workspace.write("case.json", text)
    options = ["--strategy", strategy, *(["--lines", "{}:{}".format(*lines)] if lines else [])]
    expected = reduced_by_command_line(file, tmp_path / "out.json", *options)
    buffer = editor.open("case.json", text, "json")
    first, last = lines or (1, text.count("\n"))
    where = lsp.Range(lsp.Position(first - 1, 0), lsp.Position(last, 0)) if lines else None
    await editor.reduced(buffer, where, strategy=strategy)
    assert buffer.text.encode() == expected != text.encode()


def reduced_by_command_line(file: Path, out: Path, *options: str) -> bytes:
    command = [sys.executable, "-m", "pollard", "reduce", str(file), "-o", str(out)]
    subprocess.run([*command, "--no-cache", "-q", *options], check=True)
    return out.read_bytes()


async def test_the_last_thing_done_is_a_run_on_the_buffers_final_text(
    editor: Editor, workspace: Workspace
) -> None:
    buffer = editor.open("case.txt", documents.lines())
    await editor.reduced(buffer)
    assert workspace.runs[-1] == note(buffer.text)


async def test_final_mode_makes_one_edit(start, workspace: Workspace) -> None:
    """So there is one undo step, and nothing changes before the end."""
    table = workspace.oracle(NEEDLES)
    workspace.configure(table, top=QUICK + 'mode = "final"\n')
    editor = await start()
    buffer = editor.open("case.txt", original := documents.lines())
    workspace.hold(len(original) // 2)
    job = await editor.reduce(buffer)
    await editor.until(lambda: workspace.is_holding)
    assert buffer.text == original
    workspace.release()
    assert (await editor.ended(job))["state"] == "done"
    assert len(buffer.from_server) == 1
    editor.undo(buffer)
    assert buffer.text == original


async def test_final_mode_shows_the_best_when_it_is_stopped(start, workspace: Workspace) -> None:
    workspace.configure(workspace.oracle(NEEDLES), top=QUICK + 'mode = "final"\n')
    editor = await start()
    buffer = editor.open("case.txt", original := documents.lines())
    workspace.hold(len(original) // 2)
    job = await editor.reduce(buffer)
    await editor.until(lambda: workspace.is_holding)
    await editor.execute("pollard.stop", {"id": job})
    assert (await editor.ended(job))["state"] == "stopped"
    assert len(buffer.text) == workspace.smallest < len(original)


async def test_a_second_reduction_of_the_same_document_is_refused(
    editor: Editor, workspace: Workspace
) -> None:
    buffer = editor.open("case.txt", documents.lines())
    job = await held(editor, buffer)
    with pytest.raises(Exception, match="already") as refusal:
        await editor.reduce(buffer)
    assert refusal.value.code == -32803
    workspace.release()
    assert (await editor.ended(job))["state"] == "done"


async def test_a_text_that_cannot_get_smaller_ends_normally(editor: Editor) -> None:
    buffer = editor.open("case.txt", "needleneedleneedle")
    end = await editor.reduced(buffer)
    assert end["state"] == "done"
    assert buffer.text == "needleneedleneedle"
    assert buffer.from_server == []
