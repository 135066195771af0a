"""An editor's buffer is Unicode, but oracles and records get the bytes of the file."""

from __future__ import annotations

import pytest

from tests.server.e2e import documents
from tests.server.editor import Workspace
from tests.server.editor.workspace import note

pytestmark = pytest.mark.asyncio(loop_scope="session")

# Three needles, and the byte of an é in Latin-1 that is none in UTF-8.
LATIN_1_ORACLE = f'{documents.NEEDLES} && LC_ALL=C grep -q "$(printf "\\\\351")" "$1"'
TEXT = documents.lines().replace("line 8", "liné 8")


async def opened(start, workspace: Workspace, codec: str, condition: str, text: str = TEXT):
    workspace.configure(workspace.oracle(condition))
    workspace.write("case.txt", TEXT.encode(codec))
    editor = await start()
    return editor, editor.open("case.txt", text)


async def test_the_oracle_gets_the_bytes_of_the_file(start, workspace: Workspace) -> None:
    editor, buffer = await opened(start, workspace, "latin-1", LATIN_1_ORACLE)
    end = await editor.reduced(buffer)
    assert end["state"] == "done", end["message"]
    assert "é" in buffer.text
    assert documents.needles(buffer.text) == 3
    assert len(buffer.text.splitlines()) == 4
    assert end["bytes"] == len(buffer.text.encode("latin-1"))
    assert end["originalBytes"] == len(TEXT.encode("latin-1"))
    runs = (workspace.outside / "runs").read_text().splitlines()
    assert note(TEXT.encode("latin-1")) in runs
    assert note(buffer.text.encode("latin-1")) in runs


async def test_the_original_comes_back_and_can_be_reduced_again(
    start, workspace: Workspace
) -> None:
    editor, buffer = await opened(start, workspace, "latin-1", LATIN_1_ORACLE)
    await editor.reduced(buffer)
    await editor.execute("pollard.restore", {"uri": buffer.uri})
    await editor.until(lambda: buffer.text == TEXT)
    assert (await editor.reduced(buffer))["state"] == "done"
    assert len(buffer.text.splitlines()) == 4


@pytest.mark.parametrize("codec", ["utf-16", "utf-8-sig"])
async def test_the_mark_that_editors_hide_stays(start, workspace: Workspace, codec: str) -> None:
    mark = "".encode(codec)
    octal = "".join(f"\\{byte:03o}" for byte in mark)
    condition = (
        f'[ "$(head -c {len(mark)} "$1" | od -An -tx1)" = "$(printf "{octal}" | od -An -tx1)" ]'
    )
    needed = 'LC_ALL=C tr -d "\\000" < "$1" | grep -q needle'
    editor, buffer = await opened(start, workspace, codec, f"{condition} && {needed}")
    end = await editor.reduced(buffer)
    assert end["state"] == "done", end["message"]
    assert len(buffer.text.splitlines()) == 1
    assert end["bytes"] == len(buffer.text.encode(codec))


async def test_a_character_that_the_encoding_lacks_is_named(start, workspace: Workspace) -> None:
    editor, buffer = await opened(start, workspace, "latin-1", LATIN_1_ORACLE)
    editor.type(buffer, len(buffer.text), "漢")
    end = await editor.reduced(buffer)
    assert end["state"] == "failed"
    assert "Line 41" in end["message"]
    assert "latin-1" in end["message"]
    assert buffer.text == TEXT + "漢"


@pytest.mark.parametrize("condition", [documents.NEEDLES, LATIN_1_ORACLE])
async def test_replacement_characters_are_explained(
    start, workspace: Workspace, condition: str
) -> None:
    """Also, and above all, where the failure needs the bytes that the editor does not show."""
    shown = TEXT.encode("latin-1").decode("utf-8", "replace")
    editor, buffer = await opened(start, workspace, "latin-1", condition, shown)
    end = await editor.reduced(buffer)
    assert end["state"] == ("done" if condition == documents.NEEDLES else "failed")
    assert any("U+FFFD" in message for message in editor.seen.messages)
    if end["state"] == "done":  # and the characters are gone
        before = len(editor.seen.messages)
        await editor.reduced(buffer)
        assert not any("U+FFFD" in message for message in editor.seen.messages[before:])
