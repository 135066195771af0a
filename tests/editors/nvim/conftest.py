"""Fixtures: find the two versions of Neovim, and open a file in one for the time of a test."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.editors.nvim.driver import Neovim
    from tests.editors.support.workspaces import Scene

    Open = Callable[..., Neovim]

_REPOSITORY = Path(__file__).parents[3]

#: A user's init.lua, which also records all reports of the plugin.
INIT = f"""
vim.opt.runtimepath:prepend('{_REPOSITORY / "editors" / "nvim"}')
vim.lsp.enable('pollard')
vim.o.laststatus = 2
vim.o.statusline = "%t [%{{v:lua.require'pollard'.status()}}]"
_G.reports = {{}}
vim.api.nvim_create_autocmd('User', {{
  pattern = 'PollardProgress',
  callback = function(event)
    table.insert(_G.reports, event.data)
  end,
}})
"""


def _program(variable: str, *names: str) -> str:
    """Find a Neovim or fail: these suites are never skipped."""
    wanted = [os.environ[variable]] if variable in os.environ else list(names)
    for name in wanted:
        found = shutil.which(name)
        if found:
            return found
    pytest.fail(f"no Neovim found as {' or '.join(wanted)}: set {variable}", pytrace=False)


def _version(program: str) -> tuple[int, int]:
    """Return the version of a Neovim, and fail if it does not start."""
    done = subprocess.run([program, "--version"], capture_output=True, text=True)
    first = done.stdout.partition("\n")[0]
    if done.returncode or not first.startswith("NVIM v"):
        pytest.fail(f"{program} does not start: {first}{done.stderr}", pytrace=False)
    major, minor = first.removeprefix("NVIM v").split(".")[:2]
    return int(major), int(minor)


@pytest.fixture(scope="session")
def nvim_program() -> str:
    """Neovim 0.11 or newer: POLLARD_NVIM, or `nvim` beside Python or on PATH."""
    program = _program("POLLARD_NVIM", str(Path(sys.executable).with_name("nvim")), "nvim")
    if _version(program) < (0, 11):
        pytest.fail(f"{program} is older than 0.11: set POLLARD_NVIM", pytrace=False)
    return program


@pytest.fixture(scope="session")
def old_nvim_program() -> str:
    """Debian's Neovim 0.7: POLLARD_NVIM_OLD, or /usr/bin/nvim."""
    program = _program("POLLARD_NVIM_OLD", "/usr/bin/nvim")
    if _version(program) != (0, 7):
        pytest.fail(f"{program} is not Neovim 0.7: set POLLARD_NVIM_OLD", pytrace=False)
    return program


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache of verdicts for all tests of the suite, because many reduce the same file."""
    return tmp_path_factory.mktemp("verdicts")


@pytest.fixture(autouse=True)
def _with_shared_cache(
    own_directories: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLLARD_CACHE_DIR", str(shared_cache))


@pytest.fixture
def own_cache(
    own_directories: Path, _with_shared_cache: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty cache of verdicts, so that a reduction takes as long as its runs."""
    monkeypatch.setenv("POLLARD_CACHE_DIR", str(own_directories / "cache"))


@pytest.fixture
def start(tmp_path: Path, nvim_program: str) -> Iterator[Open]:
    """Start Neovim with some arguments, without waiting for a server; `init` is its init.lua."""
    from tests.editors.nvim.driver import Neovim  # noqa: PLC0415 (only here is pynvim needed)

    started: list[Neovim] = []

    def start_one(*arguments: str, init: str = INIT, program: str = nvim_program) -> Neovim:
        home = tmp_path / f"home-{len(started)}"
        started.append(Neovim(program, home, init, *arguments))
        return started[-1]

    yield start_one
    for one in started:
        one.close()


@pytest.fixture
def open_scene(start: Open) -> Open:
    """Open the file of a scene, and wait for the server."""

    def open_one(scene: Scene, init: str = INIT) -> Neovim:
        editor = start(str(scene.file), init=init)
        attached = "return #vim.lsp.get_clients({ bufnr = 0, name = 'pollard' }) == 1"
        editor.wait(lambda: editor.lua(attached), "the server to be attached")
        return editor

    return open_one
