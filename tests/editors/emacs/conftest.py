"""Fixtures: an Emacs for each test, with an init file of its own."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.editors.emacs.terminal import Emacs

# Emacs gets a new home folder, but the oracles of the corpus need programs in the real one.
SERVER = ["env", f"HOME={Path.home()}", sys.executable, "-m", "pollard", "serve"]

#: Starts an Emacs; its argument `init` is added to the init file.
Starter = Callable[..., Emacs]


@pytest.fixture(scope="session")
def emacs_program() -> str:
    """The Emacs that POLLARD_EMACS names, else the one on PATH."""
    name = os.environ.get("POLLARD_EMACS", "emacs")
    program = shutil.which(name)
    if program is None or shutil.which("emacsclient") is None:
        pytest.fail(
            f"there is no {name} with its emacsclient: install emacs-nox and elpa-eglot, or set "
            "POLLARD_EMACS",
            pytrace=False,
        )
    return program


@pytest.fixture(scope="session")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of verdicts shared by tests that need a quick reduction."""
    return tmp_path_factory.mktemp("verdicts")


@pytest.fixture
def known_verdicts(verdicts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the shared cache, so that no candidate is run twice."""
    monkeypatch.setenv("POLLARD_CACHE_DIR", str(verdicts))


@pytest.fixture
def start(emacs_program: str, tmp_path: Path) -> Iterator[Starter]:
    """Starts an Emacs, which ends after the test."""
    running: list[Emacs] = []
    sockets = Path(tempfile.mkdtemp(prefix="e"))  # a socket's path has a maximum length

    def starter(init: str = "") -> Emacs:
        home = tmp_path / f"home-{len(running)}"
        emacs = Emacs(emacs_program, home, sockets, SERVER, dict(os.environ), init=init)
        running.append(emacs)
        return emacs

    yield starter
    for emacs in running:
        emacs.close()
    shutil.rmtree(sockets, ignore_errors=True)


@pytest.fixture
def emacs(start: Starter) -> Emacs:
    """An Emacs with the README's configuration."""
    return start()
