"""Other documents: a buffer without a file, several workspace folders, and a cell of a notebook."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.editors.vscode.conftest import Opener
from tests.editors.vscode.scenes import KEPT, Watched
from tests.editors.vscode.steps import is_reduced, reduce_file, wait_done
from tests.editors.vscode.waiting import wait_for

pytestmark = pytest.mark.editors

_UNTITLED = "untitled:Untitled-1"
#: The second folder has an oracle of its own, which needs one word.
_SECOND = f"""\
checks = 1
[oracles.second]
command = ["grep", "-q", "{KEPT[1]}", "{{file}}"]
"""
_NOTEBOOK = {
    "cells": [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": ["total = 1"],
        }
    ],
    "metadata": {"language_info": {"name": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


def test_a_buffer_without_a_file_is_reduced(open_window: Opener, scene: Watched) -> None:
    """By the oracle of the folder; no file is written."""
    window = open_window(scene.file, own=True)
    # A double click beside the tabs opens a new buffer.
    window.page.locator(".tabs-container").first.dblclick(position={"x": 500, "y": 15})
    wait_for("the buffer", lambda: (window.probe.ask("active") or {}).get("uri") == _UNTITLED)
    window.type(f"{KEPT[0]} = 1\nhay = 2\n{KEPT[1]} = 3\n{KEPT[2]} = 4\n")
    wait_for("the text", lambda: window.probe.text(_UNTITLED).endswith("= 4\n"))
    before = sorted(scene.folder.iterdir())
    reduce_file(window)
    wait_done(window)
    text = window.probe.text(_UNTITLED)
    assert is_reduced(text)
    assert "hay" not in text
    assert sorted(scene.folder.iterdir()) == before


def test_each_of_several_folders_has_its_own_oracle(
    open_window: Opener, scene: Watched, tmp_path: Path
) -> None:
    second = tmp_path / "second"
    second.mkdir()
    file = second / "others.py"
    file.write_text(scene.text)
    (second / "pollard.toml").write_text(_SECOND)
    folders = [{"path": str(folder)} for folder in (scene.folder, second)]
    workspace = tmp_path / "both.code-workspace"
    workspace.write_text(json.dumps({"folders": folders}))
    window = open_window(file, folder=scene.folder, workspace=workspace)
    reduce_file(window)
    wait_done(window)
    assert window.text.strip() == KEPT[1]
    assert scene.runs == 0


def test_a_cell_of_a_notebook_is_refused_in_one_sentence(
    open_window: Opener, scene: Watched
) -> None:
    (scene.folder / "case.ipynb").write_text(json.dumps(_NOTEBOOK))
    window = open_window(scene.file)
    window.press("F1")
    window.input.type("case.ipynb")
    wait_for("the notebook in the list", lambda: "case.ipynb" in window.input.rows())
    window.input.accept()
    cell = window.page.locator(".notebookOverlay .cell .monaco-editor .view-line").first
    wait_for("the cell", cell.is_visible)
    cell.click()
    window.pollard("Reduce File")
    refusal = "Pollard cannot reduce a cell of a notebook; copy what you need from it"
    wait_for("the refusal", lambda: window.notifications.has(refusal))
    assert scene.runs == 0
