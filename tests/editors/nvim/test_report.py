"""`:Pollard report` opens a page about the reduction in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest

from tests.editors.nvim.scenes import needle_scene

if TYPE_CHECKING:
    from tests.editors.nvim.conftest import Open

pytestmark = pytest.mark.editors

_NO_BROWSER = "vim.ui.open = function(address) vim.g.opened = address end"


@pytest.mark.parametrize("way", ["command", "code action"])
def test_the_page_is_opened_in_the_browser(tmp_path: Path, open_scene: Open, way: str) -> None:
    editor = open_scene(needle_scene(tmp_path / "work", seconds=0))
    editor.lua(_NO_BROWSER)
    editor.command("Pollard reduce")
    editor.choose("Run once")
    editor.wait_for_state("done")
    if way == "command":
        editor.command("Pollard report")
    else:
        editor.keys("gra")
        editor.choose("Open report")
    editor.wait(lambda: editor.evaluate("exists('g:opened')") == 1, "a browser")
    page = Path(unquote(urlsplit(editor.evaluate("g:opened")).path)).read_text()
    assert "<h1>case.txt</h1>" in page
    assert "needle" in page


def test_without_a_reduction_it_says_so(tmp_path: Path, open_scene: Open) -> None:
    editor = open_scene(needle_scene(tmp_path / "work", seconds=0))
    editor.command("Pollard report")
    editor.wait_to_see("No reduction of case.txt has accepted a text")
