"""A user who types during a reduction loses no key, and decides how to go on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.nvim.scenes import LINES, needle_scene

if TYPE_CHECKING:
    from tests.editors.nvim.conftest import Open
    from tests.editors.nvim.driver import Neovim

pytestmark = [pytest.mark.editors, pytest.mark.usefixtures("own_cache")]

KEYS = "".join(chr(ord("a") + number % 26) for number in range(100))


def _reducing(tmp_path: Path, open_scene: Open) -> Neovim:
    editor = open_scene(needle_scene(tmp_path / "work"))
    editor.keys("G")
    editor.command("Pollard reduce")
    editor.choose("Run once")
    editor.wait_to_shrink(LINES)
    return editor


def _type(editor: Neovim) -> None:
    """Type 100 keys at full speed, each on its own, on a new last line."""
    editor.keys("Go")
    for key in KEYS:
        editor.keys(key)


def test_a_hundred_keys_at_full_speed_are_all_in_the_buffer(
    tmp_path: Path, open_scene: Open
) -> None:
    """The reduction pauses at the first key; the question waits for the end of Insert mode."""
    editor = _reducing(tmp_path, open_scene)
    _type(editor)
    editor.wait(lambda: KEYS in editor.text, "all 100 keys in the buffer")
    editor.wait_for_state("paused")
    assert editor.mode["mode"] == "i"
    editor.keys("<Esc>")
    editor.choose("Stop")
    editor.wait_for_state("stopped")
    assert KEYS in editor.text
    assert editor.text.count("needle") == 2


def test_keys_do_not_answer_a_question_that_comes_while_they_are_typed(
    tmp_path: Path, open_scene: Open
) -> None:
    """In Normal mode the question waits until no more keys come."""
    editor = _reducing(tmp_path, open_scene)
    editor.lua("require('pollard.quiet').quiet_ms = 3000")  # keys that are late are no silence
    editor.keys("Go" + KEYS + "<Esc>")
    for key in "0lllhhh" * 10:
        editor.keys(key)
    editor.choose("Continue")
    editor.wait_for_state("reducing")
    editor.wait_for_state("done")
    assert editor.text.count("needle") == 2


def test_typed_text_is_an_undo_step_of_its_own(tmp_path: Path, open_scene: Open) -> None:
    """The first undo removes only the typed text, the second one reverts the whole reduction."""
    editor = _reducing(tmp_path, open_scene)
    _type(editor)
    editor.keys("<Esc>")
    editor.choose("Stop")
    editor.wait_for_state("stopped")
    editor.keys("u")
    editor.wait(lambda: KEYS not in editor.text, "the keys to be undone")
    assert editor.evaluate("line('$')") < LINES
    editor.keys("u")
    editor.wait(lambda: editor.evaluate("line('$')") == LINES, "the reduction to be undone")


def test_restore_original_is_an_answer(tmp_path: Path, open_scene: Open) -> None:
    """It brings back the text from before the reduction."""
    editor = _reducing(tmp_path, open_scene)
    _type(editor)
    editor.keys("<Esc>")
    editor.choose("Restore")
    editor.wait_to_see("is restored")
    assert editor.evaluate("line('$')") == LINES
    assert KEYS not in editor.text
