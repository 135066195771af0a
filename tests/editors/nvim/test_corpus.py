"""Real failing inputs of five languages: Neovim and the command line give the same result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.support.workspaces import corpus_languages, corpus_scene

if TYPE_CHECKING:
    from tests.editors.nvim.conftest import Open

pytestmark = pytest.mark.editors


@pytest.mark.parametrize("language", corpus_languages("Python", "JSON"))
def test_the_result_is_that_of_the_command_line(
    tmp_path: Path, open_scene: Open, language: str
) -> None:
    """Byte for byte, apart from the final line end, which Neovim adds when it writes a file."""
    scene = corpus_scene(tmp_path / "work", language)
    expected = scene.by_command_line()
    editor = open_scene(scene)
    editor.keys("gra")
    editor.choose("Reduce file")
    editor.choose("Run once")
    editor.wait_for_state("done")
    assert editor.text == expected.decode().removesuffix("\n")
    assert editor.written() == expected.removesuffix(b"\n") + b"\n"
