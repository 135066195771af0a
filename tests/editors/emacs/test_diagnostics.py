"""*Reduce to the diagnostic at point*: of a known tool, of another language server, and of Flymake."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.editors.emacs.conftest import Starter
from tests.editors.emacs.terminal import Emacs
from tests.editors.support.workspaces import Scene

pytestmark = pytest.mark.editors

_SMALL_SERVER = Path(__file__).parents[2] / "core" / "executors" / "small_server.py"
_RUFF = Path(sys.executable).with_name("ruff")
_TEXT = "some hay\nand a needle in it\nmore hay\n"
_PYTHON = """\
import sys


def load(path):
    return undefined_thing(path)


print(load(sys.argv[1]))
"""
_SERVER = """
(require 'eglot)
(add-to-list 'eglot-server-programs '({mode} . ({words})))
"""
_BACKEND = """
(require 'flymake)
(defun needles (report &rest _)
  (let (found)
    (save-excursion
      (goto-char (point-min))
      (while (search-forward "needle" nil t)
        (push (flymake-make-diagnostic (current-buffer) (match-beginning 0) (match-end 0)
                                       :warning "a needle") found)))
    (funcall report found)))
(add-hook 'text-mode-hook (lambda ()
                            (add-hook 'flymake-diagnostic-functions #'needles nil t)
                            (flymake-mode 1)))
"""
_SHOWN = "(mapcar #'flymake-diagnostic-text (flymake-diagnostics))"
_ASKED = "Must still be reported"


def server(mode: str, *words: object) -> str:
    return _SERVER.format(mode=mode, words=" ".join(f'"{word}"' for word in words))


def opened(emacs: Emacs, file: Path, text: str, line: int, column: int = 0) -> Scene:
    """Write and open a file, with the cursor at a place."""
    file.parent.mkdir()
    file.write_text(text)
    emacs.open(file)
    emacs.ask(f"(progn (goto-char 1) (forward-line {line}) (forward-char {column}) t)")
    return Scene(file.parent, file, file.read_bytes())


def connect(emacs: Emacs) -> None:
    """Start the usual language server, and wait for its diagnostics."""
    emacs.command("eglot")
    emacs.wait(_SHOWN, "the diagnostics")


def accept(emacs: Emacs, expected: str, change: str = "") -> None:
    """Wait for what must still be reported, and accept it, or something else."""
    emacs.until_prompt(_ASKED)
    assert emacs.ask("(observe-minibuffer)") == expected
    emacs.keys(f"\x01\x0b{change}\r" if change else "\r")


def require_no_rest(emacs: Emacs) -> None:
    """Nothing that answered for candidates is left."""
    assert emacs.ask("(hash-table-count pollard-diagnostics--waiting)") == 0
    assert not emacs.ask(
        '(seq-filter (lambda (b) (string-search "candidate" (buffer-name b))) (buffer-list))'
    )


def test_a_diagnostic_of_a_known_tool_shrinks_to_its_cause(start: Starter, tmp_path: Path) -> None:
    """Its command runs, with consent; the message that is shown may be given up."""
    file = tmp_path / "work" / "wrong.py"
    emacs = start(server("python-mode", _RUFF, "server"))
    programs = tmp_path / "work" / ".venv" / "bin"
    opened(emacs, file, _PYTHON, 4, 12)
    programs.mkdir(parents=True)
    (programs / "ruff").symlink_to(_RUFF)
    connect(emacs)
    emacs.command("pollard-reduce-diagnostic")
    emacs.until_prompt("use Pollard in place of this one?")
    emacs.keys("y")
    accept(emacs, "ruff:F821 Undefined name …", "ruff:F821")
    emacs.until_prompt("Pollard asks")
    assert 'diagnostic = ["ruff:F821"]' in emacs.windows()
    emacs.keys("Run once\r")
    emacs.until_state(file, "done")
    assert emacs.text(file.name).strip().isidentifier()


def test_what_only_a_language_server_knows_is_asked_of_it(start: Starter, tmp_path: Path) -> None:
    """No command runs, nobody is asked, and keys go into the buffer meanwhile."""
    file = tmp_path / "work" / "case.txt"
    words = (sys.executable, _SMALL_SERVER, "push", tmp_path / "log")
    emacs = start(server("text-mode", *words))
    opened(emacs, file, _TEXT, 1)
    connect(emacs)
    emacs.command("pollard-reduce-diagnostic")
    emacs.until_prompt("use Pollard in place of this one?")
    emacs.keys("y")
    accept(emacs, "editor:small(W1) the word needle")
    emacs.until_state(file, "done")
    assert emacs.text(file.name) == "needle"
    assert "itself checks each candidate" in emacs.messages()
    require_no_rest(emacs)
    emacs.command("pollard-restore")
    emacs.until(lambda: emacs.text(file.name) == _TEXT, "the original")


def test_what_only_flymake_knows_is_asked_of_its_backends(start: Starter, tmp_path: Path) -> None:
    file = tmp_path / "work" / "case.txt"
    emacs = start(_BACKEND)
    opened(emacs, file, _TEXT, 1, 6)
    emacs.wait(_SHOWN, "the diagnostics")
    emacs.command("pollard-reduce-diagnostic")
    accept(emacs, "editor:needles a needle")
    emacs.until_state(file, "done")
    assert emacs.text(file.name) == "needle"
    require_no_rest(emacs)


def test_without_a_diagnostic_nothing_happens(emacs: Emacs, tmp_path: Path) -> None:
    file = tmp_path / "work" / "case.txt"
    opened(emacs, file, _TEXT, 1)
    emacs.command("pollard-reduce-diagnostic")
    emacs.until(lambda: "There is no diagnostic here" in emacs.messages(), "the message")
    assert emacs.text(file.name) == _TEXT
