"""A real language server that crashes on a file: the file is reduced in Neovim to what crashes it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.support.workspaces import Scene

if TYPE_CHECKING:
    from tests.editors.nvim.conftest import Open

pytestmark = pytest.mark.editors

_LOCK = Path(__file__).parents[1] / "support" / "crashing-server.lock"
#: Pyrefly 0.14.0 looks for the signature of `__call__` in `__call__`, without end.
_TEXT = """\
from dataclasses import dataclass


@dataclass
class Order:
    number: int
    items: list[str]


class Handler:
    __call__: "Handler"

    def __init__(self, name: str) -> None:
        self.name = name


start = Handler("start")
order = Order(1, ["tea", "milk"])
print(start(order), order.items)
"""
_SETTINGS = """\
[oracles.crash]
kind = "lsp"
command = ["{program}", "lsp"]
crashes = true
timeout = "30s"
"""


@pytest.fixture(scope="module")
def crashing_server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of an old language server from PyPI, installed by itself."""
    folder = tmp_path_factory.mktemp("pyrefly")
    options = ["--quiet", "--no-deps", "--require-hashes", "--target", str(folder)]
    command = [sys.executable, "-m", "pip", "install", *options, "-r", str(_LOCK)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        pytest.fail(f"the language server cannot be installed: {done.stderr}", pytrace=False)
    return folder / "bin" / "pyrefly"


@pytest.fixture
def scene(tmp_path: Path, crashing_server: Path) -> Scene:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "pollard.toml").write_text(_SETTINGS.format(program=crashing_server))
    file = folder / "orders.py"
    file.write_text(_TEXT)
    return Scene(folder, file, file.read_bytes())


def test_what_crashes_a_language_server_is_found_in_the_editor(
    scene: Scene, open_scene: Open
) -> None:
    """Each candidate that crashes it costs a new start; the editor's own servers are not concerned."""
    editor = open_scene(scene)
    editor.command("Pollard reduce")
    editor.choose("Run once")
    editor.wait(lambda: editor.state in ("done", "failed"), "the end", seconds=400)
    assert editor.state == "done"
    last = editor.reports[-1]
    assert (last["originalFailure"]["kind"], last["failure"]["kind"]) == ("stack overflow",) * 2
    assert len(editor.text) < 50
    assert "__call__" in editor.text
