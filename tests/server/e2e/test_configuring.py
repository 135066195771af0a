"""From a failing file without settings to its reduction: try, choose, write, reduce."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomlkit
from pygls.exceptions import JsonRpcException

from tests.server.e2e import documents
from tests.server.editor import Answers, Editor, Workspace
from tests.server.editor.answers import ALWAYS, CONSENT, NO, RUN_ONCE

pytestmark = pytest.mark.asyncio(loop_scope="session")

BOOM = (
    "case $(cat {file}) in *needle*needle*needle*) echo 'boom: broken at 0x7f00' >&2; exit 7;; esac; "
    "exit 1"
)


@pytest.fixture(autouse=True)
def no_settings(workspace: Workspace) -> None:
    (workspace.folder / "pollard.toml").unlink()


def questions(editor: Editor) -> list[str]:
    return [asked.message for asked in editor.seen.questions if asked.titles == CONSENT]


async def tried(editor: Editor, uri: str, command: str = BOOM) -> dict:
    """Try a command on a document; return the outcome."""
    definition = {"command": command}
    wish = {"uri": uri, "definition": definition, "checks": 1}
    began = await editor.execute("pollard.checkOracle", wish)
    seen = editor.seen
    return await editor.until(
        lambda: next((one for one in seen.checked if one["id"] == began["id"]), None)
    )


async def write(editor: Editor, workspace: Workspace, uri: str, definition: dict) -> dict:
    """Write the settings file that the server returned."""
    made = await editor.execute("pollard.configureOracle", {"uri": uri, "definition": definition})
    workspace.write("pollard.toml", made["text"])
    assert made["uri"] == workspace.uri("pollard.toml")
    return made


async def test_a_file_without_settings_can_be_reduced_after_one_question(
    start, workspace: Workspace
) -> None:
    """The consent to the trial is also valid for the next reduction, but for no other."""
    editor = await start(answers=Answers(consent=RUN_ONCE))
    buffer = editor.open("case.py", documents.python(), "python")
    choices = await editor.execute("pollard.oracles", {"uri": buffer.uri})
    assert (choices["reason"], choices["language"], choices["file"]) == ("none", "python", None)
    result = await tried(editor, buffer.uri)
    assert [run["exitCode"] for run in result["runs"]] == [7]
    chosen = next(one for one in result["criteria"] if "boom" in one["title"])
    definition = {"command": BOOM, **chosen["definition"]}
    made = await write(editor, workspace, buffer.uri, definition)
    assert made["created"]
    (table,) = tomlkit.parse(made["text"])["oracles"].values()
    assert table == {**definition, "languages": ["python"]}
    end = await editor.reduced(buffer)
    assert end["state"] == "done"
    assert documents.needles(buffer.text) == 3
    assert len(questions(editor)) == 1
    editor.answers.consent = NO
    assert (await editor.reduced(editor.open("two.py", documents.python(), "python")))["state"] == (
        "failed"
    )
    assert len(questions(editor)) == 2


async def test_always_is_valid_for_the_criteria_chosen_later(start, workspace: Workspace) -> None:
    editor = await start(answers=Answers(consent=ALWAYS))
    buffer = editor.open("case.txt", documents.lines())
    await tried(editor, buffer.uri)
    await write(editor, workspace, buffer.uri, {"command": BOOM, "exit_code": 7})
    for name in ("one.txt", "two.txt"):
        end = await editor.reduced(editor.open(name, documents.lines()))
        assert end["state"] == "done"
    assert len(questions(editor)) == 1


async def test_a_trial_shows_the_formatter_and_the_answer_covers_both(
    start, workspace: Workspace
) -> None:
    """It is the formatter of the file's language, which the next reduction will run."""
    workspace.configure(top="[languages.python]\nformatter = 'sed s/^v/V/'\n")
    editor = await start(answers=Answers(consent=RUN_ONCE))
    buffer = editor.open("case.py", documents.python(), "python")
    await tried(editor, buffer.uri)
    await write(editor, workspace, buffer.uri, {"command": BOOM, "exit_code": 7})
    end = await editor.reduced(buffer)
    assert end["state"] == "done"
    (question,) = questions(editor)
    assert "sed s/^v/V/" in question


async def test_the_trial_of_one_command_allows_no_other(start, workspace: Workspace) -> None:
    editor = await start(answers=Answers(consent=RUN_ONCE))
    buffer = editor.open("case.txt", documents.lines())
    await tried(editor, buffer.uri)
    proof = workspace.outside / "ran"
    await write(editor, workspace, buffer.uri, {"command": f"touch {proof}", "exit_code": 7})
    editor.answers.consent = NO
    assert (await editor.reduced(buffer))["state"] == "failed"
    assert len(questions(editor)) == 2
    assert not proof.exists()


