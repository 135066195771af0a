"""The flags with which a C or C++ file is compiled, for a run that only checks it."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_DATABASE = "compile_commands.json"
# Flags about what is written; the second group has its value in the next word.
_DROPPED = ("-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "--")
_DROPPED_WITH_VALUE = ("-o", "-MF", "-MT", "-MQ", "-MJ", "--serialize-diagnostics")
# Flags whose value is a path; it is in the next word or follows at once.
_PATHS = ("-isystem", "-iquote", "-idirafter", "-isysroot", "-include", "-imacros", "-I", "-F")


def compile_flags(file: Path, folders: Sequence[Path]) -> list[str]:
    """Return the flags for `file`, an absolute path, with absolute paths in them.

    They are those of the nearest `compile_commands.json` in `folders` or in their folders `build` that
    names the file. The file's own folder is always searched for headers in quotes.
    """
    known = (flags for folder in folders for flags in _flags_in(folder, file))
    return [*next(known, []), "-iquote", str(file.parent)]


def _flags_in(folder: Path, file: Path) -> Iterator[list[str]]:
    for place in (folder, folder / "build"):
        for entry in _entries(place / _DATABASE):
            directory = place / str(entry.get("directory", ""))
            if (directory / str(entry.get("file", ""))).resolve() == file.resolve():
                yield list(_kept(_words(entry), directory, file))


def _entries(database: Path) -> list[dict[str, Any]]:
    try:
        entries = json.loads(database.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    return [each for each in entries if isinstance(each, dict)] if isinstance(entries, list) else []


def _words(entry: dict[str, Any]) -> list[str]:
    """Return the words after the compiler's name."""
    if isinstance(entry.get("arguments"), list):
        return [str(word) for word in entry["arguments"][1:]]
    try:
        return shlex.split(str(entry.get("command", "")))[1:]
    except ValueError:
        return []


def _kept(words: list[str], directory: Path, file: Path) -> Iterator[str]:
    remaining = iter(words)
    for word in remaining:
        if word in _DROPPED_WITH_VALUE:
            next(remaining, None)
        elif word in _PATHS:
            yield from (word, str(directory / next(remaining, "")))
        elif flag := next((each for each in _PATHS if word.startswith(each)), ""):
            yield f"{flag}{directory / word.removeprefix(flag)}"
        elif word.startswith("-"):
            if word not in _DROPPED and not word.startswith("-o"):
                yield word
        elif (directory / word).resolve() != file.resolve():
            yield word
