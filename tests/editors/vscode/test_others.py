"""Failures of another kind are announced, listed and reduced; a changed failure is not hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.support.workspaces import failures_scene
from tests.editors.vscode.conftest import Opener
from tests.editors.vscode.steps import reduce_file, wait_done
from tests.editors.vscode.waiting import wait_for

pytestmark = pytest.mark.editors

SEEN = "2 other failures seen"
COMMAND = "Reduce Another Failure…"


def test_another_failure_is_chosen_and_reduced(open_window: Opener, tmp_path: Path) -> None:
    """By the button of the message at the end; the palette then lists what is left."""
    scene = failures_scene(tmp_path / "failures")
    window = open_window(scene.file)
    reduce_file(window)
    wait_done(window)
    assert window.text == "line 10 needle\n"
    window.notifications.press(SEEN, COMMAND)
    window.input.wait("Reduce another failure of case.txt")
    assert any("NameError, raised in load" in row for row in window.input.rows())
    window.input.pick("KeyError, raised in load")
    window.notifications.press("May Pollard run this command", "Run once")
    wait_for(
        "the other failure", lambda: window.text == "line 7 nettle\n", seen=lambda: window.text
    )
    wait_done(window)
    assert COMMAND in window.pollard_commands()
    window.pollard("Restore Original")
    wait_for("the original", lambda: window.text.encode() == scene.text)


def test_a_changed_failure_is_in_the_status_bar_and_in_a_message(
    open_window: Opener, tmp_path: Path
) -> None:
    scene = failures_scene(tmp_path / "failures", {1: "thorn", 10: "needle"})
    with (scene.folder / "pollard.toml").open("a") as toml:
        toml.write('same_failure = "off"\n')
    window = open_window(scene.file)
    reduce_file(window)
    window.status.wait("the failure has changed", "warning")
    window.notifications.wait("The failure has changed: was ValueError")
