"""A command runs only after the user has agreed to exactly that command."""

from __future__ import annotations

from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException

from tests.server.e2e import documents
from tests.server.e2e.documents import NEEDLES
from tests.server.editor import ALWAYS, NO, RUN_ONCE, Answers, Buffer, Editor, Workspace
from tests.server.editor.answers import CONSENT
from tests.server.editor.workspace import QUICK

pytestmark = pytest.mark.asyncio(loop_scope="session")


def consents(editor: Editor) -> list[str]:
    """Return the questions for consent so far."""
    return [asked.message for asked in editor.seen.questions if asked.titles == CONSENT]


def document(editor: Editor, name: str = "case.txt") -> Buffer:
    return editor.open(name, documents.lines())


async def test_the_question_shows_the_command_and_where_it_comes_from(
    editor: Editor, workspace: Workspace
) -> None:
    await editor.reduced(document(editor))
    (question,) = consents(editor)
    assert "/bin/sh" in question
    assert f"{workspace.folder}/needle.sh" in question or "{workspace}/needle.sh" in question
    assert "{file}" in question
    assert "pollard.toml" in question


async def test_nothing_is_run_before_the_answer(start, workspace: Workspace) -> None:
    editor = await start(answers=Answers(consent="(the question stays open)"))
    job = await editor.reduce(document(editor))
    await editor.until(lambda: editor.seen.open_questions)
    await editor.execute("pollard.status", {})
    assert workspace.runs == []
    editor.seen.questions[-1].reply(RUN_ONCE)
    assert (await editor.ended(job))["state"] == "done"


@pytest.mark.parametrize("answer", [NO, None], ids=["no", "dismissed"])
async def test_a_refusal_runs_nothing_and_disables_the_action(
    start, workspace: Workspace, answer: str | None
) -> None:
    editor = await start(answers=Answers(consent=answer))
    buffer = document(editor)
    end = await editor.reduced(buffer)
    assert end["state"] == "failed"
    assert workspace.runs == []
    action = (await editor.code_actions(buffer))["Reduce file"]
    assert action.disabled is not None
    assert "did not allow" in action.disabled.reason


async def test_an_explicit_command_asks_again_after_a_refusal(start, workspace: Workspace) -> None:
    editor = await start(answers=Answers(consent=NO))
    buffer = document(editor)
    await editor.reduced(buffer)
    editor.answers.consent = RUN_ONCE
    assert (await editor.reduced(buffer))["state"] == "done"
    assert len(consents(editor)) == 2


async def test_a_refusal_ends_with_the_session(start, workspace: Workspace) -> None:
    first = await start(answers=Answers(consent=NO))
    await first.reduced(document(first))
    await first.leave()
    second = await start()
    assert (await second.code_actions(document(second)))["Reduce file"].disabled is None


async def test_run_once_asks_again_the_next_time(start) -> None:
    editor = await start(answers=Answers(consent=RUN_ONCE))
    await editor.reduced(document(editor, "one.txt"))
    await editor.reduced(document(editor, "two.txt"))
    assert len(consents(editor)) == 2


@pytest.mark.exhaustive
async def test_consent_for_always_is_never_asked_for_again(start) -> None:
    """Neither in this session nor in the next one."""
    first = await start(answers=Answers(consent=ALWAYS))
    await first.reduced(document(first, "one.txt"))
    await first.reduced(document(first, "two.txt"))
    assert len(consents(first)) == 1
    await first.leave()
    second = await start(answers=Answers(consent=NO))
    assert (await second.reduced(document(second)))["state"] == "done"
    assert consents(second) == []


@pytest.mark.parametrize("second", [RUN_ONCE, NO])
async def test_what_executes_the_file_without_a_sandbox_is_asked_about_twice(
    start, workspace: Workspace, second: str
) -> None:
    mark = workspace.outside / "executed"
    workspace.configure(
        '[oracles.run]\ncommand = ["/bin/sh", "{file}"]\nstdout = "needle"\n'
        '[oracles.run.sandbox]\nlevel = "off"\n'
    )
    editor = await start(answers=Answers(queue=[RUN_ONCE, second]))
    end = await editor.reduced(editor.open("case.sh", f"touch {mark}\necho needle\n: 1\n: 2\n"))
    assert ["executes the file" in question for question in consents(editor)] == [False, True]
    assert end["state"] == ("done" if second == RUN_ONCE else "failed")
    assert mark.exists() is (second == RUN_ONCE)


