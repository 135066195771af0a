"""`:Pollard other`: the failures of another kind, and a failure that has changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.nvim.scenes import needle_scene
from tests.editors.support.workspaces import failures_scene

if TYPE_CHECKING:
    from tests.editors.nvim.conftest import Open
    from tests.editors.nvim.driver import Neovim

pytestmark = pytest.mark.editors


def _reduced(editor: Neovim, *, consent: str = "Always in this workspace") -> None:
    editor.command("Pollard reduce")
    editor.choose(consent)
    editor.wait_for_state("done")


@pytest.mark.parametrize("way", ["command", "code action"])
def test_another_failure_is_chosen_and_reduced(tmp_path: Path, open_scene: Open, way: str) -> None:
    """The end of the first reduction says how many there are, and how to get at them."""
    scene = failures_scene(tmp_path / "work")
    editor = open_scene(scene)
    _reduced(editor)
    assert editor.text == "line 10 needle"
    editor.wait_to_see("case.txt: 2 other failures seen; :Pollard other reduces one")
    editor.clear_reports()
    if way == "command":
        editor.command("Pollard other")
    else:
        editor.keys("gra")
        editor.choose("Reduce another failure")
    editor.choose("KeyError, raised in load")
    editor.wait_for_state("done")
    assert editor.text == "line 7 nettle"
    editor.command("Pollard restore")
    editor.wait(lambda: editor.text.encode() + b"\n" == scene.text, "the original")


def test_without_other_failures_there_is_nothing_to_choose(
    tmp_path: Path, open_scene: Open
) -> None:
    editor = open_scene(needle_scene(tmp_path / "work", seconds=0))
    _reduced(editor)
    editor.command("Pollard other")
    editor.wait_to_see("no reduction of this file has seen another failure")
    assert not editor.sees("other failures seen")


def test_a_changed_failure_is_in_the_status_line_and_in_a_message(
    tmp_path: Path, open_scene: Open
) -> None:
    scene = failures_scene(tmp_path / "work", {1: "thorn", 10: "needle"})
    with (scene.folder / "pollard.toml").open("a") as toml:
        toml.write('same_failure = "off"\n')
    editor = open_scene(scene)
    _reduced(editor)
    editor.wait_to_see("the failure has changed]")
    editor.wait_to_see("The failure has changed: was ValueError")
