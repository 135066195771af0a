"""The package passes the checks of Emacs's own tools."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.editors.emacs.terminal import PACKAGE

pytestmark = pytest.mark.editors

FILES = sorted(file.name for file in PACKAGE.glob("*.el"))


def in_batch(program: str, *arguments: str) -> str:
    """Run Emacs without a terminal; return its messages about the package's files."""
    command = [program, "--batch", "--directory", str(PACKAGE), *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    return "\n".join(line for line in run.stderr.splitlines() if "site-start" not in line)


@pytest.mark.parametrize("name", FILES)
def test_compiles_without_a_warning(name: str, emacs_program: str, tmp_path: Path) -> None:
    """Byte compilation prints nothing."""
    into = f'(lambda (_) "{tmp_path / name}c")'
    to = f"(setq byte-compile-error-on-warn t byte-compile-dest-file-function {into})"
    messages = in_batch(
        emacs_program, "--eval", to, "-f", "batch-byte-compile", str(PACKAGE / name)
    )
    assert messages == ""
    assert (tmp_path / f"{name}c").exists()


@pytest.mark.parametrize("name", FILES)
def test_documentation_follows_the_conventions(name: str, emacs_program: str) -> None:
    """Checkdoc finds nothing."""
    lisp = f'(progn (require (quote checkdoc)) (checkdoc-file "{PACKAGE / name}"))'
    assert in_batch(emacs_program, "--eval", lisp) == ""


def test_all_commands_are_autoloaded(emacs_program: str, tmp_path: Path) -> None:
    """A package manager's autoloads define every command in the documentation."""
    autoloads = tmp_path / "pollard-autoloads.el"
    lisp = f'(make-directory-autoloads "{PACKAGE}" "{autoloads}")'
    in_batch(emacs_program, "-l", "autoload", "--eval", lisp)
    text = autoloads.read_text()
    page = (PACKAGE.parents[1] / "docs" / "editors" / "emacs.md").read_text()
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `pollard-")]
    commands = [name for row in rows for name in row.split("`")[1::2]]
    assert len(commands) >= 12
    missing = [name for name in commands if f"(autoload '{name} " not in text]
    assert missing == []
