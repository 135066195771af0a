"""No keystroke of the user is ever lost or overwritten without consent."""

from __future__ import annotations

import asyncio

import pytest

from tests.server.e2e import documents
from tests.server.e2e.scenes import all_ended, asked, held
from tests.server.editor import (
    KEEP_MINE,
    KEEP_REDUCING,
    RESTORE,
    TEMPERAMENTS,
    VSCODE,
    Editor,
    Temperament,
    Treatment,
    Workspace,
)
from tests.server.editor.answers import FOREIGN

pytestmark = pytest.mark.asyncio(loop_scope="session")

every_temperament = pytest.mark.parametrize("temperament", TEMPERAMENTS, ids=lambda it: it.name)
KEYS = "typed by me needle "


class Region:
    """A document whose lines 10 to 30 are being reduced, with the oracle held half-way."""

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self.original = documents.lines()
        self.start = self.original.index("line 10 ")
        self.tail = self.original[self.original.index("line 30 ") :]
        self.buffer = editor.open("case.txt", self.original)
        self.job = ""

    async def held(self) -> Region:
        end = len(self.original) - len(self.tail)
        where = self.editor.select(self.buffer, self.start, end)
        size = len(self.original.encode())
        self.job = await held(self.editor, self.buffer, where, below=size - 300)
        return self

    def place(self, name: str) -> int:
        """Return an offset before, inside or after the region."""
        inside = self.start + 1
        return {"before": 3, "inside": inside, "after": len(self.buffer.text) - 2}[name]


@pytest.mark.parametrize("place", ["before", "inside", "after"])
@every_temperament
async def test_typing_stops_the_streaming_and_asks(
    start, workspace: Workspace, temperament: Temperament, place: str
) -> None:
    """Inside the region or outside: after a keystroke no edit comes before the answer."""
    editor = await start(temperament=temperament)
    scene = await Region(editor).held()
    editor.type(scene.buffer, scene.place(place), KEYS)
    await asked(editor)
    assert editor.seen.questions[-1].titles == FOREIGN
    mine, edits = scene.buffer.text, editor.edits
    workspace.release()
    await editor.settled(scene.buffer)
    assert (scene.buffer.text, editor.edits) == (mine, edits)


@every_temperament
@pytest.mark.parametrize("place", ["before", "inside", "after"])
async def test_keep_reducing_continues_from_the_users_text(
    start, workspace: Workspace, temperament: Temperament, place: str
) -> None:
    """Text that was typed outside the region stays as it is."""
    editor = await start(temperament=temperament)
    scene = await Region(editor).held()
    at = scene.place(place)
    editor.type(scene.buffer, at, KEYS)
    mine = scene.buffer.text
    await asked(editor)
    workspace.release()
    editor.seen.questions[-1].reply(KEEP_REDUCING)
    await all_ended(editor)
    text = scene.buffer.text
    assert len(text) < len(mine)
    assert workspace.is_interesting(text)
    if place != "inside":
        assert KEYS in text
    head = mine[: scene.start + (len(KEYS) if place == "before" else 0)]
    assert text.startswith(head)
    assert text.endswith(scene.tail[-20:] if place != "after" else KEYS + scene.tail[-2:])


@every_temperament
async def test_stop_and_keep_mine_leaves_the_buffer_alone(
    start, workspace: Workspace, temperament: Temperament
) -> None:
    editor = await start(temperament=temperament)
    scene = await Region(editor).held()
    editor.type(scene.buffer, scene.place("inside"), KEYS)
    mine = scene.buffer.text
    await asked(editor)
    editor.seen.questions[-1].reply(KEEP_MINE)
    assert (await editor.ended(scene.job))["state"] == "stopped"
    await editor.settled(scene.buffer)
    assert scene.buffer.text == mine


@every_temperament
async def test_restore_original_brings_back_every_byte(
    start, workspace: Workspace, temperament: Temperament
) -> None:
    editor = await start(temperament=temperament)
    scene = await Region(editor).held()
    editor.type(scene.buffer, scene.place("inside"), KEYS)
    mine = scene.buffer.text
    await asked(editor)
    editor.seen.questions[-1].reply(RESTORE)
    await editor.until(lambda: scene.buffer.text == scene.original)
    assert (await editor.ended(scene.job))["state"] == "stopped"
    editor.undo(scene.buffer)
    assert scene.buffer.text == mine


