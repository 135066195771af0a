"""`:Pollard configure`: from a file without settings to its reduction."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.core.oracle_setup.programs import FINE, HANGS
from tests.editors.support.workspaces import demo_scene

if TYPE_CHECKING:
    from tests.editors.nvim.conftest import Open
    from tests.editors.nvim.driver import Neovim

pytestmark = pytest.mark.editors

_SMALL = """
taken = {}
numbers = [1, 2, 3, 4]
for number in numbers:
    taken[number] = number
for number in taken:
    del taken[number]
"""


def _configure(editor: Neovim, command: str) -> None:
    editor.command("Pollard configure")
    editor.choose("It crashes")
    editor.wait_to_see("The command that shows it")
    editor.keys("<C-u>" + command.replace("<", "<LT>") + "<CR>")


def test_questions_lead_from_nothing_to_the_reduction(tmp_path: Path, open_scene: Open) -> None:
    """pollard.toml is written; one consent covers the trial and the first reduction."""
    scene = demo_scene(tmp_path / "work", configured=False)
    scene.file.write_text(_SMALL)
    editor = open_scene(scene)
    editor.command("Pollard configure")
    editor.choose("It crashes")
    editor.wait_to_see("python3 {file}")
    editor.keys(f"<C-u>{sys.executable} {{file}}<CR>")
    editor.choose("Run once")
    editor.choose("The same failure: RuntimeError")
    editor.choose("Reduce the file now")
    editor.wait_for_state("done")
    settings = (scene.folder / "pollard.toml").read_text()
    assert f'"{sys.executable} {{file}}"' in settings
    assert "dictionary changed size" in settings
    assert "1, 2, 3" not in editor.text
    assert editor.written() == editor.text.encode() + b"\n"


def test_unsaved_settings_are_not_overwritten(tmp_path: Path, open_scene: Open) -> None:
    """It stays as it is, and the user is told to save it first."""
    scene = demo_scene(tmp_path / "work", configured=False)
    scene.file.write_text(_SMALL)
    settings = scene.folder / "pollard.toml"
    settings.write_text("jobs = 1\n")
    editor = open_scene(scene)
    editor.command(f"split {settings}")
    editor.keys("Ojobs = 2<Esc>:wincmd p<CR>")
    _configure(editor, f"{sys.executable} {{file}}")
    editor.choose("Run once")
    editor.choose("The same failure: RuntimeError")
    editor.wait_to_see("Pollard: save ")
    assert settings.read_text() == "jobs = 1\n"


def test_nothing_is_run_or_written_without_consent(tmp_path: Path, open_scene: Open) -> None:
    """After *No* there are no settings, and the command has not run."""
    scene = demo_scene(tmp_path / "work", configured=False)
    editor = open_scene(scene)
    _configure(editor, f"touch {tmp_path / 'ran'} {{file}}")
    editor.choose("No")
    editor.wait_to_see("Pollard: ")
    assert not (tmp_path / "ran").exists()
    assert not (scene.folder / "pollard.toml").exists()


def test_a_preset_leads_to_the_reduction_of_what_hangs(tmp_path: Path, open_scene: Open) -> None:
    """Two questions, then the failure is shown before the settings are written."""
    scene = demo_scene(tmp_path / "work", configured=False)
    scene.file.write_bytes(HANGS)
    editor = open_scene(scene)
    editor.command("Pollard configure")
    editor.choose("It hangs")
    editor.wait_to_see("The command that shows it")
    editor.keys(f"<C-u>{sys.executable} {{file}}<CR>")
    editor.wait_to_see("After what time")
    editor.keys("<C-u>1s<CR>")
    editor.choose("Run once")
    editor.wait_to_see("keeps time limit exceeded")
    assert not (scene.folder / "pollard.toml").exists()
    editor.choose("It does not end within 1s")
    editor.choose("Reduce the file now")
    editor.wait_for_state("done")
    assert 'exceeds = "timeout"' in (scene.folder / "pollard.toml").read_text()
    assert "first" not in editor.text


def test_what_does_not_show_the_failure_is_told_and_nothing_written(
    tmp_path: Path, open_scene: Open
) -> None:
    scene = demo_scene(tmp_path / "work", configured=False)
    scene.file.write_bytes(FINE)
    editor = open_scene(scene)
    _configure(editor, f"{sys.executable} {{file}}")
    editor.choose("Run once")
    editor.wait_to_see("The file does not show it")
    assert not (scene.folder / "pollard.toml").exists()
