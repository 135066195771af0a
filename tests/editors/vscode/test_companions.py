"""The files beside a file that were reduced after it: a button compares them with their results."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator

from tests.editors.support.companions import PART, companions_scene
from tests.editors.vscode.conftest import Opener
from tests.editors.vscode.steps import reduce_file, wait_done
from tests.editors.vscode.waiting import wait_for

pytestmark = pytest.mark.editors


def test_the_differences_are_shown_and_no_file_changes(open_window: Opener, tmp_path: Path) -> None:
    scene = companions_scene(tmp_path / "work")
    window = open_window(scene.file)
    reduce_file(window)
    wait_done(window)
    assert window.text.strip() == "needle"
    window.notifications.press("beside it: a.part", "Compare Files")
    differences = window.page.locator(".multiDiffEntry")
    wait_for("the differences", lambda: differences.count() == 1, seen=differences.all_inner_texts)
    wait_for(
        "both texts",
        lambda: shown(differences).count("keep me") == 2 and "nor me" in shown(differences),
        seen=lambda: shown(differences),
    )
    assert (scene.folder / "a.part").read_text() == PART


def shown(differences: Locator) -> list[str]:
    """Return the lines in which editors of differences show texts."""
    return differences.inner_text().replace("\xa0", " ").splitlines()
