"""Neovim 0.11 and Debian's 0.7 without the plugin, configured as the documentation says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.nvim.scenes import LINES, needle_scene
from tests.editors.nvim.snippets import snippet
from tests.editors.support.workspaces import corpus_scene

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.editors.nvim.conftest import Open
    from tests.editors.nvim.driver import Neovim
    from tests.editors.support.workspaces import Scene

pytestmark = pytest.mark.editors

_RECORD_REPORTS = """
_G.reports = {}
vim.lsp.handlers['pollard/progress'] = function(_, params)
  table.insert(_G.reports, params)
end
"""
_ROUND_TRIP = """
vim.lsp.buf_request_sync(
  0, 'workspace/executeCommand', { command = 'pollard.status', arguments = {} }, 10000)
"""
KEYS = "".join(chr(ord("a") + number % 26) for number in range(100))


@pytest.fixture
def open_old(start: Open, old_nvim_program: str) -> Callable[[Scene], Neovim]:
    """Open the file of a scene in Neovim 0.7, and wait for the server."""

    def open_one(scene: Scene) -> Neovim:
        init = _RECORD_REPORTS + snippet("Neovim 0.7")
        editor = start(str(scene.file), init=init, program=old_nvim_program)
        attached = "return #vim.tbl_values(vim.lsp.buf_get_clients(0)) == 1"
        editor.wait(lambda: editor.lua(attached), "the server to be attached")
        return editor

    return open_one


def test_without_the_plugin_the_code_action_reduces(tmp_path: Path, open_scene: Open) -> None:
    """Neovim 0.11 with the configuration of the documentation."""
    scene = needle_scene(tmp_path / "work", seconds=0)
    expected = scene.by_command_line()
    editor = open_scene(scene, init=_RECORD_REPORTS + snippet("Neovim 0.11"))
    editor.keys("gra")
    editor.choose("Reduce file")
    editor.choose("Run once")
    editor.wait_for_state("done")
    assert editor.written() == expected


def test_the_old_version_gives_the_result_of_the_command_line(
    tmp_path: Path, open_old: Callable[[Scene], Neovim]
) -> None:
    """A real failing input in Neovim 0.7, by the code action and real keys."""
    scene = corpus_scene(tmp_path / "work", "Python")
    expected = scene.by_command_line()
    editor = open_old(scene)
    editor.keys("gra")
    editor.choose("Reduce file")
    editor.choose("Run once")
    editor.wait_for_state("done")
    assert editor.written() == expected.removesuffix(b"\n") + b"\n"


def test_the_old_version_reduces_a_selection(
    tmp_path: Path, open_old: Callable[[Scene], Neovim]
) -> None:
    """The lines before it stay as they are."""
    scene = needle_scene(tmp_path / "work", seconds=0)
    editor = open_old(scene)
    editor.keys("41GVGgra")
    editor.choose("Reduce selection")
    editor.choose("Run once")
    editor.wait_for_state("done")
    result = editor.written().splitlines(keepends=True)
    assert result[:40] == scene.text.splitlines(keepends=True)[:40]
    assert len(result) == 41


def test_the_old_version_loses_no_key(
    tmp_path: Path, own_cache: None, open_old: Callable[[Scene], Neovim]
) -> None:
    """Of a hundred at full speed; the reduction pauses, and a code action can stop it."""
    editor = open_old(needle_scene(tmp_path / "work"))
    editor.keys("G")
    editor.keys("gra")
    editor.choose("Reduce file")
    editor.choose("Run once")
    editor.wait_to_shrink(LINES)
    editor.keys("Go")
    for key in KEYS:
        editor.keys(key)
    editor.wait(lambda: KEYS in editor.text, "all 100 keys in the buffer")
    editor.wait_for_state("paused")
    editor.lua(_ROUND_TRIP)  # by now the question was left unanswered, because of Insert mode
    editor.keys("<Esc>gra")
    editor.choose("Stop reduction")
    editor.wait_for_state("stopped")
    assert KEYS in editor.text


def test_in_the_old_version_the_plugin_does_nothing(
    tmp_path: Path, start: Open, old_nvim_program: str
) -> None:
    """No command, no message."""
    plugin = Path(__file__).parents[3] / "editors" / "nvim"
    init = f"vim.opt.runtimepath:prepend('{plugin}')"
    editor = start(init=init, program=old_nvim_program)
    assert editor.evaluate("exists(':Pollard')") == 0
    assert editor.evaluate("execute('messages')").strip() == ""
