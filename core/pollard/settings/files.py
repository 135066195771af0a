"""Finds and reads `pollard.toml`, or the table `[tool.pollard]` of `pyproject.toml`."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pollard.settings.locate import key_lines
from pollard.settings.problems import Origin, Problem, SettingsError
from pollard.settings.settings import Settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from pathlib import Path

OWN_FILE = "pollard.toml"
SHARED_FILE = "pyproject.toml"
_TABLE = ("tool", "pollard")
_POSITION = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)\s*$")


def find_settings(start: Path) -> Path | None:
    """Return the nearest settings file in the folder `start` or above it, or None."""
    for folder in (start.resolve(), *start.resolve().parents):
        if (folder / OWN_FILE).is_file():
            return folder / OWN_FILE
        if _is_shared_with_us(folder / SHARED_FILE):
            return folder / SHARED_FILE
    return None


def settings_for(path: Path) -> Settings:
    """Return the settings that hold for a file, whose `workspace` is the settings file's folder.

    Without a settings file these are the defaults, and the file's own folder is the workspace.
    Raises `SettingsError`.
    """
    folder = path.resolve().parent
    file = find_settings(folder)
    return read_settings(file) if file else Settings(workspace=folder)


def read_settings(file: Path) -> Settings:
    """Return the settings in a file. Raises `SettingsError` with all its problems."""
    try:
        text = file.read_bytes()
    except OSError as error:
        reason = f"cannot be read: {error.strerror}"
        raise SettingsError([Problem(str(file), None, reason)]) from error
    table: Any = _parsed(file, text)
    prefix = _TABLE if file.name == SHARED_FILE else ()
    origin = Origin(str(file), key_lines(text), prefix)
    for name in prefix:
        table = table.get(name, {}) if isinstance(table, dict) else {}
    if not isinstance(table, dict):
        raise SettingsError([origin.problem((), f"{origin.header(())} must be a table")])
    return replace(Settings.from_mapping(table, origin), workspace=file.resolve().parent)


def _parsed(file: Path, text: bytes) -> dict[str, Any]:
    try:
        table: dict[str, Any] = tomllib.loads(text.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise SettingsError([Problem(str(file), line, "is not UTF-8 text")]) from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError([_syntax_problem(str(file), text, str(error))]) from error
    return table


def _syntax_problem(file: str, text: bytes, message: str) -> Problem:
    """Return the problem in tomllib's message, which ends in "(at line 3, column 5)"."""
    match = _POSITION.search(message)
    last = text.rstrip().count(b"\n") + 1
    line = int(match[1]) if match and match[1] else last
    reason = message[: match.start()] if match else message
    return Problem(file, line, f"not valid TOML: {reason[:1].lower()}{reason[1:]}")


def _is_shared_with_us(file: Path) -> bool:
    """Say whether a pyproject.toml has our table; a broken one that names it counts."""
    try:
        text = file.read_bytes()
    except OSError:
        return False
    if b"pollard" not in text:
        return False
    try:
        tool = tomllib.loads(text.decode("utf-8")).get("tool", {})
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return b"tool.pollard" in text
    return isinstance(tool, dict) and "pollard" in tool
