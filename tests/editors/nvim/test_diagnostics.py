"""*Reduce to this diagnostic* on a squiggle of a real language server: `ruff server`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.nvim.conftest import INIT
from tests.editors.support.workspaces import Scene

if TYPE_CHECKING:
    from tests.editors.nvim.conftest import Open

pytestmark = pytest.mark.editors

_SMALL_SERVER = Path(__file__).parents[2] / "core" / "executors" / "small_server.py"
_RUFF = Path(sys.executable).with_name("ruff")
#: The user has a language server that shows diagnostics, beside Pollard.
_INIT = f"""{INIT}
vim.lsp.config('ruff', {{
  cmd = {{ '{_RUFF}', 'server' }},
  filetypes = {{ 'python' }},
  root_markers = {{ 'ruff.toml' }},
}})
vim.lsp.enable('ruff')
"""
_TEXT = """\
import sys


def load(path):
    return undefined_thing(path)


print(load(sys.argv[1]))
"""
_SHOWN = "return vim.iter(vim.diagnostic.get(0)):any(function(d) return d.code == 'F821' end)"
#: The user has a language server of which Pollard knows nothing.
_UNKNOWN = f"""{INIT}
vim.lsp.config('small', {{
  cmd = {{ '{sys.executable}', '{_SMALL_SERVER}', 'MODE', 'LOG' }},
  filetypes = {{ 'text' }},
}})
vim.lsp.enable('small')
"""
_BY_A_LINTER = """
vim.diagnostic.set(vim.api.nvim_create_namespace('linter'), 0, {
  { lnum = 4, col = 11, message = 'Undefined name `x`', source = 'ruff', code = 'F821' },
  { lnum = 0, col = 7, message = '`sys` imported but unused', source = 'ruff', code = 'F401' },
})
"""


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """A project that has Ruff and its settings, and no settings of Pollard."""
    folder = tmp_path / "work"
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "ruff").symlink_to(_RUFF)
    (folder / "ruff.toml").write_text("")
    file = folder / "wrong.py"
    file.write_text(_TEXT)
    return Scene(folder, file, file.read_bytes())


def test_a_squiggle_shrinks_to_its_cause_in_three_interactions(
    scene: Scene, open_scene: Open
) -> None:
    """The action, the message, which could be edited, and the consent."""
    editor = open_scene(scene, init=_INIT)
    editor.wait(lambda: editor.lua(_SHOWN), "ruff's diagnostic")
    editor.keys("5Gwgra")
    editor.choose("Reduce to this diagnostic: Ruff F821")
    editor.accept("ruff:F821 Undefined name …")
    editor.choose("Run once")
    editor.wait_for_state("done")
    assert editor.text.isidentifier()
    editor.wait(lambda: editor.lua(_SHOWN), "ruff's diagnostic about what is left")
    editor.command("Pollard restore")
    editor.wait(lambda: editor.text + "\n" == _TEXT, "the original")


def test_diagnostics_of_a_linter_without_a_server_count_and_those_of_other_lines_do_not(
    scene: Scene, open_scene: Open
) -> None:
    editor = open_scene(scene)
    editor.lua(_BY_A_LINTER)
    editor.keys("5Gwgra")
    editor.choose("Reduce to this diagnostic: Ruff F821")
    editor.accept("ruff:F821 Undefined name …")
    editor.choose("Run once")
    editor.wait_for_state("done")
    assert editor.text.isidentifier()


@pytest.mark.parametrize("mode", ["push", "pull"])
def test_what_only_neovim_knows_is_asked_of_neovim(
    tmp_path: Path, open_scene: Open, mode: str
) -> None:
    """No command runs, nobody is asked, and no buffer is left."""
    file = tmp_path / "work" / "case.txt"
    file.parent.mkdir()
    file.write_text("some hay\nand a needle in it\nmore hay\n")
    scene = Scene(file.parent, file, file.read_bytes())
    editor = open_scene(
        scene, init=_UNKNOWN.replace("MODE", mode).replace("LOG", str(tmp_path / "log"))
    )
    editor.wait(lambda: editor.lua("return #vim.diagnostic.get(0) == 1"), "the diagnostic")
    editor.keys("2Ggra")
    editor.choose("Reduce to this diagnostic: small W1")
    editor.accept("editor:small(W1) the word needle")
    editor.wait_for_state("done")
    assert editor.text == "needle"
    assert editor.lua("return #vim.api.nvim_list_bufs()") == 1
    assert editor.lua("return #vim.lsp.get_clients()") == 2
    editor.command("Pollard log")
    editor.wait_to_see("Neovim itself checks each candidate")


def test_the_message_that_must_stay_can_be_edited_or_given_up(
    scene: Scene, open_scene: Open
) -> None:
    """The code alone is enough: without the message another name counts as well."""
    editor = open_scene(scene, init=_INIT)
    editor.wait(lambda: editor.lua(_SHOWN), "ruff's diagnostic")
    editor.keys("5Gwgra")
    editor.choose("Reduce to this diagnostic: Ruff F821")
    editor.wait(lambda: editor.mode["mode"] == "c", "the input")
    editor.keys("<Esc>")
    editor.keys("5Gwgra")
    editor.choose("Reduce to this diagnostic: Ruff F821")
    editor.keys("<C-u>ruff:F821<CR>")
    editor.wait(lambda: editor.sees('diagnostic = ["ruff:F821"]'), "the question")
    editor.choose("No")
    assert editor.text + "\n" == _TEXT