async def test_consent_is_kept_in_the_users_directory_alone(
    editor: Editor, workspace: Workspace, own_directories
) -> None:
    consents = own_directories / "state" / "consents"
    before = sorted(workspace.folder.rglob("*"))
    known = set(consents.iterdir()) if consents.exists() else set()
    await editor.reduced(document(editor))
    assert sorted(workspace.folder.rglob("*")) == before
    (consent,) = set(consents.iterdir()) - known
    assert consent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda it: it.configure(it.oracle(NEEDLES, keys="exit_code = 0\n")),
        lambda it: it.configure(it.oracle(NEEDLES).replace('"{file}"]', '"{file}", "more"]')),
        lambda it: it.oracle(f"true; {NEEDLES}"),
        lambda it: it.configure(it.oracle(NEEDLES, keys='files = ["more.txt"]\n')),
    ],
    ids=["criteria", "command", "script", "files"],
)
async def test_a_changed_oracle_needs_new_consent(
    editor: Editor, workspace: Workspace, change
) -> None:
    workspace.write("more.txt", "more")
    await editor.reduced(document(editor, "one.txt"))
    change(workspace)
    editor.report_file_change(workspace.folder / "pollard.toml")
    editor.answers.consent = NO
    workspace.forget()
    assert (await editor.reduced(document(editor, "two.txt")))["state"] == "failed"
    assert len(consents(editor)) == 2
    assert workspace.runs == []


async def test_a_changed_companion_file_needs_new_consent(start, workspace: Workspace) -> None:
    workspace.write("more.txt", "more")
    workspace.configure(workspace.oracle(NEEDLES, keys='files = ["more.txt"]\n'))
    editor = await start()
    await editor.reduced(document(editor, "one.txt"))
    workspace.write("more.txt", "something else")
    await editor.reduced(document(editor, "two.txt"))
    assert len(consents(editor)) == 2


async def test_an_untrusted_workspace_is_never_asked_about(start, workspace: Workspace) -> None:
    editor = await start(options={"trusted": False})
    buffer = document(editor)
    action = (await editor.code_actions(buffer))["Reduce file"]
    assert action.disabled is not None
    assert "trust" in action.disabled.reason
    for command in ("pollard.reduce", "pollard.checkOracle"):
        with pytest.raises(JsonRpcException, match="trust") as refusal:
            await editor.execute(command, {"uri": buffer.uri})
        assert refusal.value.code == -32803
    assert (consents(editor), workspace.runs) == ([], [])


async def test_consent_is_requested_once_a_workspace_becomes_trusted(start) -> None:
    editor = await start(fresh=True, options={"trusted": False})
    buffer = document(editor)
    editor.notify("pollard/didChangeTrust", {"trusted": True})
    assert (await editor.code_actions(buffer))["Reduce file"].disabled is None
    assert (await editor.reduced(buffer))["state"] == "done"
    assert len(consents(editor)) == 1


async def test_a_workspace_whose_trust_is_withdrawn_runs_nothing_more(
    start, workspace: Workspace
) -> None:
    editor = await start(fresh=True)
    await editor.reduced(document(editor, "one.txt"))
    workspace.forget()
    editor.notify("pollard/didChangeTrust", {"trusted": False})
    buffer = document(editor, "two.txt")
    with pytest.raises(JsonRpcException, match="trust"):
        await editor.reduce(buffer)
    assert workspace.runs == []


async def test_the_editors_settings_need_consent_as_the_files_do(
    start, workspace: Workspace
) -> None:
    """Because a workspace can contain the editor's settings."""
    command = ["/bin/sh", str(workspace.folder / "needle.sh"), "{file}"]
    settings = {"oracles": {"own": {"command": command}}, "oracle": "own"}
    editor = await start(settings=settings, answers=Answers(consent=NO))
    assert (await editor.reduced(document(editor)))["state"] == "failed"
    assert len(consents(editor)) == 1
    assert workspace.runs == []


def formatted(workspace: Workspace) -> Path:
    """Give the workspace a formatter; return the file that the formatter creates."""
    proof = workspace.outside / "formatted"
    workspace.write("tidy.sh", f"touch {proof}; sed 's/^line/>    line/'")
    formatter = "formatter = ['/bin/sh', '{workspace}/tidy.sh']\n"
    workspace.configure(workspace.oracle(NEEDLES), top=formatter + QUICK)
    return proof


async def test_the_question_shows_the_formatter_which_runs_after_consent(
    start, workspace: Workspace
) -> None:
    proof = formatted(workspace)
    editor = await start(answers=Answers(consent="(the question stays open)"))
    buffer = document(editor)
    job = await editor.reduce(buffer)
    await editor.until(lambda: editor.seen.open_questions)
    (question,) = consents(editor)
    assert "formatter" in question
    assert "{workspace}/tidy.sh" in question
    await editor.execute("pollard.status", {})
    assert (workspace.runs, proof.exists()) == ([], False)
    editor.seen.questions[-1].reply(RUN_ONCE)
    assert (await editor.ended(job))["state"] == "done"
    assert proof.exists()
    assert buffer.text.startswith(">    line")
    assert documents.needles(buffer.text) == 3


