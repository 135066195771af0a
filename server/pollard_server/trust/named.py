"""The files of a workspace that a command names, whose contents are part of a consent."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.oracle.oracle import words

if TYPE_CHECKING:
    from collections.abc import Iterator

# A shell's word is not always what it runs (`x=1;./a.sh`, `--config=b.toml`, `sh -c "./c.sh | d"`).
_APART = re.compile(r"[\s;|&()<>`$\"'=,:]+")
_PROGRAM = re.compile(r"[^\W_][\w.+-]*")
_WORKSPACE = "{workspace}"


def named_files(command: tuple[str, ...] | str, workspace: Path) -> list[Path]:
    """Return the regular files in the absolute folder `workspace` that a command may run or read.

    A word is taken as a path from the workspace, from each folder that another word names
    (`cd tools && ./run.sh`), and as a program on PATH if that is inside the workspace. One file too
    many only means that the user is asked once too often.
    """
    names = set(_words(command, workspace))
    folders = {workspace, *(place for name in names if _is_dir(place := workspace / name))}
    places = {folder / name for folder in folders for name in names}
    found = [place for place in (*places, *_on_path(names)) if _is_file(place)]
    return sorted(place for place in set(found) if _is_inside(place, workspace))


def _words(command: tuple[str, ...] | str, workspace: Path) -> Iterator[str]:
    yield from filter(None, words(command, workspace))
    for text in (command,) if isinstance(command, str) else command:
        for part in filter(None, _APART.split(text)):
            yield part.replace(_WORKSPACE, str(workspace))


def _on_path(names: set[str]) -> Iterator[Path]:
    for name in filter(_PROGRAM.fullmatch, names):
        found = shutil.which(name)
        if found is not None:
            yield Path(found).absolute()


def _is_inside(place: Path, workspace: Path) -> bool:
    """Say whether the workspace decides what is at `place`, be it by a link or by ".."."""
    if place.is_relative_to(workspace):
        return True
    return Path(os.path.realpath(place)).is_relative_to(os.path.realpath(workspace))


def _is_dir(path: Path) -> bool:
    # Unlike pathlib's, os.path's answer is no for what is too long or may not be looked at.
    return os.path.isdir(path)  # noqa: PTH112


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113
