"""*Open report*: a page about a reduction in the editor, opened by the editor or named in a message."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from pygls.exceptions import JsonRpcException

from tests.server.e2e.conftest import Start
from tests.server.e2e.documents import lines
from tests.server.editor import Editor
from tests.server.editor.capabilities import capabilities

pytestmark = pytest.mark.asyncio(loop_scope="session")

ACTION = "Open report"


def page_at(uri: str) -> str:
    """Return the page that the server wrote."""
    return Path(unquote(urlsplit(uri).path)).read_text(encoding="utf-8")


async def test_the_action_opens_a_page_about_the_reduction(editor: Editor) -> None:
    buffer = editor.open("case.txt", lines())
    assert ACTION not in await editor.code_actions(buffer)
    await editor.reduced(buffer)
    written = await editor.run((await editor.code_actions(buffer))[ACTION])
    await editor.until(lambda: editor.seen.shown)
    (shown,) = editor.seen.shown
    assert (shown.uri, shown.external) == (written["uri"], True)
    assert written["shown"] is True
    page = page_at(shown.uri)
    assert "<h1>case.txt</h1>" in page
    for line in filter(None, buffer.text.splitlines()):
        assert line in page


async def test_the_page_has_the_costs_of_every_accepted_text(editor: Editor) -> None:
    buffer = editor.open("case.txt", lines())
    await editor.reduced(buffer)
    found = await editor.execute("pollard.history", {"uri": buffer.uri})
    (record,) = found["records"]
    written = await editor.execute("pollard.report", {"uri": buffer.uri, "show": False})
    page = page_at(written["uri"])
    assert written["record"] == record["id"]
    assert f"Step {len(record['steps'])} of {len(record['steps'])}" in page
    assert f"<td>{record['runs']:,}</td>" in page


async def test_a_plugin_can_open_the_page_itself(editor: Editor) -> None:
    buffer = editor.open("case.txt", lines())
    await editor.reduced(buffer)
    written = await editor.execute("pollard.report", {"uri": buffer.uri, "show": False})
    await editor.execute("pollard.status", {})  # all that was sent before it has arrived
    assert written["shown"] is False
    assert editor.seen.shown == []
    assert not any("report" in message for message in editor.seen.messages)


async def test_an_editor_that_opens_nothing_is_told_where_the_page_is(start: Start) -> None:
    editor = await start(supports=capabilities(show_document=False))
    buffer = editor.open("case.txt", lines())
    await editor.reduced(buffer)
    written = await editor.execute("pollard.report", {"uri": buffer.uri})
    assert written["shown"] is False
    path = unquote(urlsplit(written["uri"]).path)
    await editor.until(lambda: any(path in message for message in editor.seen.messages))


async def test_an_editor_that_fails_to_open_the_page_says_where_it_is(editor: Editor) -> None:
    editor.has_browser = False
    buffer = editor.open("case.txt", lines())
    await editor.reduced(buffer)
    written = await editor.execute("pollard.report", {"uri": buffer.uri})
    path = unquote(urlsplit(written["uri"]).path)
    await editor.until(lambda: any(path in message for message in editor.seen.messages))


async def test_without_a_reduction_there_is_nothing_to_report(editor: Editor) -> None:
    buffer = editor.open("case.txt", lines())
    with pytest.raises(JsonRpcException, match="could be about"):
        await editor.execute("pollard.report", {"uri": buffer.uri})


async def test_an_unknown_record_is_an_error(editor: Editor) -> None:
    buffer = editor.open("case.txt", lines())
    await editor.reduced(buffer)
    with pytest.raises(JsonRpcException, match="ask for its history"):
        await editor.execute("pollard.report", {"uri": buffer.uri, "record": "999999"})
