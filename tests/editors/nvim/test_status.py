"""Status lines, autocommands and `:checkhealth`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.nvim.conftest import INIT
from tests.editors.nvim.scenes import LINES, needle_scene

if TYPE_CHECKING:
    from tests.editors.nvim.conftest import Open

pytestmark = pytest.mark.editors

_STATUS = "return vim.api.nvim_eval_statusline(vim.o.statusline, {}).str"


def test_the_status_line_follows_the_reduction(
    tmp_path: Path, open_scene: Open, own_cache: None
) -> None:
    """It is empty, then shows sizes and runs and is redrawn, and at last is empty again."""
    editor = open_scene(needle_scene(tmp_path / "work"))
    assert editor.lua(_STATUS) == "case.txt []"
    editor.command("Pollard reduce")
    editor.wait_to_see("[checking the oracle]")
    editor.choose("Run once")
    running = re.compile(r"case\.txt \[[\d.]+ k?B ← 1\.1 kB · [1-9]\d* runs?\]")
    editor.wait(lambda: editor.mode and running.search(editor.screen.text), "sizes and runs")
    assert running.fullmatch(editor.lua(_STATUS))
    component = "require('pollard').status({ 'an argument of lualine' }, true)"
    both = f"{_STATUS} .. '=' .. 'case.txt [' .. {component} .. ']'"  # runs go on between two calls
    drawn, returned = editor.lua(both).split("=")
    assert drawn == returned
    assert "1.1 kB" in editor.lua("return vim.lsp.status()")
    editor.command("Pollard stop")
    editor.wait_to_see("[stopped: ")
    editor.wait_to_see("case.txt []")


def test_each_buffer_has_its_own_status(tmp_path: Path, open_scene: Open, own_cache: None) -> None:
    """That of another file stays empty."""
    editor = open_scene(needle_scene(tmp_path / "work"))
    editor.command("Pollard reduce")
    editor.choose("Run once")
    editor.wait_to_shrink(LINES)
    editor.command(f"split {tmp_path / 'other.txt'}")
    editor.wait_to_see("other.txt []")
    editor.wait_to_see("case.txt [")
    assert editor.lua("return require('pollard').status()") == ""
    assert "←" in editor.lua("return require('pollard').status(1)")


def test_handlers_of_the_user_are_called_too(tmp_path: Path, open_scene: Open) -> None:
    """Both the handlers of vim.lsp.config and the global ones."""
    init = f"""{INIT}
      _G.mine, _G.messages = 0, {{}}
      vim.lsp.config('pollard', {{ handlers = {{ ['pollard/progress'] = function(_, params)
        _G.mine = params.runs
      end }} }})
      vim.lsp.handlers['window/showMessage'] = function(_, params)
        table.insert(_G.messages, params.message)
      end
    """
    editor = open_scene(needle_scene(tmp_path / "work", seconds=0), init=init)
    editor.command("Pollard reduce")
    editor.choose("Run once")
    editor.wait_for_state("done")
    editor.command("Pollard restore")
    editor.wait(lambda: editor.lua("return #_G.messages") > 0, "a message")
    assert editor.lua("return _G.messages") == ["case.txt is restored: 1.1 kB."]
    assert editor.lua("return _G.mine") == editor.reports[-1]["runs"]


def test_health_reports_the_installation(tmp_path: Path, open_scene: Open) -> None:
    """Neovim, the program and its version, the server, the settings and the oracles."""
    editor = open_scene(needle_scene(tmp_path / "work", oracles=("one", "two")))
    editor.command("checkhealth pollard")
    editor.wait_to_see("oracle two")
    report = editor.text
    for line in (
        r"OK Neovim 0\.\d+",
        r"OK .*/pollard: pollard, version \d",
        r"OK Enabled",
        r"OK Server \d\S* in .*/work",
        r"OK Progress is received",
        r"case\.txt: settings of .*/work/pollard\.toml",
        r"case\.txt: oracle one.*: sh .*oracle\.sh",
    ):
        assert re.search(line, report), report
    assert "ERROR" not in report


def test_health_reports_what_is_missing(tmp_path: Path, start: Open) -> None:
    """A missing program, and a server that is not enabled."""
    init = INIT.replace("enable('pollard')", "config('pollard', { cmd = { 'no-such-pollard' } })")
    editor = start(init=init)
    editor.command("checkhealth pollard")
    editor.wait_to_see("no-such-pollard is not found")
    assert "vim.lsp.enable('pollard')" in editor.text


def test_health_reports_a_missing_oracle(tmp_path: Path, open_scene: Open) -> None:
    """It also says what to do."""
    scene = needle_scene(tmp_path / "work", oracles=())
    editor = open_scene(scene)
    editor.command("checkhealth pollard")
    editor.wait_to_see("no oracle is configured")
    assert ":Pollard configure" in editor.text
