"""What a user can do during and after a reduction."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.emacs.terminal import Emacs
from tests.editors.support.workspaces import Scene, demo_scene

pytestmark = pytest.mark.editors

#: A hundred letters, because RET would also indent.
KEYS = "".join(chr(ord("a") + number % 26) for number in range(100))


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """The demo's script, whose reduction takes seconds."""
    return demo_scene(tmp_path / "scene")


def begin(emacs: Emacs, scene: Scene) -> None:
    """Reduce the file up to the first smaller text in the buffer."""
    emacs.open(scene.file)
    emacs.command("pollard-reduce")
    emacs.answer("Pollard asks", "Run once")
    emacs.wait('(cdr (append (observe-sizes "orders.py") nil))', "two smaller texts")
    assert emacs.state(scene.file.name) == "reducing"


def test_a_hundred_keys_at_full_speed_are_all_in_the_buffer(emacs: Emacs, scene: Scene) -> None:
    """Typing pauses the reduction; the question takes no key, and the typed text stays."""
    begin(emacs, scene)
    emacs.keys(f"\x1b<{KEYS}")
    emacs.until_state(scene.file, "paused")
    emacs.until(lambda: "Continue   Stop" in emacs.windows(), "the question")
    assert emacs.ask("(observe-prompt)") is None
    assert emacs.text("orders.py").startswith(KEYS)
    emacs.keys(KEYS)
    emacs.until(lambda: emacs.text("orders.py").startswith(KEYS + KEYS), "the keys after it")
    emacs.command("pollard-answer")
    emacs.answer("Pollard should", "Stop")
    emacs.until_state(scene.file, "stopped")
    assert emacs.text("orders.py").startswith(KEYS + KEYS)
    emacs.until(lambda: "Continue   Stop" not in emacs.windows(), "the question to go")


def test_keep_reducing_reduces_the_typed_text_too(emacs: Emacs, scene: Scene) -> None:
    """It continues from the buffer's present text; a click on the button is enough."""
    begin(emacs, scene)
    emacs.keys("\x1b<# typed meanwhile\r")
    emacs.until_state(scene.file, "paused")
    emacs.until(lambda: "Continue   Stop" in emacs.windows(), "the question")
    emacs.ask(
        '(with-current-buffer "*Pollard question*" (goto-char (point-min))'
        " (push-button (button-start (next-button (point)))) t)"
    )
    emacs.until_state(scene.file, "reducing")
    emacs.until(lambda: "typed meanwhile" not in emacs.text("orders.py"), "the comment to go")
    emacs.command("pollard-stop")
    emacs.until_state(scene.file, "stopped")


def test_the_original_can_be_restored_after_typing(emacs: Emacs, scene: Scene) -> None:
    """The third answer brings back the text from before the reduction."""
    begin(emacs, scene)
    emacs.keys("\x1b<# typed meanwhile")
    emacs.until_state(scene.file, "paused")
    emacs.until(lambda: "Continue   Stop" in emacs.windows(), "the question")
    emacs.command("pollard-answer")
    emacs.answer("Pollard should", "Restore")
    emacs.until(lambda: emacs.text("orders.py").encode() == scene.text, "the original")


def test_stop_keeps_the_best_and_restore_brings_back_every_byte(emacs: Emacs, scene: Scene) -> None:
    """After an early stop the buffer is smaller; after a restore it is the original."""
    begin(emacs, scene)
    emacs.command("pollard-stop")
    emacs.until_state(scene.file, "stopped")
    assert len(emacs.text("orders.py")) < len(scene.text)
    emacs.command("pollard-restore")
    emacs.until(lambda: emacs.text("orders.py").encode() == scene.text, "the original")
    emacs.keys("\x18\x13")
    emacs.wait('(not (buffer-modified-p (observe-buffer "orders.py")))', "the file to be saved")
    assert scene.file.read_bytes() == scene.text


def test_a_paused_reduction_gives_the_same_result(emacs: Emacs, scene: Scene) -> None:
    """After pause and resume it ends with the text of an undisturbed reduction."""
    expected = scene.by_command_line()
    emacs.open(scene.file)
    emacs.command("pollard-reduce")
    emacs.answer("Pollard asks", "Run once")
    emacs.wait('(observe-state "orders.py")', "the reduction to begin")
    emacs.command("pollard-pause")
    emacs.until_state(scene.file, "paused")
    assert "paused" in emacs.ask('(observe-mode-line "orders.py")')
    emacs.command("pollard-resume")
    emacs.until_state(scene.file, "done")
    assert emacs.saved(scene.file) == expected


def test_mode_line_shows_sizes_and_runs(emacs: Emacs, scene: Scene) -> None:
    """It shows them during the reduction and at the end, and is cleared after a while."""
    emacs.ask("(setq pollard-status-seconds 5)")
    begin(emacs, scene)
    mode_line = emacs.ask('(observe-mode-line "orders.py")')
    assert "← 3.9 kB · " in mode_line
    assert " runs" in mode_line
    details = emacs.ask("(get-text-property 0 'help-echo pollard-status)")
    assert "Pass: " in details
    emacs.until(lambda: "[done " in emacs.ask('(observe-mode-line "orders.py")'), "the end")
    what = "the mode line to be clear"
    emacs.until(lambda: "kB" not in emacs.ask('(observe-mode-line "orders.py")'), what)


