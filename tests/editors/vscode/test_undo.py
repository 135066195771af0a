"""All edits of a reduction are one undo step, and the user's typing is never part of it."""

from __future__ import annotations

import pytest

from tests.editors.vscode.scenes import Watched
from tests.editors.vscode.steps import (
    DONE,
    PAUSED,
    is_reduced,
    reduce_file,
    reduce_until_held,
    wait_done,
    wait_stopped,
)
from tests.editors.vscode.waiting import wait_for
from tests.editors.vscode.workbench import Window

pytestmark = pytest.mark.editors

_MINE = "#mine"  # a space would begin another undo step


def test_undo_once_brings_the_original_back_and_redo_the_result(
    window: Window, scene: Watched
) -> None:
    """One undo reverts all edits, regardless of their number."""
    reduced = _reduce(window)
    assert len(set(window.probe.texts_seen(window.uri))) >= 3
    _undo(window, scene.text)
    _redo(window, reduced)
    _undo(window, scene.text)


def test_text_typed_after_a_reduction_is_an_undo_step_of_its_own(
    window: Window, scene: Watched
) -> None:
    reduced = _reduce(window)
    _type_at_the_end(window, _MINE)
    _undo(window, reduced)
    _undo(window, scene.text)


def test_text_typed_before_a_reduction_is_an_undo_step_of_its_own(
    window: Window, scene: Watched
) -> None:
    window.focus()
    _type_at_the_end(window, _MINE)
    assert window.text == scene.text + _MINE
    _reduce(window)
    _undo(window, scene.text + _MINE)
    _undo(window, scene.text)


def test_two_reductions_are_two_undo_steps_around_typed_text(
    window: Window, scene: Watched
) -> None:
    first = _reduce(window)
    _type_at_the_end(window, _MINE)
    reduce_file(window)
    window.status.wait(f"{len(first + _MINE)} B →", DONE)
    assert _MINE not in window.text
    window.focus()
    _undo(window, first + _MINE)
    _undo(window, first)
    _undo(window, scene.text)


def test_typing_into_a_stopped_reduction_is_an_undo_step_of_its_own(
    window: Window, scene: Watched
) -> None:
    """A stopped reduction ends its undo step just as a finished one does."""
    best = reduce_until_held(window, scene)
    window.pollard("Stop")
    wait_stopped(window)
    scene.release()
    window.focus()
    _type_at_the_end(window, _MINE)
    _undo(window, best)
    _undo(window, scene.text)


def test_typing_into_a_paused_reduction_is_an_undo_step_of_its_own(
    window: Window, scene: Watched
) -> None:
    best = reduce_until_held(window, scene)
    window.pollard("Pause/Resume")
    window.status.wait("←", PAUSED)
    window.focus()
    _type_at_the_end(window, _MINE)
    _undo(window, best)
    _undo(window, scene.text)


def test_restoring_the_original_can_be_undone(window: Window, scene: Watched) -> None:
    """Restoring is an undo step of its own; it does not undo the reduction."""
    reduced = _reduce(window)
    window.pollard("Restore Original")
    wait_for("the original", lambda: window.text == scene.text)
    window.focus()
    _undo(window, reduced)


def _reduce(window: Window) -> str:
    reduce_file(window)
    wait_done(window)
    window.focus()
    assert is_reduced(window.text)
    return window.text


def _type_at_the_end(window: Window, keys: str) -> None:
    before = window.text
    window.go_to_end()
    window.type(keys)
    wait_for("what was typed", lambda: window.text == before + keys, seen=lambda: window.text)


def _undo(window: Window, text: str) -> None:
    _turn(window, "Control+z", text)


def _redo(window: Window, text: str) -> None:
    _turn(window, "Control+y", text)


def _turn(window: Window, key: str, text: str) -> None:
    """Press the key once and see exactly this text, and no other in between."""
    count = len(window.probe.texts_seen(window.uri))
    window.press(key)
    wait_for(
        f"a change by {key}",
        lambda: len(window.probe.texts_seen(window.uri)) > count,
        seen=lambda: window.text,
    )
    assert window.text == text
