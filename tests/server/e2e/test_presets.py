"""Presets over the wire: what a plugin offers, asks, tries and writes."""

from __future__ import annotations

import pytest
import tomlkit
from pygls.exceptions import JsonRpcException

from tests.core.oracle_setup.programs import CASES, FINE, SHOWN, preset_of
from tests.server.editor import Answers, Editor, Workspace
from tests.server.editor.answers import CONSENT, NO, RUN_ONCE

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(autouse=True)
def no_settings(workspace: Workspace) -> None:
    (workspace.folder / "pollard.toml").unlink()


async def tried(editor: Editor, uri: str, case: str) -> dict:
    """Try a preset on a document; return the outcome."""
    answers, _, _ = SHOWN[case]
    wish = {"uri": uri, "preset": preset_of(case), "answers": answers}
    began = await editor.execute("pollard.checkOracle", wish)
    seen = editor.seen
    return await editor.until(
        lambda: next((one for one in seen.checked if one["id"] == began["id"]), None)
    )


async def test_presets_come_with_their_questions_and_the_languages_command(editor: Editor) -> None:
    buffer = editor.open("case.py", "x = 1\n", "python")
    presets = (await editor.execute("pollard.presets", {"uri": buffer.uri}))["presets"]
    by_name = {preset["name"]: preset for preset in presets}
    assert list(by_name) == ["crash", "hang", "differ", "wrong", "slow", "other"]
    (command,) = by_name["crash"]["questions"]
    assert (command["default"], command["optional"]) == ("python3 {file}", False)
    limit = by_name["hang"]["questions"][1]
    assert (limit["name"], limit["default"]) == ("limit", "10s")


@pytest.mark.parametrize("case", CASES)
async def test_each_preset_leads_to_an_oracle_that_reduces_the_document(
    start, workspace: Workspace, case: str
) -> None:
    """After one consent: the trial shows the failure, and what is configured keeps it."""
    _, text, failure = SHOWN[case]
    editor = await start(answers=Answers(consent=RUN_ONCE))
    buffer = editor.open("case.py", text.decode(), "python")
    result = await tried(editor, buffer.uri, case)
    assert (result["interesting"], result["criteria"][0]["failure"]) == (True, failure)
    assert failure in result["description"]
    chosen = {"uri": buffer.uri, "definition": result["criteria"][0]["definition"]}
    made = await editor.execute("pollard.configureOracle", chosen)
    (table,) = tomlkit.parse(made["text"])["oracles"].values()
    assert table["languages"] == ["python"]
    workspace.write("pollard.toml", f"checks = 1\nmax_runs = 1\n{made['text']}")
    end = await editor.reduced(buffer)
    assert end["state"] == "done", end["message"]
    asked = [one.message for one in editor.seen.questions if one.message.startswith("May Pollard")]
    assert len(asked) == 1  # without a sandbox, there is a second question about that


async def test_a_trial_that_misses_a_file_asks_again_and_runs_among_links(
    start, workspace: Workspace
) -> None:
    """The second question says what is linked; the oracle that is configured reduces the document."""
    workspace.write("helper.py", "def load(x):\n    return x.y\n")
    editor = await start(answers=Answers(consent=RUN_ONCE))
    buffer = editor.open("case.py", "import helper\nprint(1)\nhelper.load(7)\n", "python")
    result = await tried(editor, buffer.uri, "crash")
    assert result["criteria"][0]["failure"] == "AttributeError, raised in load"
    asked = [one.message for one in editor.seen.questions if one.message.startswith("May Pollard")]
    assert ["Linked around the text" in message for message in asked] == [False, True]
    chosen = {"uri": buffer.uri, "definition": result["criteria"][0]["definition"]}
    made = await editor.execute("pollard.configureOracle", chosen)
    workspace.write("pollard.toml", f"checks = 1\n{made['text']}")
    end = await editor.reduced(buffer)
    assert end["state"] == "done", end["message"]
    assert "print" not in buffer.text
    assert "helper.load" in buffer.text


async def test_a_document_that_does_not_show_it_gets_a_sentence_and_no_criteria(start) -> None:
    editor = await start(answers=Answers(consent=RUN_ONCE))
    buffer = editor.open("case.py", FINE.decode(), "python")
    result = await tried(editor, buffer.uri, "crash")
    assert (result["interesting"], result["criteria"], len(result["runs"])) == (False, [], 2)
    sentence = "The file does not show it: the command ended after"
    assert sentence in result["description"]
    await editor.until(lambda: sentence in "".join(editor.seen.messages))


async def test_nothing_runs_without_consent(start, workspace: Workspace) -> None:
    editor = await start(answers=Answers(consent=NO))
    buffer = editor.open("case.py", FINE.decode(), "python")
    result = await tried(editor, buffer.uri, "differ")
    assert (result["runs"], result["criteria"]) == ([], [])
    assert "did not allow" in result["description"]
    (question,) = [one.message for one in editor.seen.questions if one.titles == CONSENT]
    assert "python" in question
    assert " -O {file}" in question


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"preset": "crash", "definition": {"command": "true"}}, "only one of them"),
        ({"answers": {"command": "true"}}, "only with 'preset'"),
        ({"preset": "crash", "answers": {"command": 7}}, "an object of texts"),
    ],
)
async def test_arguments_that_contradict_each_other_are_refused(
    editor: Editor, more: dict, says: str
) -> None:
    buffer = editor.open("case.py", "x = 1\n", "python")
    with pytest.raises(JsonRpcException, match=says):
        await editor.execute("pollard.checkOracle", {"uri": buffer.uri, **more})


async def test_an_answer_that_makes_no_trial_is_reported_in_a_sentence(start) -> None:
    editor = await start()
    buffer = editor.open("case.py", "x = 1\n", "python")
    wish = {"uri": buffer.uri, "preset": "hang", "answers": {"command": "true", "limit": "soon"}}
    await editor.execute("pollard.checkOracle", wish)
    result = await editor.until(lambda: editor.seen.checked and editor.seen.checked[-1])
    assert (result["health"], result["runs"]) == ("could not start", [])
    assert "The limit must be a time such as" in result["description"]
    await editor.until(lambda: "The limit must be" in "".join(editor.seen.messages))
