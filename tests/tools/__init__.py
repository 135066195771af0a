"""Tools from npm and PyPI that several suites run, in pinned versions: `setup` installs them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

#: Where npm and pip put programs, in the folder of the tools.
_PROGRAMS = ("node_modules/.bin", "python/bin")


def tools_folder() -> Path:
    """Return where `setup` installs the tools; the test fails if it did not."""
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = Path(os.environ.get("POLLARD_TOOLS") or f"{cache}/pollard-tools").expanduser()
    if not (folder / "complete").is_file():
        pytest.fail(f"{folder} has no tools: run tests/tools/setup", pytrace=False)
    return folder


def tool_path() -> str:
    """Return a PATH on which the tools come before all other programs."""
    own = [str(tools_folder() / programs) for programs in _PROGRAMS]
    return os.pathsep.join([*own, os.environ["PATH"]])
