"""Where a sandbox may be the reason that an oracle does not hold, the user can try once without it."""

from __future__ import annotations

import pytest

from pollard_server.jobs.check_job import TRY_WITHOUT
from tests.server.e2e import documents
from tests.server.editor import Editor, Workspace
from tests.server.editor.answers import NO, RUN_ONCE, Answers

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.sandbox]


def configure(workspace: Workspace, condition: str) -> None:
    """Configure an oracle in the usual sandbox, with a condition in the shell for the file `$1`."""
    workspace.configure(
        f"[oracles.probe]\ncommand = ['/bin/sh', '-c', '{condition}', 'sh', '{{file}}']\n"
        '[oracles.probe.sandbox]\nlevel = "default"\n'
    )


async def checked_twice(editor: Editor) -> list[bool]:
    """Check the oracle, answer all questions, and return whether the two checks were interesting."""
    buffer = editor.open("case.txt", documents.lines())
    await editor.execute("pollard.checkOracle", {"uri": buffer.uri})
    await editor.until(lambda: len(editor.seen.checked) == 2)
    return [each["interesting"] for each in editor.seen.checked]


async def test_what_the_sandbox_denies_is_found_by_a_run_without_it(
    start, workspace: Workspace
) -> None:
    mark = workspace.outside / "mark"
    configure(workspace, f'touch "{mark}" && grep -q needle "$1"')
    editor = await start(answers=Answers(queue=[RUN_ONCE, TRY_WITHOUT, RUN_ONCE]))
    assert await checked_twice(editor) == [False, True]
    assert mark.exists()
    await editor.until(
        lambda: any("[oracles.probe.sandbox]" in each for each in editor.seen.messages)
    )


async def test_an_oracle_that_does_not_hold_without_it_either_is_told(
    start, workspace: Workspace
) -> None:
    configure(workspace, "false")
    editor = await start(answers=Answers(queue=[RUN_ONCE, TRY_WITHOUT, RUN_ONCE]))
    assert await checked_twice(editor) == [False, False]
    await editor.until(lambda: any("is not the reason" in each for each in editor.seen.messages))


async def test_nothing_runs_without_a_sandbox_unless_the_user_agrees(
    start, workspace: Workspace
) -> None:
    mark = workspace.outside / "mark"
    configure(workspace, f'touch "{mark}"')
    editor = await start(answers=Answers(queue=[RUN_ONCE, TRY_WITHOUT, NO]))
    assert await checked_twice(editor) == [False, False]
    assert not mark.exists()
