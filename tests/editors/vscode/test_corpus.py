"""Real failing inputs: the editor and the command line give the same result, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.support.workspaces import corpus_languages, corpus_scene
from tests.editors.vscode.conftest import Opener
from tests.editors.vscode.pictures import Pictures
from tests.editors.vscode.steps import consent, wait_done
from tests.editors.vscode.waiting import wait_for

pytestmark = pytest.mark.editors


@pytest.mark.parametrize("language", corpus_languages("JavaScript", "HTML"))
def test_the_result_is_that_of_the_command_line(
    language: str, tmp_path: Path, open_window: Opener, pictures: Pictures, corpus: Path
) -> None:
    """The command line runs first, so that the editor's server finds its verdicts in the cache."""
    scene = corpus_scene(tmp_path / "case", language)
    expected = scene.by_command_line()
    window = open_window(scene.file)
    window.pollard("Reduce File")
    consent(window)
    wait_done(window)
    pictures.take(window.page, f"corpus-{language.lower()}")
    assert window.text.encode() == expected
    window.focus()
    assert window.save() == expected
    assert len(expected) < len(scene.text)
    window.press("Control+z")
    wait_for("the original", lambda: window.text.encode() == scene.text)
