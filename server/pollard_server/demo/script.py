"""The script that the demo reduces, and the settings that tell whether it still fails."""

from __future__ import annotations

import json
import sys
from importlib import resources

FILENAME = "orders.py"
LANGUAGE = "python"
FAILURE = "RuntimeError: dictionary changed size during iteration"
FUNCTION = "settle"

# The last frame of the traceback, its source lines, the error. Asking for the function too keeps the
# reduction from slipping to another loop that fails in the same words. `\S*` lets colours pass.
_TRACEBACK = (
    rf"in \S*{FUNCTION}\b.*\n(?:    .*\n)*\S*RuntimeError\S* \S*dictionary changed size during"
)
# More often than an editor needs it, whose every edit is a step to undo: here somebody watches.
_INTERVAL = "100ms"


def script() -> bytes:
    """Return the bundled script's text; its name keeps linters from taking it for a module."""
    return resources.files(__package__).joinpath(f"{FILENAME}.txt").read_bytes()


def settings(jobs: int | None = None) -> str:
    """Return the demo's pollard.toml: this same Python runs the script, its traceback is looked at.

    `-I -S` leaves out the user's settings and installed packages, and halves the time of a start.
    """
    command = [sys.executable, "-I", "-S", "{file}"]
    return "\n".join(
        (
            f"jobs = {jobs}" if jobs else "",
            "[stream]",
            f'interval = "{_INTERVAL}"',
            "[oracles.demo]",
            f"command = {_toml(command)}",
            f"stderr = {_toml(_TRACEBACK)}",
            "",
        )
    )


def _toml(value: object) -> str:
    """Write a string, or a list of them; TOML has JSON's, but takes no halves of surrogate pairs."""
    return json.dumps(value, ensure_ascii=False)
