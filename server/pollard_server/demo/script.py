"""The script that the demo reduces, its settings, and the temporary folder for both."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import tomlkit

if TYPE_CHECKING:
    from collections.abc import Iterator

FILENAME = "orders.py"
LANGUAGE = "python"
FAILURE = "RuntimeError: dictionary changed size during iteration"
FUNCTION = "settle"

# The last frame of the traceback, its source lines and the error. Requiring the function keeps the
# reduction from slipping to another loop that fails with the same message. `\S*` allows for colours.
_TRACEBACK = (
    rf"in \S*{FUNCTION}\b.*\n(?:    .*\n)*\S*RuntimeError\S* \S*dictionary changed size during"
)


@contextlib.contextmanager
def workspace(jobs: int | None) -> Iterator[Path]:
    """Provide a folder with the script and its settings; remove it and its siblings at the end."""
    with tempfile.TemporaryDirectory(prefix="pollard-demo-", ignore_cleanup_errors=True) as root:
        folder = Path(root).resolve() / "workspace"
        folder.mkdir()
        folder.with_name("tmp").mkdir()
        (folder / FILENAME).write_bytes(script())
        (folder / "pollard.toml").write_text(settings(jobs), encoding="utf-8")
        yield folder


def environment(folder: Path) -> dict[str, str]:
    """Return a server's environment that keeps its files beside `folder`: no verdict is known yet."""
    # Absolute paths, because the server starts in another folder.
    paths = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(Path(path).absolute()) for path in paths),
        **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder.with_name("tmp"))),
        "POLLARD_STATE_DIR": str(folder.with_name("state")),
        "POLLARD_CACHE_DIR": str(folder.with_name("cache")),
    }


def script() -> bytes:
    """Return the bundled script. Its file is named `.txt` so that linters skip it."""
    return resources.files(__package__).joinpath(f"{FILENAME}.txt").read_bytes()


def settings(jobs: int | None = None) -> str:
    """Return the demo's pollard.toml: this Python runs the script, and its traceback is checked.

    It allows `jobs` runs at a time; None means one per core. `-I -S` ignores the user's settings
    and installed packages, which halves the start-up time.
    """
    oracle = {"command": [sys.executable, "-I", "-S", "{file}"], "stderr": _TRACEBACK}
    # Shorter than the default, because the user watches and there is no undo history to keep short.
    stream = {"interval": "100ms"}
    return tomlkit.dumps({"jobs": jobs or "auto", "stream": stream, "oracles": {"demo": oracle}})


def count_lines(text: bytes) -> int:
    """Return how many lines of a text are not blank."""
    return sum(1 for line in text.splitlines() if line.strip())
