"""`:Pollard folder`: the result is in a new folder, which opens in a tab; no buffer changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.support.folders import SMALL, contents, folder_scene

if TYPE_CHECKING:
    from tests.editors.nvim.conftest import Open

pytestmark = pytest.mark.editors


@pytest.mark.parametrize("words", ["Pollard folder", "Pollard folder .."])
def test_a_folder_is_reduced_and_its_result_opens(
    tmp_path: Path, open_scene: Open, words: str
) -> None:
    """Without a word it is the folder of the file; a relative one is below the current folder."""
    scene = folder_scene(tmp_path / "work")
    root = scene.file.parent
    editor = open_scene(scene)
    editor.command(f"cd {root / 'lib'}")
    before, text = contents(root), editor.text
    editor.command(words)
    editor.choose("Always in this workspace")
    editor.wait_for_state("done")
    small = root.with_name("project.reduced")
    assert contents(small) == SMALL
    assert contents(root) == before
    editor.wait(lambda: editor.evaluate("tabpagenr('$')") == 2, "a tab with the result")
    assert editor.evaluate("expand('%:p')").rstrip("/") == str(small)
    editor.command("tabfirst")
    assert editor.text == text
    assert editor.evaluate("&modified") == 0
    assert len(editor.evaluate("getbufinfo({'buflisted': 1})")) <= 2


def test_the_history_of_a_folder_shows_the_files_of_a_step(
    tmp_path: Path, open_scene: Open
) -> None:
    scene = folder_scene(tmp_path / "work")
    root = scene.file.parent
    editor = open_scene(scene)
    editor.command(f"Pollard history {root}")
    editor.wait_to_see("this folder has not been reduced yet")
    editor.command("Pollard folder")
    editor.choose("Always in this workspace")
    editor.wait_for_state("done")
    editor.wait(lambda: editor.evaluate("tabpagenr('$')") == 2, "a tab with the result")
    editor.command(f"Pollard history {root}")
    editor.choose("the original")
    editor.wait(lambda: editor.evaluate("tabpagenr('$')") == 3, "a tab with the files")
    shown = Path(editor.evaluate("expand('%:p')"))
    assert contents(shown) == contents(root)
    assert shown.parent != root.parent
    editor.command(f"Pollard other {root}")
    editor.wait_to_see("no reduction of this folder has seen another failure")


def test_stopping_from_a_buffer_ends_the_reduction_of_the_folder(
    tmp_path: Path, open_scene: Open
) -> None:
    scene = folder_scene(tmp_path / "work")
    (scene.folder / "oracle.sh").write_text("sleep 0.3; grep -q needle $1\n")
    editor = open_scene(scene)
    editor.command("Pollard folder")
    editor.choose("Always in this workspace")
    editor.wait(lambda: editor.state == "reducing", "the search")
    editor.command("Pollard stop")
    editor.wait_for_state("stopped")


def test_a_folder_without_a_main_file_for_its_oracle_is_one_message(
    tmp_path: Path, open_scene: Open
) -> None:
    scene = folder_scene(tmp_path / "work")
    editor = open_scene(scene)
    editor.command(f"Pollard folder {scene.file.parent / 'lib'}")
    editor.choose("Always in this workspace")
    editor.wait_to_see("runs on one file of lib/")
