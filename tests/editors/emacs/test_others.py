"""Other failures in Emacs: they are announced, listed and reduced; a changed failure is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.emacs.terminal import Emacs
from tests.editors.support.workspaces import failures_scene

pytestmark = pytest.mark.editors


def _reduce(emacs: Emacs, file: Path) -> None:
    emacs.open(file)
    emacs.command("pollard-reduce")
    emacs.answer("Pollard asks", "Always in this workspace")
    emacs.until_state(file, "done")


def test_another_failure_is_chosen_and_reduced(emacs: Emacs, tmp_path: Path) -> None:
    """The end of the first reduction says how many there are, and how to get at them."""
    scene = failures_scene(tmp_path / "scene")
    _reduce(emacs, scene.file)
    announced = "2 other failures seen (M-x pollard-reduce-other)"
    emacs.until(lambda: announced in emacs.messages(), "the message at the end")
    assert emacs.text("case.txt") == "line 10 needle\n"
    emacs.command("pollard-reduce-other")
    emacs.answer("Reduce which failure?", "KeyError")
    emacs.until(lambda: emacs.text("case.txt") == "line 7 nettle\n", "the other failure")
    emacs.until_state(scene.file, "done")
    emacs.command("pollard-restore")
    emacs.until(lambda: emacs.text("case.txt").encode() == scene.text, "the original")


def test_without_other_failures_it_says_so(emacs: Emacs, tmp_path: Path) -> None:
    scene = failures_scene(tmp_path / "scene", {10: "needle"})
    _reduce(emacs, scene.file)
    emacs.command("pollard-reduce-other")
    wanted = "No reduction of this buffer has seen another failure"
    emacs.until(lambda: wanted in emacs.messages(), "the refusal")


def test_a_changed_failure_is_in_the_mode_line_and_in_a_message(
    emacs: Emacs, tmp_path: Path
) -> None:
    scene = failures_scene(tmp_path / "scene", {1: "thorn", 10: "needle"})
    with (scene.folder / "pollard.toml").open("a") as toml:
        toml.write('same_failure = "off"\n')
    _reduce(emacs, scene.file)
    assert "the failure has changed]" in emacs.ask('(observe-mode-line "case.txt")')
    assert "The failure has changed: was ValueError" in emacs.messages()
