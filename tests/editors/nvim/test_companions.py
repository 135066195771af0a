"""The files beside a file that were reduced after it: each is compared with its result in a tab."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.support.companions import PART, companions_scene

if TYPE_CHECKING:
    from tests.editors.nvim.conftest import Open

pytestmark = pytest.mark.editors


def test_a_tab_shows_the_difference_and_no_file_changes(tmp_path: Path, open_scene: Open) -> None:
    """A file that is not needed has no result to compare with."""
    scene = companions_scene(tmp_path / "work")
    editor = open_scene(scene)
    editor.command("Pollard reduce")
    editor.choose("Always in this workspace")
    editor.wait_for_state("done")
    assert editor.text == "needle"
    editor.wait(lambda: editor.evaluate("tabpagenr('$')") == 2, "a tab with the difference")
    windows = "map(range(1, winnr('$')), 'getbufline(winbufnr(v:val), 1, \"$\")')"
    assert editor.evaluate(windows) == [PART.splitlines(), ["keep me"]]
    assert editor.evaluate("map(range(1, winnr('$')), 'getwinvar(v:val, \"&diff\")')") == [1, 1]
    assert (scene.folder / "a.part").read_text() == PART
