"""The user can stop and pause a reduction, and the best text so far stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.editors.vscode.pictures import Pictures
from tests.editors.vscode.scenes import Watched
from tests.editors.vscode.steps import (
    PAUSED,
    REDUCING,
    is_reduced,
    reduce_until_held,
    wait_done,
    wait_stopped,
)
from tests.editors.vscode.waiting import wait_for
from tests.editors.vscode.workbench import Window
from tests.examples import rarely

pytestmark = pytest.mark.editors


def _cancel(window: Window) -> None:
    window.notifications.press("Reducing", "Cancel")


def _command(window: Window) -> None:
    window.pollard("Stop")


def _keys(window: Window) -> None:
    window.focus()
    window.press("Control+k")
    window.press("Alt+s")


def _status_item(window: Window) -> None:
    window.status.click().pick("Stop")


def _context_menu(window: Window) -> None:
    window.focus()
    window.choose("Stop")


@pytest.mark.parametrize("stop", [_cancel, _keys, *rarely(_command, _status_item, _context_menu)])
def test_stop_keeps_the_best_so_far(
    window: Window, scene: Watched, pictures: Pictures, stop: Callable[[Window], None]
) -> None:
    """Every way to stop ends it even while a run hangs, and no edit follows."""
    best = reduce_until_held(window, scene)
    pictures.take(window.page, f"before{stop.__name__}")
    stop(window)
    wait_stopped(window)
    scene.release()
    runs = scene.runs
    wait_for("the progress to go", lambda: not window.notifications.has("Reducing"))
    assert window.text == best
    assert not is_reduced(best)
    assert scene.runs == runs, "the oracle ran on after it was stopped"


def test_pause_waits_and_resume_goes_on_to_the_end(
    window: Window, scene: Watched, pictures: Pictures
) -> None:
    best = reduce_until_held(window, scene)
    window.pollard("Pause/Resume")
    window.status.wait(" ← 5.0 kB", PAUSED)
    pictures.take(window.page, "paused")
    scene.release()
    runs = scene.runs
    assert window.text == best
    assert scene.runs == runs, "a run began while it was paused"
    window.pollard("Pause/Resume")
    wait_done(window)
    assert is_reduced(window.text)


def test_the_status_item_pauses_and_resumes(window: Window, scene: Watched) -> None:
    """Its list offers Pause for a running reduction, Resume for a paused one."""
    reduce_until_held(window, scene)
    window.status.click().wait_for_rows("Pause", without="Resume").pick("Pause")
    window.status.wait("←", PAUSED)
    window.status.click().wait_for_rows("Resume", without="Pause").pick("Resume")
    window.status.wait("←", REDUCING)
    scene.release()
    wait_done(window)
    assert is_reduced(window.text)


def test_a_stopped_reduction_can_be_continued(window: Window, scene: Watched) -> None:
    """It ends with the result of an uninterrupted reduction."""
    reduce_until_held(window, scene)
    window.pollard("Stop")
    wait_stopped(window)
    scene.release()
    window.focus()
    window.act("Continue the interrupted reduction")
    window.notifications.press("May Pollard run this command", "Run once")
    wait_done(window)
    assert window.text.encode() == scene.by_command_line()
