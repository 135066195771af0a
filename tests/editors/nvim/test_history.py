"""`:Pollard history`: the list of texts, the diff, and restoring a text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.nvim.scenes import LINES, needle_scene

if TYPE_CHECKING:
    from tests.editors.nvim.conftest import Open
    from tests.editors.nvim.driver import Neovim

pytestmark = pytest.mark.editors

_WINDOWS = """
  return vim.tbl_map(function(window)
    local buf = vim.api.nvim_win_get_buf(window)
    return {
      vim.fs.basename(vim.api.nvim_buf_get_name(buf)),
      vim.api.nvim_buf_line_count(buf),
      vim.wo[window].diff,
      vim.bo[buf].filetype,
      vim.bo[buf].modifiable,
    }
  end, vim.api.nvim_tabpage_list_wins(0))
"""


def _history(tmp_path: Path, open_scene: Open, end: str = "\n") -> Neovim:
    """Reduce a file, and open the diff of its original."""
    editor = open_scene(needle_scene(tmp_path / "work", seconds=0, end=end))
    editor.command("Pollard reduce")
    editor.choose("Run once")
    editor.wait_for_state("done")
    editor.command("Pollard history")
    editor.choose("the original")
    editor.wait(lambda: editor.evaluate("tabpagenr('$')") == 2, "a tab with the diff")
    return editor


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_original_is_shown_beside_the_file(tmp_path: Path, open_scene: Open, end: str) -> None:
    """As a diff; `q` closes it and leaves the file as it is."""
    editor = _history(tmp_path, open_scene, end)
    left, right = editor.lua(_WINDOWS)
    assert left == ["0", LINES, True, "text", False]
    assert right == ["case.txt", 2, True, "text", True]
    assert "\r" not in editor.text
    editor.wait_to_see("R restores this, q closes")
    editor.keys("q")
    editor.wait(lambda: editor.evaluate("tabpagenr('$')") == 1, "the tab to be closed")
    assert editor.evaluate("line('$')") == 2
    assert not editor.evaluate("&diff")


@pytest.mark.parametrize("keys", ["R", ":PollardRestore<CR>"])
def test_the_text_that_is_shown_can_be_restored(
    tmp_path: Path, open_scene: Open, keys: str
) -> None:
    """By key and by command; that closes the diff."""
    editor = _history(tmp_path, open_scene)
    editor.keys(keys)
    editor.wait_to_see("is restored")
    assert editor.evaluate("tabpagenr('$')") == 1
    assert editor.evaluate("line('$')") == LINES


def test_earlier_reductions_and_their_steps_can_be_chosen(tmp_path: Path, open_scene: Open) -> None:
    """The newest reduction comes first; a step in the middle of an older one comes back."""
    editor = _history(tmp_path, open_scene)
    editor.keys("R")
    editor.wait_to_see("is restored")
    editor.clear_reports()
    editor.command("1,30Pollard reduce")
    editor.choose("Run once")
    editor.wait_for_state("done")
    editor.command("Pollard history")
    editor.wait_to_see("1: 20")
    newest, older = [line for line in editor.screen.lines if "needle · finished" in line]
    assert " 14 B ←" in older
    assert " 14 B ←" not in newest
    editor.choose(older.partition(": ")[2])
    editor.choose(", step 10 of")
    editor.wait(lambda: editor.evaluate("tabpagenr('$')") == 2, "a tab with the diff")
    lines = editor.evaluate("line('$')")
    assert 2 < lines < LINES
    editor.keys("R")
    editor.wait(lambda: editor.evaluate("line('$')") == lines, "the step to be restored")
    assert editor.evaluate("expand('%:t')") == "case.txt"


def test_a_file_without_history_says_so(tmp_path: Path, open_scene: Open) -> None:
    """In one line."""
    editor = open_scene(needle_scene(tmp_path / "work"))
    editor.command("Pollard history")
    editor.wait_to_see("has not been reduced yet")