async def test_a_trial_that_is_not_allowed_runs_nothing(start, workspace: Workspace) -> None:
    editor = await start(answers=Answers(consent=NO))
    proof = workspace.outside / "ran"
    buffer = editor.open("case.txt", documents.lines())
    result = await tried(editor, buffer.uri, f"touch {proof}")
    assert (result["runs"], result["criteria"]) == ([], [])
    assert "did not allow" in result["description"]
    assert not proof.exists()
    assert "touch" in questions(editor)[0]


async def test_a_command_that_cannot_start_is_reported_in_a_message(start, workspace) -> None:
    """Otherwise the user would wait in vain."""
    editor = await start()
    buffer = editor.open("case.txt", documents.lines())
    definition = {"command": ["no-such-program-anywhere", "{file}"]}
    await editor.execute("pollard.checkOracle", {"uri": buffer.uri, "definition": definition})
    result = await editor.until(lambda: editor.seen.checked and editor.seen.checked[-1])
    assert (result["health"], result["runs"]) == ("could not start", [])
    await editor.until(lambda: "no-such-program-anywhere" in "".join(editor.seen.messages))


async def test_a_trial_is_not_run_in_an_untrusted_workspace(start, workspace: Workspace) -> None:
    editor = await start(options={"trusted": False})
    buffer = editor.open("case.txt", documents.lines())
    wish = {"uri": buffer.uri, "definition": {"command": "true"}}
    for command in ("pollard.checkOracle", "pollard.configureOracle"):
        with pytest.raises(JsonRpcException, match="not trusted"):
            await editor.execute(command, wish)
    choices = await editor.execute("pollard.oracles", {"uri": buffer.uri})
    assert choices["reason"] == "untrusted"
    assert questions(editor) == []


async def test_a_trial_that_hangs_can_be_stopped(start, workspace: Workspace) -> None:
    editor = await start()
    buffer = editor.open("case.txt", documents.lines())
    proof = workspace.outside / "ran"
    command = f"touch {proof}; sleep 60 # {{file}}"
    wish = {"uri": buffer.uri, "definition": {"command": command}}
    began = await editor.execute("pollard.checkOracle", wish)
    await editor.until(proof.exists)
    assert await editor.execute("pollard.stop", {"id": began["id"]}) == {"ids": [began["id"]]}
    result = await editor.until(lambda: editor.seen.checked and editor.seen.checked[-1])
    assert "stopped" in result["description"]


async def test_an_oracle_joins_those_that_are_there(start, workspace: Workspace) -> None:
    editor = await start()
    before = f"# mine\n{workspace.oracle('true')}"
    workspace.configure(before, top="")
    buffer = editor.open("case.txt", documents.lines())
    made = await write(editor, workspace, buffer.uri, {"command": "grep needle", "stdin": True})
    assert (made["name"], made["created"]) == ("grep", False)
    assert made["text"].startswith(before)
    editor.report_file_change(workspace.folder / "pollard.toml")
    choices = await editor.execute("pollard.oracles", {"uri": buffer.uri})
    assert [one["name"] for one in choices["oracles"]] == ["needle", "grep"]
    assert not any(one["isDefault"] for one in choices["oracles"])
    assert choices["oracles"][1]["command"] == "grep needle"
    assert Path(choices["file"]).name == "pollard.toml"


@pytest.mark.parametrize(
    ("definition", "says"),
    [
        ({"exit_code": 1}, "command"),
        ({"command": "true", "exit_kode": 1}, "exit_code"),
        ({"command": "true", "stderr": "("}, "regular expression"),
        ({"command": 7}, "command"),
    ],
    ids=["no command", "a key that is not known", "no expression", "a number"],
)
async def test_a_definition_that_is_wrong_is_refused_in_a_sentence(
    editor: Editor, definition, says: str
) -> None:
    buffer = editor.open("case.txt", documents.lines())
    with pytest.raises(JsonRpcException, match=says):
        await editor.execute(
            "pollard.configureOracle", {"uri": buffer.uri, "definition": definition}
        )


async def test_a_mistake_in_the_settings_is_the_obstacle(start, workspace: Workspace) -> None:
    workspace.configure("[oracles.a]\n", top="")
    editor = await start()
    buffer = editor.open("case.txt", documents.lines())
    choices = await editor.execute("pollard.oracles", {"uri": buffer.uri})
    assert choices["reason"] == "settings"
    assert "needs a 'command'" in choices["obstacle"]
    wish = {"uri": buffer.uri, "definition": {"command": "true"}}
    with pytest.raises(JsonRpcException, match="needs a 'command'"):
        await editor.execute("pollard.configureOracle", wish)
