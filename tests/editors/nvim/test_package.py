"""The plugin as a package: how Neovim finds it, what it loads at startup, its help."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.nvim.scenes import needle_scene

if TYPE_CHECKING:
    from tests.editors.nvim.conftest import Open

pytestmark = pytest.mark.editors

_PLUGIN = Path(__file__).parents[3] / "editors" / "nvim"
_LOADED = """
  return vim.tbl_filter(function(name)
    return name:find('^pollard') ~= nil
  end, vim.tbl_keys(package.loaded))
"""


@pytest.mark.parametrize("where", ["start", "opt"])
def test_it_works_as_a_package(tmp_path: Path, start: Open, where: str) -> None:
    """In the folder that the documentation names, or added by `:packadd` to a running server."""
    scene = needle_scene(tmp_path / "work", seconds=0)
    shutil.copytree(_PLUGIN, tmp_path / "site/pack/pollard" / where / "pollard")
    init = f"""
      vim.opt.packpath:prepend('{tmp_path / "site"}')
      vim.lsp.config('pollard', {{ cmd = {{ 'pollard', 'serve' }} }})
      vim.lsp.enable('pollard')
    """
    editor = start(str(scene.file), init=init)
    editor.wait(lambda: editor.lua("return #vim.lsp.get_clients() == 1"), "the server")
    if where == "opt":
        editor.command("packadd pollard")
    editor.wait(lambda: editor.evaluate("exists(':Pollard')") == 2, "the command")
    editor.command("Pollard reduce")
    editor.choose("Run once")
    shown = "return require('pollard').status()"
    editor.wait(lambda: editor.lua(shown).startswith("done: 14 B"), "the end")


def test_nothing_is_loaded_at_the_start(tmp_path: Path, start: Open) -> None:
    """The command is defined, but no module is loaded."""
    editor = start(init=f"vim.opt.runtimepath:prepend('{_PLUGIN}')\nvim.lsp.enable('pollard')")
    assert editor.evaluate("exists(':Pollard')") == 2
    assert editor.lua(_LOADED) == []


def test_the_help_has_all_subcommands(tmp_path: Path, start: Open) -> None:
    """Neovim makes its tags without an error, and each subcommand has one."""
    copied = tmp_path / "plugin"
    shutil.copytree(_PLUGIN, copied)
    editor = start()
    editor.lua("vim.cmd.helptags(...)", str(copied / "doc"))
    tags = [line.split("\t")[0] for line in (copied / "doc/tags").read_text().splitlines()]
    subcommands = editor.lua("return vim.fn.getcompletion('Pollard ', 'cmdline')")
    assert {f":Pollard-{name}" for name in subcommands} <= set(tags)
