"""A folder is reduced into a new one beside it; nothing in an editor changes."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from pygls.exceptions import JsonRpcException

from tests.examples import rarely
from tests.server.e2e.documents import FAILURES, failing
from tests.server.editor import Editor, Workspace
from tests.server.editor.answers import NO, UNANSWERED

pytestmark = pytest.mark.asyncio(loop_scope="session")

# `$1` is the main file; a run begins in the copy of the folder.
_NEEDED = """grep -q needle "$1" && grep -q 'keep me' lib/part.txt"""
_MAIN = "first line\nthe needle\nthe third line\n" + "and one more\n" * 20


def project(workspace: Workspace, oracle: str | None = None) -> Path:
    """Make a folder in which two of six files are needed, and its oracle."""
    root = workspace.folder / "project"
    (root / "lib").mkdir(parents=True)
    (root / "main.txt").write_text(_MAIN)
    (root / "lib" / "part.txt").write_text("keep me\nnot me\n")
    for n in range(4):
        (root / "lib" / f"other{n}.txt").write_text(f"text {n}\n" * 9)
    workspace.configure(workspace.oracle(_NEEDED) if oracle is None else oracle)
    return root


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


async def begun(editor: Editor, root: Path, **more) -> str:
    """Start the reduction of a folder whose main file is open; return its id."""
    arguments = {"uri": root.as_uri(), "main": (root / "main.txt").as_uri(), **more}
    return (await editor.execute("pollard.reduceFolder", arguments))["id"]


async def test_the_needed_files_are_in_a_new_folder(editor: Editor, workspace: Workspace) -> None:
    """Progress, end and consent are as for a document, and no buffer is edited."""
    root = project(workspace)
    before = contents(root)
    buffer = editor.open("project/main.txt", _MAIN)
    end = await editor.ended(job := await begun(editor, root))
    assert end["state"] == "done", end["message"]
    small = root.with_name("project.reduced")
    assert contents(small) == {"lib/part.txt": "keep me\n", "main.txt": "the needle\n"}
    assert contents(root) == before
    assert buffer.text == _MAIN
    assert not buffer.from_server
    assert end["result"] == small.as_uri()
    assert (end["files"], end["bytes"], end["originalBytes"]) == (
        2,
        19,
        sum(map(len, before.values())),
    )
    assert f"the result is in {small}" in end["message"]
    assert any("project/" in question.message for question in editor.seen.questions)
    assert {state["state"] for state in editor.seen.of(job)} >= {"checking", "reducing", "done"}
    assert any("6 files" in text or "runs/s" in text for text in editor.seen.texts.splitlines())


async def test_each_reduction_gets_a_folder_of_its_own(
    editor: Editor, workspace: Workspace
) -> None:
    root = project(workspace)
    places = [(await editor.ended(await begun(editor, root)))["result"] for _ in range(2)]
    names = [place.rpartition("/")[2] for place in places]
    assert names == ["project.reduced", "project.reduced.1"]


async def test_without_consent_nothing_runs_and_nothing_is_written(
    editor: Editor, workspace: Workspace
) -> None:
    editor.answers.consent = NO
    root = project(workspace)
    end = await editor.ended(await begun(editor, root))
    assert end["state"] == "failed"
    assert "did not allow" in end["message"]
    assert workspace.runs == []
    assert not root.with_name("project.reduced").exists()


async def test_an_untrusted_workspace_runs_nothing(start) -> None:
    editor = await start(fresh=True, options={"trusted": False})
    root = project(editor.workspace)
    with pytest.raises(Exception, match="not trusted"):
        await begun(editor, root)
    assert editor.workspace.runs == []


async def held(editor: Editor, workspace: Workspace, root: Path) -> str:
    """Start a reduction, and hold its oracle once the main file has half of its size."""
    workspace.hold(len(_MAIN) // 2)
    job = await begun(editor, root)
    await editor.until(lambda: workspace.is_holding)
    return job


@pytest.mark.parametrize("by", ["id", *rarely("uri", "cancel")])
async def test_stopping_keeps_the_best_and_it_can_be_resumed(
    editor: Editor, workspace: Workspace, by: str
) -> None:
    """The resumed reduction goes on in the same folder, and repeats no run."""
    root = project(workspace)
    job = await held(editor, workspace, root)
    if by == "cancel":
        editor.cancel(editor.seen.tokens[-1])
    else:
        which = {"id": job} if by == "id" else {"uri": root.as_uri()}
        assert (await editor.execute("pollard.stop", which))["ids"] == [job]
    end = await editor.ended(job)
    assert end["state"] == "stopped"
    small = root.with_name("project.reduced")
    assert end["result"] == small.as_uri()
    assert set(contents(small)) == {"lib/part.txt", "main.txt"}
    workspace.release()
    ran = len(workspace.runs)
    end = await editor.ended(await begun(editor, root, resume=True, main=None))
    assert end["state"] == "done", end["message"]
    assert contents(small) == {"lib/part.txt": "keep me\n", "main.txt": "the needle\n"}
    assert end["result"] == small.as_uri()
    assert end["cacheHits"] > 0
    assert len(workspace.runs) - ran < 40


async def test_a_stopped_result_that_the_user_changed_is_left_alone(
    editor: Editor, workspace: Workspace
) -> None:
    root = project(workspace)
    job = await held(editor, workspace, root)
    await editor.execute("pollard.stop", {"id": job})
    await editor.ended(job)
    mine = root.with_name("project.reduced") / "mine.txt"
    mine.write_text("mine")
    workspace.release()
    end = await editor.ended(await begun(editor, root, resume=True))
    assert end["result"] == root.with_name("project.reduced.1").as_uri()
    assert mine.read_text() == "mine"


async def test_a_result_that_is_edited_meanwhile_is_kept_beside(
    editor: Editor, workspace: Workspace
) -> None:
    root = project(workspace)
    job = await held(editor, workspace, root)
    small = root.with_name("project.reduced")
    (small / "main.txt").write_text("mine")
    workspace.release()
    end = await editor.ended(job)
    assert end["state"] == "done", end["message"]
    assert (small / "main.txt").read_text() == "the needle\n"
    aside = root.with_name("project.reduced.edited")
    assert contents(aside) == {"main.txt": "mine"}
    assert any(str(aside) in message for message in editor.seen.messages)


@pytest.mark.parametrize("text", [_MAIN, _MAIN.replace("\n", "\r\n"), _MAIN[:-1]])
async def test_a_saved_buffer_needs_no_warning(
    editor: Editor, workspace: Workspace, text: str
) -> None:
    """Whatever line ends an editor sends, and whether it sends the last one."""
    root = project(workspace)
    editor.open("project/main.txt", text)
    assert (await editor.ended(await begun(editor, root)))["state"] == "done"
    assert not any("unsaved" in message for message in editor.seen.messages)


async def test_unsaved_files_are_named_since_the_disk_is_read(
    editor: Editor, workspace: Workspace
) -> None:
    root = project(workspace)
    editor.open("project/main.txt", _MAIN + "not saved\n")
    editor.open("elsewhere.txt", "not saved either\n")
    assert (await editor.ended(await begun(editor, root)))["state"] == "done"
    (warning,) = (message for message in editor.seen.messages if "unsaved" in message)
    assert "without your unsaved changes of main.txt;" in warning


async def test_a_folder_whose_name_is_not_utf_8_is_one_sentence(
    editor: Editor, workspace: Workspace
) -> None:
    folder = os.fsdecode(os.fsencode(workspace.folder) + b"/\xe9t\xe9")
    Path(folder).mkdir()
    with pytest.raises(Exception, match="is not UTF-8, and editors cannot pass it on"):
        await editor.execute("pollard.reduceFolder", {"uri": Path(folder).as_uri()})


async def test_pausing_starts_no_further_run(editor: Editor, workspace: Workspace) -> None:
    root = project(workspace)
    job = await held(editor, workspace, root)
    await editor.execute("pollard.pause", {"id": job})
    workspace.release()
    assert editor.seen.of(job)[-1]["state"] == "paused"
    await editor.execute("pollard.resume", {"id": job})
    assert (await editor.ended(job))["state"] == "done"


async def test_a_folder_is_reduced_once_at_a_time(editor: Editor, workspace: Workspace) -> None:
    root = project(workspace)
    await held(editor, workspace, root)
    with pytest.raises(Exception, match=r"project/ is being reduced already; stop that first"):
        await begun(editor, root)


async def test_two_editors_on_one_folder_do_not_mix_their_journals(
    start, editor: Editor, workspace: Workspace
) -> None:
    """The first one's stays that of the folder, and only that one can be resumed."""
    root = project(workspace)
    first = await held(editor, workspace, root)
    second_editor = await start(fresh=True)
    refused = await second_editor.ended(await begun(second_editor, root, resume=True))
    assert "still runs" in refused["message"]
    second = await begun(second_editor, root)
    await second_editor.until(lambda: second_editor.seen.of(second)[-1]["state"] == "reducing")
    workspace.release()
    end, second_end = await editor.ended(first), await second_editor.ended(second)
    assert (end["state"], second_end["state"]) == ("done", "done")
    assert end["result"] != second_end["result"]
    (record,) = (await editor.execute("pollard.history", {"uri": root.as_uri()}))["records"]
    assert record["runs"] == end["runs"]


