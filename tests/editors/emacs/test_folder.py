"""`pollard-reduce-folder`: the result is in a new folder, which Dired shows; no buffer changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.emacs.terminal import Emacs
from tests.editors.support.folders import SMALL, contents, folder_scene

pytestmark = pytest.mark.editors


def test_a_folder_is_reduced_and_its_result_is_shown(emacs: Emacs, tmp_path: Path) -> None:
    scene = folder_scene(tmp_path / "work")
    root = scene.file.parent
    before = contents(root)
    emacs.open(scene.file)
    text = emacs.text("case.txt")
    emacs.command("pollard-reduce-folder")
    emacs.answer("Reduce folder:", "")
    emacs.answer("Pollard asks", "Always in this workspace")
    small = root.with_name("project.reduced")
    shown = f'(and (get-buffer-window "{small.name}") t)'
    emacs.until(lambda: emacs.ask(shown), "the result in Dired")
    assert contents(small) == SMALL
    assert contents(root) == before
    assert emacs.text("case.txt") == text
    assert emacs.ask('(buffer-modified-p (get-buffer "case.txt"))') is None


def test_the_history_of_a_folder_shows_the_files_of_a_step(emacs: Emacs, tmp_path: Path) -> None:
    scene = folder_scene(tmp_path / "work")
    root = scene.file.parent
    emacs.open(scene.file)
    emacs.command("pollard-reduce-folder")
    emacs.answer("Reduce folder:", "")
    emacs.answer("Pollard asks", "Always in this workspace")
    shown = '(and (get-buffer-window "project.reduced") t)'
    emacs.until(lambda: emacs.ask(shown), "the result in Dired")
    emacs.open(scene.file)
    emacs.command("pollard-folder-history")
    emacs.answer("History of folder:", "")
    emacs.answer("Text:", "the original")
    emacs.until(lambda: "/shown/" in str(emacs.ask("default-directory")), "the files in Dired")
    assert contents(Path(emacs.ask("(expand-file-name default-directory)"))) == contents(root)
    emacs.open(scene.file)
    emacs.command("pollard-reduce-other-of-folder")
    emacs.answer("Reduce another failure of folder:", "")
    wanted = "No reduction of this folder has seen another failure"
    emacs.until(lambda: wanted in emacs.messages(), "the refusal")