@pytest.mark.parametrize("trusted", [True, False])
async def test_a_formatter_without_consent_is_never_run(
    start, workspace: Workspace, trusted: bool
) -> None:
    proof = formatted(workspace)
    editor = await start(answers=Answers(consent=NO), options={"trusted": trusted})
    buffer = document(editor)
    if trusted:
        assert (await editor.reduced(buffer))["state"] == "failed"
    else:
        with pytest.raises(JsonRpcException, match="trust"):
            await editor.reduce(buffer)
    assert (workspace.runs, proof.exists()) == ([], False)
    assert buffer.text == documents.lines()


@pytest.mark.parametrize(
    "change",
    [
        lambda it: it.write("tidy.sh", "touch $0.ran; cat"),
        lambda it: it.configure(it.oracle(NEEDLES), top=f"formatter = 'touch x; cat'\n{QUICK}"),
        lambda it: it.configure(
            it.oracle(NEEDLES), top=f"{QUICK}[languages.python]\nformatter = 'touch x; cat'\n"
        ),
    ],
    ids=["script", "command", "language"],
)
async def test_a_changed_formatter_needs_new_consent(start, workspace: Workspace, change) -> None:
    """A standing consent covers the formatter that was shown."""
    proof = formatted(workspace)
    editor = await start(answers=Answers(consent=ALWAYS))
    await editor.reduced(editor.open("one.py", documents.python(), "python"))
    proof.unlink()
    change(workspace)
    editor.report_file_change(workspace.folder / "pollard.toml")
    editor.answers.consent = NO
    end = await editor.reduced(editor.open("two.py", documents.python(), "python"))
    assert end["state"] == "failed"
    assert len(consents(editor)) == 2
    assert not proof.exists()
    assert not (workspace.folder / "tidy.sh.ran").exists()


async def test_a_formatters_error_is_reported_and_the_reduction_is_done(
    start, workspace: Workspace
) -> None:
    workspace.configure(workspace.oracle(NEEDLES), top=f"formatter = ['no-such-one']\n{QUICK}")
    editor = await start()
    buffer = document(editor)
    assert (await editor.reduced(buffer))["state"] == "done"
    assert documents.needles(buffer.text) == 3
    await editor.until(lambda: any("not formatted" in told for told in editor.seen.messages))
    assert any("No grammar" in told for told in editor.seen.log)
    assert not any("No grammar" in told for told in editor.seen.messages)  # nothing went wrong


#: Invalid arguments, cannot be done now, no such command: the errors that come with a sentence.
SENTENCES = (-32602, -32803, -32601)


def crafted(workspace: Workspace) -> dict[str, tuple[str, list]]:
    """Return requests that try to run a command other than that of the settings."""
    uri = workspace.uri("case.txt")
    run = ["/bin/sh", "-c", f"echo 1 1 >> {workspace.outside}/runs"]
    oracle = {"command": run}
    zero = {"line": 0, "character": 0}
    return {
        "command": ("pollard.reduce", [{"uri": uri, "command": run}]),
        "oracle as a table": ("pollard.reduce", [{"uri": uri, "oracle": oracle}]),
        "oracle as a command": ("pollard.reduce", [{"uri": uri, "oracle": " ".join(run)}]),
        "settings": ("pollard.reduce", [{"uri": uri, "settings": {"oracles": {"a": oracle}}}]),
        "consent": ("pollard.reduce", [{"uri": uri, "consent": ALWAYS, "trusted": True, "x": 1}]),
        "strategy": ("pollard.reduce", [{"uri": uri, "strategy": f"$({run[-1]})"}]),
        "range": (
            "pollard.reduce",
            [{"uri": uri, "range": {"start": zero, "end": {"line": f"$({run[-1]})"}}}],
        ),
        "another document": ("pollard.reduce", [{"uri": f"file:///etc/passwd;{run[-1]}"}]),
        "no document": ("pollard.reduce", [{}]),
        "nothing": ("pollard.reduce", []),
        "a list": ("pollard.reduce", [run]),
        "two": ("pollard.reduce", [{"uri": uri}, {"command": run}]),
        "a number": ("pollard.checkOracle", [7]),
        "an oracle to check": ("pollard.checkOracle", [{"uri": uri, "oracle": run}]),
        "another command": ("pollard.run", run),
        "a record": ("pollard.restore", [{"uri": uri, "record": "../../../../etc"}]),
        "a history": ("pollard.history", [{"uri": uri, "record": "/etc", "number": 0}]),
    }


async def test_no_crafted_request_runs_a_command(start, workspace: Workspace) -> None:
    """Without consent, a request is refused at once or its reduction fails."""
    editor = await start(answers=Answers(consent=NO))
    buffer = document(editor)
    for name, (command, arguments) in crafted(workspace).items():
        try:
            began = await editor.execute(command, *arguments)
        except JsonRpcException as refusal:
            assert refusal.code in SENTENCES, (name, refusal)  # noqa: PT017
            assert "\n" not in refusal.message.strip(), name  # noqa: PT017
        else:
            assert (await editor.ended(began["id"]))["state"] == "failed", name
    assert workspace.runs == []
    assert buffer.text == documents.lines()