async def test_an_editor_that_is_killed_leaves_the_best_on_disk_and_the_next_one_goes_on(
    start, editor: Editor, workspace: Workspace
) -> None:
    root = project(workspace)
    await held(editor, workspace, root)
    await editor.crash()
    workspace.release()
    small = root.with_name("project.reduced")
    assert set(contents(small)) == {"lib/part.txt", "main.txt"}
    again = await start()
    end = await again.ended(await begun(again, root, resume=True))
    assert end["result"] == small.as_uri()
    assert contents(small) == {"lib/part.txt": "keep me\n", "main.txt": "the needle\n"}


async def test_an_oracle_without_a_main_file_needs_none(
    editor: Editor, workspace: Workspace
) -> None:
    command = 'command = "grep -q needle main.txt"'
    root = project(workspace, f"\n[oracles.shell]\n{command}\n")
    started = await editor.execute("pollard.reduceFolder", {"uri": root.as_uri()})
    await editor.ended(started["id"])
    assert contents(root.with_name("project.reduced")) == {"main.txt": "the needle\n"}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"main": None}, "runs on one file of project/; go to that file"),
        ({"oracle": "nix"}, "no oracle is called 'nix'"),
        ({"resume": True}, "no interrupted reduction of this file"),
    ],
)
async def test_what_cannot_be_reduced_is_one_sentence(
    editor: Editor, workspace: Workspace, change, sentence: str
) -> None:
    root = project(workspace)
    end = await editor.ended(await begun(editor, root, **change))
    assert end["state"] == "failed"
    assert sentence in end["message"]
    assert not root.with_name("project.reduced").exists()