async def test_the_original_can_be_restored_before_the_first_edit(
    editor: Editor, workspace: Workspace
) -> None:
    """The original is the text with which the reduction began, regardless of later changes."""
    buffer = editor.open("case.txt", original := documents.lines())
    workspace.hold(len(original) + 1)
    job = await editor.reduce(buffer)
    await editor.until(lambda: workspace.is_holding)
    editor.type(buffer, 0, KEYS)
    await asked(editor)
    editor.seen.questions[-1].reply(RESTORE)
    workspace.release()
    await editor.until(lambda: buffer.text == original)
    assert (await editor.ended(job))["state"] == "stopped"


async def test_text_typed_after_the_answer_is_not_overwritten(
    editor: Editor, workspace: Workspace
) -> None:
    """Only the text at the time of the answer may be replaced."""
    scene = await Region(editor).held()
    editor.type(scene.buffer, scene.place("inside"), KEYS)
    await asked(editor)
    editor.seen.questions[-1].reply(RESTORE)
    await asyncio.sleep(0.05)  # so that the answer goes out first
    editor.type(scene.buffer, 0, "my note ")
    await editor.ended(scene.job)
    await editor.until(lambda: any("restored" in message for message in editor.seen.messages))
    assert scene.buffer.text.startswith("my note ")


@pytest.mark.parametrize("command", ["pollard.stop", "pollard.resume"])
async def test_after_a_dismissed_question_the_commands_decide(
    editor: Editor, workspace: Workspace, command: str
) -> None:
    """Until then the reduction is paused, and the buffer stays as it is."""
    scene = await Region(editor).held()
    editor.type(scene.buffer, scene.place("before"), KEYS)
    mine = scene.buffer.text
    await asked(editor)
    workspace.release()
    editor.seen.questions[-1].reply(None)
    await editor.settled(scene.buffer)
    (status,) = (await editor.execute("pollard.status", {}))["reductions"]
    assert status["state"] == "paused"
    assert scene.buffer.text == mine
    await editor.execute(command, {"uri": scene.buffer.uri})
    await all_ended(editor)
    assert (scene.buffer.text == mine) == (command == "pollard.stop")
    assert KEYS in scene.buffer.text


async def test_the_best_so_far_stays_available_after_the_user_typed(
    editor: Editor, workspace: Workspace
) -> None:
    scene = await Region(editor).held()
    best = scene.buffer.text
    editor.type(scene.buffer, scene.place("inside"), KEYS)
    await asked(editor)
    editor.seen.questions[-1].reply(KEEP_MINE)
    await editor.ended(scene.job)
    records = (await editor.execute("pollard.history", {"uri": scene.buffer.uri}))["records"]
    numbers = [step["number"] for step in records[-1]["steps"]]
    texts = [
        await editor.execute("pollard.history", {"uri": scene.buffer.uri, "number": number})
        for number in numbers
    ]
    assert best in [found["text"] for found in texts]


@pytest.mark.parametrize("answer", [KEEP_REDUCING, RESTORE])
async def test_the_user_can_stop_while_the_question_is_open(
    editor: Editor, workspace: Workspace, answer: str
) -> None:
    """The question then only brings the original back; it cannot continue the reduction."""
    scene = await Region(editor).held()
    editor.type(scene.buffer, scene.place("inside"), KEYS)
    mine = scene.buffer.text
    await asked(editor)
    await editor.execute("pollard.stop", {"id": scene.job})
    assert (await editor.ended(scene.job))["state"] == "stopped"
    assert scene.buffer.text == mine
    editor.seen.questions[-1].reply(answer)
    if answer == RESTORE:
        await editor.until(lambda: scene.buffer.text == scene.original)
    await editor.settled(scene.buffer)
    assert scene.buffer.text == (scene.original if answer == RESTORE else mine)
    assert not (await editor.execute("pollard.status", {}))["reductions"]


async def test_typing_on_while_the_question_is_open_asks_no_second_one(
    editor: Editor, workspace: Workspace
) -> None:
    scene = await Region(editor).held()
    for key in ("a", "b", "c"):
        editor.type(scene.buffer, 3, f"<{key}>")
    await asked(editor)
    for key in ("d", "e", "f"):
        editor.type(scene.buffer, 3, f"<{key}>")
    await editor.settled(scene.buffer)
    assert [question.titles for question in editor.seen.questions].count(FOREIGN) == 1
    workspace.release()
    editor.seen.questions[-1].reply(KEEP_REDUCING)
    await all_ended(editor)
    assert all(f"<{key}>" in scene.buffer.text for key in "abcdef")


@every_temperament
async def test_an_undo_is_the_users_change_too(
    start, workspace: Workspace, temperament: Temperament
) -> None:
    editor = await start(temperament=temperament)
    scene = await Region(editor).held()
    editor.undo(scene.buffer)
    mine = scene.buffer.text
    await asked(editor)
    workspace.release()
    editor.seen.questions[-1].reply(KEEP_MINE)
    await editor.ended(scene.job)
    await editor.settled(scene.buffer)
    assert scene.buffer.text == mine


