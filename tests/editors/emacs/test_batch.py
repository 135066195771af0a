"""Emacs without a terminal: a script runs a code action and saves the result."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.editors.emacs.conftest import SERVER
from tests.editors.emacs.terminal import PACKAGE
from tests.editors.support.workspaces import Scene, demo_scene

pytestmark = pytest.mark.editors

_SCRIPT = """
(require 'pollard)
(setq pollard-server-command '({command}))
(find-file "{file}")
(pollard-eglot)
(let* ((actions (eglot-code-actions (point-max) (point-max) "refactor.rewrite.reduce"))
       (action (plist-get (car actions) :command)))
  (eglot-execute-command (eglot-current-server) (plist-get action :command)
                         (plist-get action :arguments)))
(let ((stop (+ (float-time) 100)))
  (while (not (member (plist-get pollard-progress :state) '("done" "failed")))
    (when (> (float-time) stop)
      (error "The reduction did not end: %s" pollard-progress))
    (accept-process-output nil 0.1)))
(princ (plist-get pollard-progress :state))
(save-buffer)
"""

_TOML = """
[oracles.bytes]
command = ["sh", "{workspace}/oracle.sh", "{file}"]
"""
# Without the declaration Emacs would save another encoding.
_ORACLE = r"""
grep -q '^# -\*- coding: latin-1 -\*-$' "$1" && LC_ALL=C grep -q "$(printf '\366\337')" "$1"
"""


def reduce_by_script(emacs_program: str, scene: Scene, folder: Path) -> None:
    """Reduce the scene's file and save it; the question is answered on standard input."""
    script = folder / "script.el"
    command = " ".join(f'"{word}"' for word in SERVER)
    script.write_text(_SCRIPT.format(command=command, file=scene.file))
    run = subprocess.run(
        [emacs_program, "--batch", "-L", str(PACKAGE), "-l", str(script)],
        input="Run once\n",
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.endswith("done"), run.stderr


def test_script_reduces_a_file(emacs_program: str, tmp_path: Path) -> None:
    """It gets the result of the command line."""
    scene = demo_scene(tmp_path / "scene")
    expected = scene.by_command_line()
    reduce_by_script(emacs_program, scene, tmp_path)
    assert scene.file.read_bytes() == expected


def test_a_file_keeps_its_declared_encoding(emacs_program: str, tmp_path: Path) -> None:
    """Emacs shows its characters and writes its bytes; the oracle gets the same bytes."""
    folder = tmp_path / "scene"
    folder.mkdir()
    (folder / "pollard.toml").write_text(_TOML)
    (folder / "oracle.sh").write_text(_ORACLE)
    lines = "".join(f"value_{n} = {n}\n" for n in range(40))
    text = f"# -*- coding: latin-1 -*-\n{lines}x = 'größer'\n".encode("latin-1")
    file = folder / "case.py"
    file.write_bytes(text)
    scene = Scene(folder, file, text)
    expected = scene.by_command_line()
    assert b"\xf6\xdf" in expected
    reduce_by_script(emacs_program, scene, tmp_path)
    assert file.read_bytes() == expected