async def test_a_folder_that_is_not_interesting_leaves_no_result(
    editor: Editor, workspace: Workspace
) -> None:
    root = project(workspace)
    (root / "lib" / "part.txt").write_text("")
    end = await editor.ended(await begun(editor, root))
    assert end["state"] == "failed"
    assert not root.with_name("project.reduced").exists()


async def test_what_is_no_folder_is_refused(editor: Editor, workspace: Workspace) -> None:
    root = project(workspace)
    for uri in ((root / "main.txt").as_uri(), (root / "nix").as_uri()):
        with pytest.raises(Exception, match="is no folder on disk"):
            await editor.execute("pollard.reduceFolder", {"uri": uri})


@pytest.mark.parametrize("command", ["pollard.oracles", "pollard.history", "pollard.report"])
async def test_a_folder_that_is_gone_is_not_taken_for_a_document(
    editor: Editor, workspace: Workspace, command: str
) -> None:
    uri = (workspace.folder / "gone").as_uri()
    with pytest.raises(Exception, match="neither open in the editor nor a folder on disk"):
        await editor.execute(command, {"uri": uri})


@pytest.mark.parametrize("uri", ["untitled:A", "vscode-vfs://github/a/b", "ssh://host/home/me"])
async def test_a_remote_folder_is_refused_with_what_to_do(editor: Editor, uri: str) -> None:
    scheme = uri.partition(":")[0]
    sentence = f"the machine where it runs, not {scheme}: URIs; open the folder there, or copy it"
    with pytest.raises(Exception, match=sentence):
        await editor.execute("pollard.reduceFolder", {"uri": uri})


async def test_the_oracles_of_a_folder_are_listed(editor: Editor, workspace: Workspace) -> None:
    root = project(workspace)
    found = await editor.execute("pollard.oracles", {"uri": root.as_uri()})
    assert [oracle["name"] for oracle in found["oracles"]] == ["needle"]
    assert found["obstacle"] is None


async def test_a_report_on_the_latest_reduction_opens(editor: Editor, workspace: Workspace) -> None:
    """It is a page with a table of the files; before there was a reduction, a sentence says so."""
    root = project(workspace)
    request = {"uri": root.as_uri()}
    with pytest.raises(JsonRpcException, match="No reduction of project/ has ended"):
        await editor.execute("pollard.report", request)
    await editor.ended(await begun(editor, root))
    written = await editor.execute("pollard.report", request)
    await editor.until(lambda: editor.seen.shown)
    assert [(shown.uri, shown.external) for shown in editor.seen.shown] == [(written["uri"], True)]
    page = Path(unquote(urlsplit(written["uri"]).path)).read_text(encoding="utf-8")
    assert "<h1>project/</h1>" in page
    assert "lib/other3.txt" in page


