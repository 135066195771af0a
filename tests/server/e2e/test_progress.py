"""What the user sees during a reduction, and what must not be shown anywhere."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tests.server.e2e import documents
from tests.server.e2e.documents import NEEDLES, SECRET
from tests.server.e2e.scenes import held
from tests.server.editor import NO, Answers, Editor, Workspace
from tests.server.editor.workspace import QUICK

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIZE = r"\d+(\.\d+)? (B|kB|MB)"
MESSAGE = re.compile(rf"{SIZE} of {SIZE} · \d+ runs?( · \d+(\.\d+)? runs/s)?( · .+)?")
END = re.compile(rf"{SIZE} → {SIZE}, \d+ runs?, .+")
SLOW_SEARCH = f"sleep 0.02; {NEEDLES}"


async def test_progress_begins_reports_and_ends(start, workspace: Workspace) -> None:
    """The server creates the token; the progress can be cancelled, and has no percentage."""
    workspace.configure(workspace.oracle(SLOW_SEARCH))
    editor = await start()
    buffer = editor.open("case.txt", documents.lines())
    await editor.reduced(buffer)
    await editor.until(lambda: editor.seen.reports[-1].kind == "end")
    begin, *reports, end = editor.seen.reports
    assert {report.token for report in editor.seen.reports} == set(editor.seen.tokens)
    assert len(editor.seen.tokens) == 1
    assert begin.kind == "begin"
    assert begin.value["cancellable"] is True
    assert {report.kind for report in reports} == {"report"}
    assert all("percentage" not in report.value for report in editor.seen.reports)
    assert any(MESSAGE.fullmatch(report.message) for report in reports), reports
    assert END.fullmatch(end.message)


@pytest.mark.parametrize("ending", ["stop", "failure", "refusal"])
async def test_the_progress_ends_however_the_reduction_does(
    start, workspace: Workspace, ending: str
) -> None:
    if ending == "failure":
        workspace.configure(workspace.oracle("false"))
    editor = await start(answers=Answers(consent=NO) if ending == "refusal" else None)
    buffer = editor.open("case.txt", documents.lines())
    if ending == "stop":
        job = await held(editor, buffer)
        await editor.execute("pollard.stop", {"id": job})
        await editor.ended(job)
    else:
        await editor.reduced(buffer)
    tokens = editor.seen.tokens
    await editor.until(lambda: [r.token for r in editor.seen.reports if r.kind == "end"] == tokens)
    assert [r.token for r in editor.seen.reports if r.kind == "begin"] == tokens


async def test_there_are_at_most_ten_reports_a_second(start, workspace: Workspace) -> None:
    """Eleven successive reports, some perhaps delayed, take most of a second."""
    workspace.configure(workspace.oracle(SLOW_SEARCH))
    editor = await start()
    await editor.reduced(editor.open("case.txt", documents.lines()))
    times = [report.at for report in editor.seen.reports if report.kind == "report"]
    assert len(times) > 2
    assert len(times) <= 10 * (times[-1] - times[0]) + 2


async def test_progress_has_the_numbers_for_a_status_bar(start, workspace: Workspace) -> None:
    workspace.configure(workspace.oracle(SLOW_SEARCH))
    editor = await start()
    buffer = editor.open("case.txt", original := documents.lines())
    job = await editor.reduce(buffer)
    await editor.ended(job)
    states = editor.seen.of(job)
    names = [state["state"] for state in states]
    assert names[0] == "checking"
    assert "reducing" in names
    assert names[-1] == "done"
    assert all(state["uri"] == buffer.uri for state in states)
    assert states[-1]["originalBytes"] == len(original)
    assert states[-1]["bytes"] == len(buffer.text)
    counted = (
        "runs",
        "rate",
        "guarded",
        "cacheHits",
        "invalid",
        "timeouts",
        "reductions",
        "seconds",
    )
    for key in counted:
        assert isinstance(states[-1][key], int | float), key
    assert all(before["bytes"] >= after["bytes"] for before, after in pairwise(states))
    assert all(before["runs"] <= after["runs"] for before, after in pairwise(states))


async def test_the_document_is_in_no_message_and_in_no_log(
    editor: Editor, workspace: Workspace
) -> None:
    buffer = editor.open("case.py", documents.python(), "python")
    await editor.reduced(buffer)
    editor.type(buffer, 0, f"# {SECRET} typed\n")
    await editor.execute("pollard.restore", {"uri": buffer.uri})
    await editor.until(lambda: SECRET in buffer.text)
    await editor.leave()
    assert SECRET not in editor.log.read_text()
    assert SECRET not in editor.seen.texts


async def test_the_stream_interval_is_respected(start, workspace: Workspace) -> None:
    """An interval longer than the reduction gives one edit at the start and one at the end."""
    workspace.configure(workspace.oracle(NEEDLES), top=QUICK.replace("0.02", '"1m"'))
    editor = await start()
    buffer = editor.open("case.txt", documents.lines())
    assert (await editor.reduced(buffer))["state"] == "done"
    assert len(buffer.from_server) <= 2
