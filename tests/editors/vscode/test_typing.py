"""A user who types while the buffer shrinks loses no key, and decides how to go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.vscode.pictures import Pictures
from tests.editors.vscode.scenes import Watched, watched_scene
from tests.editors.vscode.steps import consent, is_reduced, wait_done, wait_smaller, wait_stopped
from tests.editors.vscode.waiting import wait_for
from tests.editors.vscode.workbench import Window

pytestmark = pytest.mark.editors

_KEYS = "".join(f"k{number:03}" for number in range(25))
_QUESTION = "reduction is paused"  # because of a change, or because an edit came too late


@pytest.fixture
def scene(tmp_path: Path) -> Watched:
    """A folder with slow runs, so that edits keep coming while a hundred keys are typed."""
    return watched_scene(tmp_path / "orders", seconds=0.1)


def test_keep_reducing_reduces_the_typed_text(window: Window, scene: Watched) -> None:
    _type_while_it_shrinks(window, scene)
    window.notifications.press(_QUESTION, "Continue")
    wait_done(window)
    assert is_reduced(window.text)
    texts = window.probe.texts_seen(window.uri)
    assert any(_KEYS in text for text in texts), "it did not go on from what was typed"


def test_stop_and_keep_mine_leaves_the_buffer_as_it_is(
    window: Window, scene: Watched, pictures: Pictures
) -> None:
    text = _type_while_it_shrinks(window, scene)
    pictures.take(window.page, "typed-meanwhile")
    window.notifications.press(_QUESTION, "Stop")
    wait_stopped(window)
    runs = scene.runs
    assert window.text == text
    assert scene.runs == runs, "the oracle ran on after the reduction was stopped"


def test_restore_original_brings_back_the_original_text(window: Window, scene: Watched) -> None:
    """The typed text is gone from the buffer, but kept in the history."""
    typed = _type_while_it_shrinks(window, scene)
    window.notifications.press(_QUESTION, "Restore")
    wait_for("the original", lambda: window.text == scene.text, seen=lambda: window.text)
    texts = window.probe.texts_seen(window.uri)
    assert texts[-2] == typed, "something else was written in between"


def test_typed_text_is_an_undo_step_of_its_own(window: Window, scene: Watched) -> None:
    """The first undo removes only the typed text, the second one reverts the whole reduction."""
    typed = _type_while_it_shrinks(window, scene)
    window.notifications.press(_QUESTION, "Stop")
    wait_stopped(window)
    window.focus()
    window.press("Control+z")
    shrunk = typed.replace(_KEYS, "")
    wait_for("the typing to be undone", lambda: window.text == shrunk, seen=lambda: window.text)
    window.press("Control+z")
    wait_for("the original", lambda: window.text == scene.text, seen=lambda: window.text)


def _type_while_it_shrinks(window: Window, scene: Watched) -> str:
    """Type a hundred keys at full speed from the first edit on; return what the buffer has then."""
    window.pollard("Reduce File")
    consent(window)
    wait_for(
        "the editor to have the keyboard again",
        lambda: window.page.locator(".editor-instance .monaco-editor.focused").count() > 0,
    )
    window.go_to_end()
    wait_smaller(window, scene.text)
    window.type(_KEYS)
    window.notifications.wait(_QUESTION)
    wait_for("every key", lambda: _KEYS in window.text, seen=lambda: window.text[-200:])
    window.probe.ask("delivered", uri=window.uri)
    text = window.text
    texts = window.probe.texts_seen(window.uri)
    assert text.replace(_KEYS, "") in texts, "typing changed something else"
    return text