def failing_project(workspace: Workspace) -> Path:
    """Make a folder whose candidates show two failures besides its own."""
    root = project(workspace, workspace.oracle(FAILURES))
    (root / "main.txt").write_text(failing("needle", "thorn", "nettle"))
    return root


async def history(editor: Editor, root: Path, **more) -> dict:
    return await editor.execute("pollard.history", {"uri": root.as_uri(), **more})


async def test_the_history_has_the_latest_reduction_and_its_files(
    editor: Editor, workspace: Workspace
) -> None:
    """Each step can be shown, in a folder that is not the workspace's; before there is none."""
    root = project(workspace)
    assert (await history(editor, root))["records"] == []
    end = await editor.ended(await begun(editor, root))
    (record,) = (await history(editor, root))["records"]
    assert (record["status"], record["oracle"]) == ("finished", "needle")
    assert [record[key] for key in ("originalBytes", "bytes", "runs")] == [
        end[key] for key in ("originalBytes", "bytes", "runs")
    ]
    last = record["steps"][-1]
    assert (last["number"], last["bytes"]) == (len(record["steps"]), end["bytes"])
    for number, expected in ((0, root), (last["number"], root.with_name("project.reduced"))):
        shown = await history(editor, root, number=number)
        place = Path(unquote(urlsplit(shown["folder"]).path))
        assert contents(place) == contents(expected)
        assert not place.is_relative_to(workspace.folder)


async def test_steps_of_a_folder_that_changed_are_not_known(
    editor: Editor, workspace: Workspace
) -> None:
    root = project(workspace)
    await editor.ended(await begun(editor, root))
    (root / "main.txt").write_text("the needle, moved\n")
    (record,) = (await history(editor, root))["records"]
    assert record["steps"] == []
    with pytest.raises(JsonRpcException, match="files have changed"):
        await history(editor, root, number=1)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"number": 99}, "has no files 99"),
        ({"record": "nix"}, "no reduction 'nix' of project/"),
    ],
)
async def test_what_the_history_of_a_folder_does_not_have_is_one_sentence(
    editor: Editor, workspace: Workspace, more, sentence: str
) -> None:
    root = project(workspace)
    await editor.ended(await begun(editor, root))
    with pytest.raises(JsonRpcException, match=sentence):
        await history(editor, root, **more)


async def other_reduced(editor: Editor, root: Path, **more) -> dict:
    """Reduce another failure of a folder; return the last progress."""
    known = {state["id"] for state in editor.seen.states}
    await editor.execute("pollard.reduceOther", {"uri": root.as_uri(), **more})

    def end() -> dict | None:
        new = [state["id"] for state in editor.seen.states if state["id"] not in known]
        return editor.seen.end(new[-1]) if new else None

    return await editor.until(end)


async def test_another_failure_is_reduced_into_a_folder_of_its_own(
    editor: Editor, workspace: Workspace
) -> None:
    """The numbers are those of the history, which still has the reduction that saw it."""
    root = failing_project(workspace)
    first = await editor.ended(await begun(editor, root))
    (record,) = (await history(editor, root))["records"]
    assert record["others"] == first["others"]
    number = next(each["number"] for each in first["others"] if "Name" in each["description"])
    before = contents(root)
    end = await other_reduced(editor, root, number=number)
    assert end["state"] == "done", end["message"]
    assert end["failure"]["kind"] == "NameError"
    small = root.with_name(f"project.other-{number}")
    assert end["result"] == small.as_uri()
    assert contents(small) == {"main.txt": "line 1 thorn\n"}
    assert contents(root) == before
    assert (await history(editor, root))["records"][0]["others"] == first["others"]


async def test_the_user_chooses_among_several_failures(
    editor: Editor, workspace: Workspace
) -> None:
    root = failing_project(workspace)
    await editor.ended(await begun(editor, root))
    editor.answers.other = UNANSWERED
    reduction = asyncio.ensure_future(other_reduced(editor, root))
    (question,) = await editor.until(lambda: editor.seen.open_questions)
    assert "Which failure of project/" in question.message
    question.reply(next(title for title in question.titles if "KeyError" in title))
    assert (await reduction)["failure"]["kind"] == "KeyError"


async def test_a_folder_without_other_failures_says_so(
    editor: Editor, workspace: Workspace
) -> None:
    root = project(workspace)
    for sentence in ("has not been reduced yet", "has seen another failure"):
        with pytest.raises(JsonRpcException, match=sentence):
            await editor.execute("pollard.reduceOther", {"uri": root.as_uri()})
        await editor.ended(await begun(editor, root))
