"""*Reduce Folder…* in the explorer: the result is in a new folder, and no editor changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.support.folders import SMALL, contents, folder_scene
from tests.editors.vscode.conftest import Opener
from tests.editors.vscode.pictures import Pictures
from tests.editors.vscode.steps import consent
from tests.editors.vscode.waiting import wait_for

pytestmark = pytest.mark.editors


def test_a_folder_of_the_explorer_is_reduced_and_its_result_is_shown(
    open_window: Opener, tmp_path: Path, pictures: Pictures
) -> None:
    scene = folder_scene(tmp_path / "work")
    root = scene.file.parent
    before = contents(root)
    window = open_window(scene.file, folder=scene.folder, own=True)
    text = window.text
    rows = window.page.locator(".explorer-folders-view .monaco-list-row")
    window.palette("View: Show Explorer")
    project = rows.filter(has_text="project").first
    wait_for("the folder in the explorer", project.is_visible, seen=rows.all_inner_texts)
    project.click()
    window.choose("Reduce Folder…", before=lambda: pictures.take(window.page, "folder"))
    consent(window)
    small = root.with_name("project.reduced")
    wait_for(
        "the result on disk",
        lambda: contents(small) == SMALL,
        seen=lambda: (contents(small), window.status.text, window.notifications.texts()),
    )
    assert contents(root) == before
    shown = rows.filter(has_text="project.reduced")
    wait_for("the result in the explorer", lambda: shown.count() > 0, seen=rows.all_inner_texts)
    assert window.text == text
