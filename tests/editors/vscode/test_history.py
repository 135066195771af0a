"""Every text of a reduction can be viewed and restored."""

from __future__ import annotations

import pytest

from pollard.quantities import format_size
from tests.editors.vscode.pictures import Pictures
from tests.editors.vscode.scenes import KEPT, Watched
from tests.editors.vscode.steps import is_reduced, reduce_file, reduce_until_held, wait_done
from tests.editors.vscode.waiting import wait_for
from tests.editors.vscode.workbench import Window

pytestmark = pytest.mark.editors


def test_restore_original_brings_back_every_byte(window: Window, scene: Watched) -> None:
    reduce_file(window)
    wait_done(window)
    assert is_reduced(window.text)
    window.pollard("Restore Original")
    wait_for("the original", lambda: window.text == scene.text)
    window.focus()
    assert window.save() == scene.text.encode()


def test_restore_original_stops_a_reduction_that_runs(window: Window, scene: Watched) -> None:
    reduce_until_held(window, scene)
    window.status.click().pick("Restore")
    wait_for("the original", lambda: window.text == scene.text)
    scene.release()
    wait_for("the progress to go", lambda: not window.notifications.has("Reducing"))
    assert window.text == scene.text


def test_history_shows_a_step_against_the_original_and_restores_it(
    window: Window, scene: Watched, pictures: Pictures
) -> None:
    """From the list of reductions to a list of steps, to a diff, to the restored text."""
    reduce_file(window)
    wait_done(window)
    steps = _open_steps(window)
    assert len(steps) >= 3, steps
    pictures.take(window.page, "history-steps")
    window.input.pick(steps[1])
    diff = wait_for("the diff", lambda: _diff(window), seen=lambda: window.probe.ask("tabs"))
    shown = window.probe.text(diff["modified"])
    assert window.probe.text(diff["original"]) == scene.text
    assert format_size(len(shown)) == steps[1]
    assert all(word in shown for word in KEPT)
    assert _language(window, diff["modified"]) == _language(window, diff["original"]) == "python"
    wait_for(
        "the differences to be drawn",
        lambda: window.page.locator(".monaco-diff-editor .line-delete").count(),
    )
    pictures.take(window.page, "history")
    window.page.locator('.editor-actions [aria-label*="Restore this"]').first.click()
    wait_for("the text of the step", lambda: window.text == shown, seen=lambda: window.text)


def test_a_step_can_be_restored_from_the_list(window: Window, scene: Watched) -> None:
    """Each step in the list has a button that restores it without a diff."""
    reduce_file(window)
    wait_done(window)
    reduced = window.text
    steps = _open_steps(window)
    row = window.page.locator(".quick-input-list .monaco-list-row").nth(1)
    row.hover()
    row.locator('[aria-label*="Restore this"]').click()
    wait_for("another text", lambda: window.text != reduced, seen=window.notifications.history)
    assert format_size(len(window.text)) == steps[1]
    assert all(word in window.text for word in KEPT)


def _open_steps(window: Window) -> list[str]:
    """Show the steps of the newest reduction of the file; return their labels."""
    window.pollard("Show Reduction History")
    window.input.wait("Reductions of")
    window.input.pick("→")
    window.input.wait("→")
    assert "$(" not in window.input.title, "the name of an icon is shown"
    return wait_for("the steps", window.input.rows)


def _diff(window: Window) -> dict[str, str] | None:
    tabs = window.probe.ask("tabs")
    return next((tab for tab in tabs if tab["modified"] and tab["active"]), None)


def _language(window: Window, uri: str) -> str:
    return str(window.probe.ask("document", uri=uri)["language"])