def test_one_undo_brings_the_original_back(emacs: Emacs, scene: Scene) -> None:
    """All edits of a reduction are one undo step, even if the cursor moves during it."""
    begin(emacs, scene)
    emacs.keys("\x0e\x0e\x10")  # down, down, up
    emacs.until(lambda: len(emacs.ask('(observe-sizes "orders.py")')) >= 5, "five texts")
    emacs.keys("\x0e\x0e\x10")
    emacs.command("pollard-stop")
    emacs.until_state(scene.file, "stopped")
    emacs.command("undo")
    emacs.until(lambda: emacs.text("orders.py").encode() == scene.text, "the original")


@pytest.mark.usefixtures("known_verdicts")
def test_undo_leaves_typing_before_and_after_alone(emacs: Emacs, scene: Scene) -> None:
    """The user's own edits are undo steps of their own."""
    emacs.open(scene.file)
    emacs.keys("\x1b<# before\r")
    emacs.command("pollard-reduce")
    emacs.answer("Pollard asks", "Run once")
    emacs.until_state(scene.file, "done")
    small = emacs.text("orders.py")
    emacs.keys("\x1b># after")
    emacs.until(lambda: emacs.text("orders.py").endswith("# after"), "the typed text")
    emacs.command("undo")
    emacs.until(lambda: emacs.text("orders.py") == small, "the reduced text")
    emacs.command("undo")
    before = "# before\n" + scene.text.decode()
    emacs.until(lambda: emacs.text("orders.py") == before, "the original with what was typed")


def test_two_reductions_are_two_steps(emacs: Emacs, scene: Scene) -> None:
    """Undo after the second reduction brings back the result of the first."""
    begin(emacs, scene)
    emacs.command("pollard-stop")
    emacs.until_state(scene.file, "stopped")
    first = emacs.text("orders.py")
    emacs.command("pollard-reduce")
    emacs.answer("Pollard asks", "Run once")
    emacs.until(lambda: emacs.text("orders.py") != first, "a text of the second reduction")
    emacs.command("pollard-stop")
    emacs.until_state(scene.file, "stopped")
    emacs.command("undo")
    emacs.until(lambda: emacs.text("orders.py") == first, "the result of the first reduction")


def test_stopped_reduction_is_continued(emacs: Emacs, scene: Scene) -> None:
    """It ends with the result of the command line."""
    expected = scene.by_command_line()
    emacs.open(scene.file)
    emacs.command("pollard-reduce")
    emacs.answer("Pollard asks", "Run once")
    emacs.wait('(observe-sizes "orders.py")', "a smaller text")
    emacs.command("pollard-stop")
    emacs.wait('(member (observe-state "orders.py") \'("stopped" "done"))', "it to stop")
    assert emacs.state("orders.py") == "stopped"
    emacs.command("pollard-continue")
    emacs.answer("Pollard asks", "Run once")
    emacs.until_state(scene.file, "done")
    assert emacs.saved(scene.file) == expected


@pytest.mark.usefixtures("known_verdicts")
def test_history_shows_a_difference_and_restores_that_text(emacs: Emacs, scene: Scene) -> None:
    """An earlier text opens as a diff against the original; R restores it."""
    emacs.open(scene.file)
    emacs.command("pollard-reduce")
    emacs.answer("Pollard asks", "Run once")
    emacs.until_state(scene.file, "done")
    small = emacs.text("orders.py")
    emacs.command("pollard-history")
    emacs.until_prompt("Text")
    emacs.keys("1  \t\r")  # the first step, completed
    emacs.wait("(eq major-mode 'diff-mode)", "the diff")
    assert "restores this text" in emacs.ask("header-line-format")
    assert "\n-" in emacs.ask('(with-current-buffer "*Pollard history*" (buffer-string))')
    emacs.keys("R")
    text = emacs.until(
        lambda: emacs.text("orders.py") != small and emacs.text("orders.py"), "another text"
    )
    assert len(small) < len(str(text)) < len(scene.text)


@pytest.mark.usefixtures("known_verdicts")
def test_another_server_is_replaced_only_if_the_user_agrees(emacs: Emacs, scene: Scene) -> None:
    """Eglot gives a buffer one server, so Pollard asks first; No keeps the other server."""
    emacs.ask(
        "(setq eglot-server-programs `((python-mode . ,pollard-server-command)))"
    )  # plays the other server, since it has Eglot's ordinary class
    emacs.open(scene.file)
    emacs.command("eglot")
    emacs.wait("(eglot-managed-p)", "the other server")
    emacs.command("pollard-reduce")
    emacs.until_prompt("in place of this one")
    emacs.keys("n")
    emacs.until(lambda: "keeps its language server" in emacs.messages(), "the message")
    emacs.command("pollard-reduce")
    emacs.until_prompt("in place of this one")
    emacs.keys("y")
    emacs.answer("Pollard asks", "Run once")
    emacs.until_state(scene.file, "done")
