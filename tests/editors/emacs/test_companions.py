"""The files beside a file that were reduced after it: a buffer shows the difference of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.emacs.terminal import Emacs
from tests.editors.support.companions import PART, companions_scene

pytestmark = pytest.mark.editors


def test_the_difference_is_shown_and_no_file_changes(emacs: Emacs, tmp_path: Path) -> None:
    """A file that is not needed has no result to compare with."""
    scene = companions_scene(tmp_path / "work")
    emacs.open(scene.file)
    emacs.command("pollard-reduce")
    emacs.answer("Pollard asks", "Always in this workspace")
    emacs.until_state(scene.file, "done")
    shown = '(and (get-buffer-window "*Pollard: a.part*") t)'
    emacs.until(lambda: emacs.ask(shown), "the difference")
    text = "(buffer-substring-no-properties (point-min) (point-max))"
    difference = emacs.ask(f'(with-current-buffer "*Pollard: a.part*" {text})').splitlines()
    assert {"-not me", "-nor me"} <= {*difference}
    assert emacs.ask('(get-buffer "*Pollard: b.part*")') is None
    assert (scene.folder / "a.part").read_text() == PART
