"""A recipe: a failing program, the line that reduces it, and what the result must show."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CASES = Path(__file__).parent / "cases"
_LIMIT_SECONDS = 540  # ends what hangs, before the limit of a test, so that its output is shown
# The programs of this environment come first, such as `pollard`.
SEARCH_PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
_LINES = re.MULTILINE
_RUNS = re.compile(r"([\d,]+) runs?\b")


@dataclass(frozen=True, slots=True)
class Recipe:
    """One file of `cases`, whose keys are the fields.

    - `command`: the line as a user types it; `needs` are the programs that must be installed for it
    - `runs`, `size`: the most oracle runs and the most bytes without white space
    - `again`: a line that runs the result again, which must end with `exit_code`
    - `shows`, `hides`: patterns that its output must and must not match
    - `keeps`: patterns that the result itself must match
    - `files`: names and texts; the first is reduced
    """

    command: str
    needs: list[str]
    runs: int
    size: int
    again: str
    files: dict[str, str]
    exit_code: int = 1
    shows: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: Path) -> Recipe:
        """Read a recipe's file. Raises TypeError if it has a wrong key, or lacks one."""
        return cls(**tomllib.loads(path.read_text(encoding="utf-8")))

    @property
    def file(self) -> Path:
        """The name of the file that is reduced: the first one."""
        return Path(next(iter(self.files)))


@dataclass(frozen=True, slots=True)
class Result:
    """What is left of a recipe's file; `size` in bytes without white space.

    `said` is what the reduction printed, and `shown` what the result printed when it was run again.
    `problems` says in words what does not hold; it is empty if all holds.
    """

    size: int
    runs: int
    text: str
    said: str
    shown: str
    problems: list[str]

    def __str__(self) -> str:
        """Return all of it in several lines."""
        return "\n".join([*self.problems, "", self.text, self.shown, self.said])


def cook(recipe: Recipe, folder: Path) -> Result:
    """Reduce a recipe's file in an empty folder, run the result again, and compare with the recipe."""
    _write(recipe.files, folder)
    done = _shell(recipe.command, folder)
    file = recipe.file
    reduced = folder / f"{file.stem}.reduced{file.suffix}"
    if done.returncode != 0 or not reduced.exists():
        return Result(0, 0, "", done.stdout, "", [f"exit code {done.returncode}"])
    text = reduced.read_text(encoding="utf-8")
    _write({**recipe.files, str(file): text}, folder / "again")
    shown = _shell(recipe.again, folder / "again")
    match = _RUNS.search(done.stdout)
    runs = int(match[1].replace(",", "")) if match else 0
    size = len("".join(text.split()).encode())
    problems = [*_misses(recipe, text, shown), *_excess(recipe, size, runs)]
    return Result(size, runs, text, done.stdout, shown.stdout, problems)


def _misses(recipe: Recipe, text: str, shown: subprocess.CompletedProcess[str]) -> list[str]:
    code = shown.returncode if shown.returncode >= 0 else 128 - shown.returncode  # of a signal
    expected = [] if code == recipe.exit_code else [f"exit code {code}, not {recipe.exit_code}"]
    return [
        *expected,
        *(f"no {each!r} in the output" for each in recipe.shows if not _in(each, shown.stdout)),
        *(f"{each!r} in the output" for each in recipe.hides if _in(each, shown.stdout)),
        *(f"no {each!r} in the result" for each in recipe.keeps if not _in(each, text)),
    ]


def _excess(recipe: Recipe, size: int, runs: int) -> list[str]:
    pairs = (("bytes", size, recipe.size), ("runs", runs, recipe.runs))
    return [f"{found} {what}, more than {most}" for what, found, most in pairs if found > most]


def _in(pattern: str, text: str) -> bool:
    return re.search(pattern, text, _LINES) is not None


def _write(files: dict[str, str], folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)


def _shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line as typed in bash, with the `pollard` of this environment.

    It has a session of its own: a result such as `os.kill(0, 6)` would end the tests. A line that
    hangs fails with what it has printed so far.
    """
    with subprocess.Popen(
        ["bash", "-c", line],
        cwd=folder,
        env={**os.environ, "PATH": SEARCH_PATH},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=_LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            raise AssertionError(f"{line!r} hangs after:\n{output}") from None
    return subprocess.CompletedProcess(line, process.returncode, output)
