"""The words of COMMAND as a user meant them, although runs take place in empty directories.

The rule, in this order, for each word; a relative word is looked for in the current directory:
1. FILE itself becomes `{file}`, wherever it stands: it is the candidate that is meant.
2. A companion (`--with`) becomes `{dir}/NAME`: its copy beside the candidate.
3. An existing file becomes its absolute path; the first word only if it has a separator, since
   without one it is a program on PATH.
4. An existing directory becomes its absolute path if the word has a separator or is `.` or `..`:
   `build` and `test` are too often names of subcommands.
5. Everything else stays: options, `-Iinclude`, words with `{file}`, `{dir}` or `{workspace}`.
A single word with blanks that is no file is a line for the shell, in which nothing is replaced.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_PLACEHOLDERS = ("{file}", "{dir}", "{workspace}")
_SEPARATORS = tuple(filter(None, (os.sep, os.altsep)))


def resolve(
    command: Sequence[str], file: Path, companions: Sequence[Path] = ()
) -> str | tuple[str, ...]:
    """Return the oracle's command for the words of a command line; see the module's rule."""
    if len(command) == 1 and len(command[0].split()) > 1 and not Path(command[0]).exists():
        return command[0]
    return tuple(
        _resolved(word, file, companions, program=place == 0) for place, word in enumerate(command)
    )


def _resolved(word: str, file: Path, companions: Sequence[Path], *, program: bool) -> str:
    separated = any(separator in word for separator in _SEPARATORS)
    if not word or word.startswith("-") or any(name in word for name in _PLACEHOLDERS):
        return word
    if program and not separated:
        return word
    path = Path(word)
    if _same(path, file):
        return "{file}"
    for companion in companions:
        if _same(path, companion):
            return os.path.join("{dir}", companion.name)  # noqa: PTH118 (it is no path yet)
    if path.is_file() or (path.is_dir() and (separated or word in (".", ".."))):
        return str(Path.cwd() / path)
    return word


def _same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except (OSError, ValueError):
        return False
