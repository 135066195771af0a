"""Emacs without a terminal: a script runs a code action and saves the result."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.editors.emacs.conftest import SERVER
from tests.editors.emacs.terminal import PACKAGE
from tests.editors.support.workspaces import demo_scene

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


def test_script_reduces_a_file(emacs_program: str, tmp_path: Path) -> None:
    """It answers the question on standard input, and gets the result of the command line."""
    scene = demo_scene(tmp_path / "scene")
    expected = scene.by_command_line()
    script = tmp_path / "script.el"
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
    assert scene.file.read_bytes() == expected
