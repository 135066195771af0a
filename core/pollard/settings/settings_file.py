"""Finds and reads `pollard.toml`, or the table `[tool.pollard]` of `pyproject.toml`."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pollard.settings.problems import Origin, Problem, SettingsError
from pollard.settings.settings import Settings
from pollard.syntax.grammars.languages import find

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tree_sitter import Node

    from pollard.settings.problems import KeyPath

OWN_FILE = "pollard.toml"
SHARED_FILE = "pyproject.toml"
_TABLE_IN_SHARED_FILE = ("tool", "pollard")
_POSITION = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)\s*$")


def find_settings(start: Path) -> Path | None:
    """Return the nearest settings file in the folder `start` or above it, or None."""
    for folder in (start.resolve(), *start.resolve().parents):
        if (folder / OWN_FILE).is_file():
            return folder / OWN_FILE
        if _has_our_table(folder / SHARED_FILE):
            return folder / SHARED_FILE
    return None


def settings_for(path: Path) -> Settings:
    """Return the settings for a file; `workspace` is the settings file's folder.

    Without a settings file these are the defaults, and the workspace is the file's own folder.
    Raises `SettingsError`.
    """
    folder = path.resolve().parent
    file = find_settings(folder)
    return read_settings(file) if file else Settings(workspace=folder)


def read_settings(file: Path) -> Settings:
    """Return the settings in a file. Raises `SettingsError` with all problems."""
    text = _read(file)
    try:
        return _settings_in(file, text)
    except RecursionError as error:
        raise SettingsError([Problem(str(file), None, "is nested too deeply")]) from error


def _settings_in(file: Path, text: bytes) -> Settings:
    table: Any = _parsed(file, text)
    prefix = _TABLE_IN_SHARED_FILE if file.name == SHARED_FILE else ()
    origin = Origin(str(file), key_lines(text), prefix)
    for name in prefix:
        table = table.get(name, {}) if isinstance(table, dict) else {}
    if not isinstance(table, dict):
        raise SettingsError([origin.problem((), f"{origin.header(())} must be a table")])
    return replace(Settings.from_mapping(table, origin), workspace=file.resolve().parent)


def read_text(file: Path) -> str:
    """Return the text of a settings file. Raises `SettingsError` if it cannot be read."""
    return _decoded(file, _read(file))


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        reason = f"cannot be read: {error.strerror}"
        raise SettingsError([Problem(str(file), None, reason)]) from error


def _decoded(file: Path, text: bytes) -> str:
    try:
        return text.decode("utf-8-sig")  # some editors put a byte order mark at the start
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise SettingsError([Problem(str(file), line, "is not UTF-8 text")]) from error


def _parsed(file: Path, text: bytes) -> dict[str, Any]:
    try:
        table: dict[str, Any] = tomllib.loads(_decoded(file, text))
    except SettingsError:
        raise
    except RecursionError as error:
        raise SettingsError([Problem(str(file), None, "is nested too deeply")]) from error
    except (
        ValueError
    ) as error:  # TOMLDecodeError, and what Python says of numbers that are too long
        raise SettingsError([_syntax_problem(str(file), text, str(error))]) from error
    return table


def _syntax_problem(file: str, text: bytes, message: str) -> Problem:
    """Return the problem in tomllib's message, which ends in "(at line 3, column 5)"."""
    match = _POSITION.search(message)
    last = text.rstrip().count(b"\n") + 1
    line = int(match[1]) if match and match[1] else last
    reason = message[: match.start()] if match else message
    return Problem(file, line, f"not valid TOML: {reason[:1].lower()}{reason[1:]}")


def _has_our_table(file: Path) -> bool:
    """Return whether a pyproject.toml has [tool.pollard]; if it cannot be parsed, mentions it."""
    try:
        text = file.read_bytes()
    except OSError:
        return False
    if b"pollard" not in text:
        return False
    try:
        tool = tomllib.loads(text.decode("utf-8")).get("tool", {})
    except (ValueError, RecursionError):
        return b"tool.pollard" in text
    return isinstance(tool, dict) and "pollard" in tool


def key_lines(text: bytes) -> dict[KeyPath, int]:
    """Return the line (from 1) of the first mention of each key and table of a valid TOML text."""
    from tree_sitter import Parser  # noqa: PLC0415 (loaded only once there is a file)

    lines: dict[KeyPath, int] = {}
    root = Parser(find("toml").load()).parse(text).root_node
    for path, node in _keys(root, ()):
        for length in range(1, len(path) + 1):
            lines.setdefault(path[:length], node.start_point.row + 1)
    return lines


def _keys(node: Node, table: KeyPath) -> Iterator[tuple[KeyPath, Node]]:
    """Yield each key below `node`, with its whole path; `table` is the path of the enclosing table."""
    for child in node.named_children:
        if child.type in {"pair", "table", "table_array_element"}:
            key, *rest = child.named_children
            inner = (*table, *_names(key))
            yield inner, key
            for value in rest if child.type == "pair" else [child]:
                yield from _keys(value, inner)
        elif child.type == "inline_table":
            yield from _keys(child, table)


def _names(key: Node) -> KeyPath:
    if key.type == "dotted_key":
        return tuple(name for part in key.named_children for name in _names(part))
    text = (key.text or b"").decode("utf-8", "replace")
    return tuple(tomllib.loads(f"{text} = 0")) if key.type == "quoted_key" else (text,)
