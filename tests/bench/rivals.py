"""Other reducers that can be installed from PyPI or Debian, each with the way to call it.

All are told to run one oracle at a time. They are given nothing that pollard is not given.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.cases import Case

_C = ("C", "C++")

# The case, the file that is to be reduced, and the test that exits with 0 if it is interesting.
Arguments = Callable[[Case, Path, Path], Sequence[str | Path]]


@dataclass(frozen=True)
class Rival:
    """A reducer: its program, what installs it, and its arguments."""

    name: str
    program: str
    install: str
    arguments: Arguments

    @property
    def path(self) -> str | None:
        """Where the program is; None if it is not installed."""
        beside = str(Path(sys.executable).parent)
        return shutil.which(self.program, path=f"{os.environ.get('PATH', '')}{os.pathsep}{beside}")

    def command(self, case: Case, file: Path, test: Path) -> list[str]:
        """Return the command that reduces `file` as long as `test` says that it is interesting."""
        assert self.path is not None
        return [self.path, *map(str, self.arguments(case, file, test))]

    def full_name(self) -> str:
        """Return the name with the version, if the program tells it."""
        assert self.path is not None
        said = subprocess.run(
            [self.path, "--version"],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            cwd=tempfile.gettempdir(),
        )
        number = re.search(r"\d+(\.\d+)+", said.stdout) if said.returncode == 0 else None
        return f"{self.name} {number[0]}" if number else self.name


def _picire(_case: Case, file: Path, test: Path) -> Sequence[str | Path]:
    return "--input", file, "--test", test, "--out", "out", "--atom", "both", "--quiet"


def _creduce(case: Case, file: Path, test: Path) -> Sequence[str | Path]:
    return "--n", "1", *(() if case.language in _C else ("--not-c",)), test, file.name


def _shrinkray(_case: Case, file: Path, test: Path) -> Sequence[str | Path]:
    return "--parallelism", "1", test, file


RIVALS = (
    Rival("Picire", "picire", "pip install picire 'setuptools<81'", _picire),
    Rival("C-Reduce", "creduce", "apt-get install creduce", _creduce),
    Rival("C-Vise", "cvise", "apt-get install cvise", _creduce),
    Rival("Shrink Ray", "shrinkray", "pip install shrinkray", _shrinkray),
)


def named(names: Iterable[str]) -> list[Rival]:
    """Return the rivals with these programs; all if none is named."""
    wanted = set(names)
    return [rival for rival in RIVALS if not wanted or rival.program in wanted]


def missing(rivals: Iterable[Rival]) -> str:
    """Say in one sentence which are not installed and how to install them; nothing if all are."""
    absent = [f"{rival.name} (`{rival.install}`)" for rival in rivals if rival.path is None]
    return f"Not installed: {', '.join(absent)}." if absent else ""
