"""*Reduce to this diagnostic*, with a real ruff: from the action to the buffer, and back."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.server.editor import Editor, Workspace
from tests.server.editor.answers import NO, Answers
from tests.server.editor.buffer import Buffer
from tests.server.editor.workspace import QUICK

pytestmark = pytest.mark.asyncio(loop_scope="session")

TEXT = """\
import os
import sys


def load(path):
    return undefined_thing(path)


print(load(sys.argv[1]))
"""
# Waits on small texts while the test holds it. The text is the last argument.
_SCRIPT = """#!/bin/sh
for text; do :; done
while read -r below 2> /dev/null < {hold} && [ "$(wc -c < "$text")" -lt "$below" ]; do
    sleep 0.02
done
exec {ruff} "$@"
"""
TITLE = "Reduce to this diagnostic: Ruff F821"


@pytest.fixture(autouse=True)
def project(workspace: Workspace) -> Path:
    """A project without an oracle, with a ruff of its own that ignores unused imports in `tests`."""
    workspace.configure(top=QUICK)
    programs = workspace.folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent))
    assert ruff, "ruff is not installed in this environment"
    script = programs / "ruff"
    script.write_text(_SCRIPT.format(ruff=ruff, hold=workspace.outside / "hold"))
    script.chmod(0o755)
    (workspace.folder / "tests").mkdir()
    workspace.write("ruff.toml", '[lint.per-file-ignores]\n"tests/*" = ["F401"]\n')
    return workspace.folder


def undefined(editor: Editor, buffer: Buffer) -> lsp.Diagnostic:
    """The diagnostic as `ruff server` publishes it."""
    start = buffer.text.index("undefined_thing")
    where = editor.select(buffer, start, start + len("undefined_thing"))
    message = "Undefined name `undefined_thing`"
    return lsp.Diagnostic(where, message, lsp.DiagnosticSeverity.Error, code="F821", source="Ruff")


async def action_on_squiggle(editor: Editor, buffer: Buffer) -> lsp.CodeAction:
    shown = undefined(editor, buffer)
    return (await editor.code_actions(buffer, shown.range, shown=[shown]))[TITLE]


async def test_a_squiggle_becomes_the_tokens_that_cause_it(start, workspace: Workspace) -> None:
    """One action and one consent, which shows the command; no oracle is configured."""
    editor = await start()
    buffer = editor.open("wrong.py", TEXT, "python")
    began = await editor.run(await action_on_squiggle(editor, buffer))
    end = await editor.ended(began["id"])
    assert (end["state"], buffer.text.strip().count("\n")) == ("done", 1)
    assert "import" not in buffer.text
    assert "undefined_thing(path)" in buffer.text
    (question,) = [each for each in editor.seen.questions if "May Pollard run" in each.message]
    assert "ruff check --no-cache --output-format=json '{file}'" in question.message
    assert "the oracle 'ruff:F821 Undefined name …' of Pollard's list of tools" in question.message
    assert (
        f"Copied to the same places around the text: {workspace.folder}/ruff.toml"
        in question.message
    )
    assert 'diagnostic = ["ruff:F821 Undefined name …"]' in question.message
    assert end["failure"]["kind"] == "ruff F821"


async def test_the_original_comes_back_and_the_history_has_it(start) -> None:
    editor = await start()
    buffer = editor.open("wrong.py", TEXT, "python")
    began = await editor.run(await action_on_squiggle(editor, buffer))
    await editor.ended(began["id"])
    await editor.settled(buffer)
    history = await editor.execute("pollard.history", {"uri": buffer.uri})
    assert history["records"][0]["oracle"] == "ruff:F821 Undefined name …"
    await editor.run((await editor.code_actions(buffer))["Restore original"])
    await editor.until(lambda: buffer.text == TEXT)


async def test_an_interrupted_reduction_is_continued_with_its_diagnostic(
    start, workspace: Workspace
) -> None:
    editor = await start()
    workspace.hold(len(TEXT) // 2)
    buffer = editor.open("wrong.py", TEXT * 4, "python")
    began = await editor.run(await action_on_squiggle(editor, buffer))
    await editor.until(lambda: buffer.from_server)
    await editor.execute("pollard.stop", {"id": began["id"]})
    workspace.release()
    assert (await editor.ended(began["id"]))["state"] == "stopped"
    await editor.settled(buffer)
    actions = await editor.code_actions(buffer)
    again = await editor.run(actions["Continue the interrupted reduction"])
    assert (await editor.ended(again["id"]))["state"] == "done"
    assert buffer.text.count("undefined_thing") == 1


async def test_rules_for_paths_hold_in_the_editor_too(start) -> None:
    """In `tests` this ruff does not report what the editor is said to show."""
    editor = await start()
    buffer = editor.open("tests/wrong.py", TEXT, "python")
    end = await editor.reduced(buffer, diagnostic="ruff:F401")
    assert end["state"] == "failed"
    assert "ruff:F401 must be reported; it reported F821 Undefined name …" in end["message"]
    assert buffer.text == TEXT


async def test_a_language_server_of_the_settings_is_asked_for_diagnostics_of_its_name(
    start, workspace: Workspace
) -> None:
    """Whatever the criteria of its oracle are: here it is one for crashes."""
    server = Path(__file__).parents[2] / "core" / "executors" / "small_server.py"
    log = workspace.outside / "small.log"
    workspace.configure(
        f'[oracles.Small]\nkind = "lsp"\ncrashes = true\ncommand = ["{sys.executable}", "{server}", '
        f'"push", "{log}"]\nsandbox.write = ["{workspace.outside}"]\n',
        top=QUICK,
    )
    editor = await start()
    buffer = editor.open("case.txt", "hay\na needle in hay\nmore hay\n")
    where = editor.select(buffer, 6, 12)
    shown = lsp.Diagnostic(where, "the word needle", source="small", code="W1")
    found = await editor.code_actions(buffer, where, shown=[shown])
    began = await editor.run(found["Reduce to this diagnostic: small W1"])
    end = await editor.ended(began["id"])
    assert (end["state"], buffer.text.strip()) == ("done", "a needle in hay")
    assert end["failure"]["kind"] == "lsp W1"
    (question,) = [each for each in editor.seen.questions if "May Pollard run" in each.message]
    assert "It is the oracle 'Small:W1 the word needle' of" in question.message
    assert "pollard.toml" in question.message
    history = await editor.execute("pollard.history", {"uri": buffer.uri})
    assert history["records"][0]["oracle"] == "Small:W1 the word needle"


async def test_without_consent_nothing_runs(start) -> None:
    editor = await start(answers=Answers(consent=NO))
    buffer = editor.open("wrong.py", TEXT, "python")
    began = await editor.run(await action_on_squiggle(editor, buffer))
    assert (await editor.ended(began["id"]))["state"] == "failed"
    assert buffer.text == TEXT


async def test_a_source_that_nobody_knows_gets_no_action(start) -> None:
    editor = await start()
    buffer = editor.open("wrong.py", TEXT, "python")
    shown = undefined(editor, buffer)
    shown.source = "spelling"
    found = await editor.code_actions(buffer, shown.range, shown=[shown])
    assert [title for title in found if "diagnostic" in title] == []


async def test_an_untitled_buffer_is_reduced_too(start) -> None:
    """It has no project, so the program on PATH runs, without configuration; here there is none."""
    editor = await start()
    buffer = editor.open("untitled:Untitled-1", TEXT, "python")
    end = await editor.reduced(buffer, diagnostic="basedpyright:reportUndefinedVariable")
    assert end["state"] == "failed"
    assert "'basedpyright' was not found on PATH" in end["message"]


async def test_a_language_server_of_the_settings_is_an_oracle_too(
    start, workspace: Workspace
) -> None:
    """The question says that it stays; its diagnostics are those of a new version of the text."""
    table = (
        '[oracles.undefined]\nkind = "lsp"\ncommand = ["{workspace}/.venv/bin/ruff", "server"]\n'
    )
    workspace.configure(f'{table}diagnostic = "F821"\n', top=QUICK)
    editor = await start()
    buffer = editor.open("wrong.py", TEXT, "python")
    end = await editor.reduced(buffer)
    assert (end["state"], end["failure"]["kind"]) == ("done", "lsp F821")
    assert "undefined_thing(path)" in buffer.text
    assert "import" not in buffer.text
    (question,) = [each for each in editor.seen.questions if "May Pollard run" in each.message]
    assert "It is a language server: it goes on running" in question.message