async def test_a_change_that_is_undone_at_once_still_counts_as_the_users(
    editor: Editor, workspace: Workspace
) -> None:
    """Regardless of the answer, the buffer ends with an interesting text."""
    scene = await Region(editor).held()
    editor.type(scene.buffer, 3, "x")
    editor.undo(scene.buffer)
    workspace.release()
    await editor.until(lambda: editor.seen.open_questions or editor.seen.end(scene.job))
    for question in editor.seen.open_questions:
        question.reply(KEEP_REDUCING)
    await all_ended(editor)
    assert workspace.is_interesting(scene.buffer.text)


@pytest.mark.parametrize("treatment", [Treatment.REFUSE, Treatment.FAIL], ids=["refuse", "error"])
async def test_a_refused_edit_is_treated_as_a_change_of_the_users(
    editor: Editor, workspace: Workspace, treatment: Treatment
) -> None:
    editor.treatment = lambda _: treatment
    buffer = editor.open("case.txt", original := documents.lines())
    job = await editor.reduce(buffer)
    await asked(editor)
    assert editor.seen.questions[-1].titles == FOREIGN
    assert editor.seen.of(job)[-1]["message"] == "paused: the editor refused an edit"
    edits = editor.edits
    await editor.settled(buffer)
    assert (buffer.text, editor.edits) == (original, edits)
    editor.seen.questions[-1].reply(KEEP_MINE)
    await editor.ended(job)
    assert buffer.text == original


async def test_an_edit_that_was_accepted_and_dropped_counts_as_lost(
    editor: Editor, workspace: Workspace
) -> None:
    """No edit follows; the server asks the user, and the original is still available."""
    editor.treatment = lambda _: Treatment.DROP
    buffer = editor.open("case.txt", original := documents.lines())
    job = await editor.reduce(buffer)
    await asked(editor)
    assert editor.seen.questions[-1].titles == FOREIGN
    assert (buffer.text, editor.edits) == (original, 1)
    editor.treatment = lambda _: Treatment.APPLY
    editor.seen.questions[-1].reply(KEEP_REDUCING)
    await all_ended(editor)
    assert len(buffer.text) < len(original)
    assert job


async def test_typing_in_another_document_does_not_matter(
    editor: Editor, workspace: Workspace
) -> None:
    buffer = editor.open("case.txt", documents.lines())
    other = editor.open("other.txt", "notes")
    job = await held(editor, buffer)
    editor.type(other, 5, " more")
    workspace.release()
    assert (await editor.ended(job))["state"] == "done"
    assert editor.seen.open_questions == []
    assert other.text == "notes more"


async def test_after_the_end_the_buffer_is_the_users_again(editor: Editor) -> None:
    buffer = editor.open("case.txt", documents.lines())
    await editor.reduced(buffer)
    questions = len(editor.seen.questions)
    editor.type(buffer, 0, KEYS)
    await editor.settled(buffer)
    assert len(editor.seen.questions) == questions
    assert buffer.text.startswith(KEYS)


@every_temperament
async def test_typing_at_full_speed_loses_nothing(
    start, workspace: Workspace, temperament: Temperament
) -> None:
    """The keystrokes come at arbitrary moments of the reduction."""
    editor = await start(temperament=temperament)
    editor.answers.foreign = KEEP_MINE
    buffer = editor.open("case.txt", documents.lines(80))
    job = await editor.reduce(buffer)
    await editor.until(lambda: buffer.from_server)
    for number in range(40):
        await editor.until(lambda: True)
        editor.type(buffer, len(buffer.text) * number // 40, f"<{number}>")
        await editor.execute("pollard.status", {})
    await editor.ended(job)
    await editor.settled(buffer)
    assert buffer.lost == []


async def test_a_change_after_keep_reducing_asks_again(start, workspace: Workspace) -> None:
    editor = await start(temperament=VSCODE)
    buffer = editor.open("case.txt", original := documents.lines())
    await held(editor, buffer, below=len(original) * 2 // 3)
    editor.type(buffer, 0, "once ")
    await asked(editor)
    editor.seen.questions[-1].reply(KEEP_REDUCING)
    before = len(buffer.from_server)
    workspace.hold(len(original) // 2)
    await editor.until(lambda: len(buffer.from_server) > before)
    editor.type(buffer, 0, "twice ")
    await asked(editor)
    editor.seen.questions[-1].reply(KEEP_MINE)
    workspace.release()
    await all_ended(editor)
    assert buffer.text.startswith("twice ")
