"""Copies of what is built, made by people with other habits: other places, times, umasks and zones."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_SOURCES = ("core", "server", "pyproject.toml", "README.md", "LICENSE")
_SECONDS = 600.0
_EPOCH = "1700000000"


class Copy:
    """A copy of the repository's sources, and the habits of the person who builds it."""

    def __init__(self, folder: Path, *, year: int, umask: int, zone: str) -> None:
        self.folder, self._umask, self._year = folder, umask, year
        self._variables = {**os.environ, "SOURCE_DATE_EPOCH": _EPOCH, "TZ": zone}
        for name in _SOURCES:
            source, copy = _ROOT / name, folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, copy)
        self._adopt(folder)

    def add_extension(self) -> Path:
        """Copy the extension with its installed packages; return its folder."""
        source, copy = _ROOT / "editors" / "vscode", self.folder / "editors" / "vscode"
        built = shutil.ignore_patterns("node_modules", "dist", "server", "libs", "*.vsix")
        # The folder `src/server` is no result of a build.
        shutil.copytree(source, copy, ignore=lambda at, names: _kept(at, names, built, source))
        self._adopt(copy)
        shutil.copytree(
            source / "node_modules", copy / "node_modules", symlinks=True, copy_function=_linked
        )
        return copy

    def _adopt(self, folder: Path) -> None:
        """Give all files the modes and times that they have where this person works."""
        moment = (self._year - 1970) * 365 * 86400
        for path in folder.rglob("*"):
            path.chmod((0o777 if path.is_dir() else 0o666) & ~self._umask)
            os.utime(path, (moment, moment))

    def run(self, *command: str, cwd: Path | None = None) -> None:
        """Run a command as this person does; fail with its output if it fails."""
        done = subprocess.run(
            command,
            cwd=cwd or self.folder,
            env=self._variables,
            umask=self._umask,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def two_copies(folder: Path) -> tuple[Copy, Copy]:
    """Return two that have nothing in common but the sources."""
    return (
        Copy(folder / "one", year=2021, umask=0o022, zone="Europe/Berlin"),
        Copy(folder / "another place", year=2024, umask=0o077, zone="Pacific/Auckland"),
    )


def _kept(at: str, names: list[str], built, source: Path) -> set[str]:
    return set(built(at, names)) if Path(at) in (source, source / "bundled") else set()


def _linked(source: str, copy: str) -> None:
    with contextlib.suppress(OSError):
        os.link(source, copy)
        return
    shutil.copy2(source, copy)
