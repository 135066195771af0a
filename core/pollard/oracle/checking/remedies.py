"""Remedies for flaky failures: changes of an oracle's command that take chance out of its runs."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.oracle.command import inner_words, names_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.oracle.command import CommandOracle

# A seed under which the original does not fail never shows the failure, so others are tried.
_HASH_SEEDS = range(8)
# A launcher names its interpreter in the first lines; a compiled program is not read to its end.
_READ_BYTES = 1 << 14


@dataclass(frozen=True, slots=True)
class Remedy:
    """A program that starts the oracle's command under conditions that are always the same.

    - `title`: what it does, for people, after "with": "PYTHONHASHSEED=0"
    - `prefix`: the words before the command
    """

    title: str
    prefix: tuple[str, ...]

    def applied(self, oracle: CommandOracle) -> CommandOracle:
        """Return the oracle with the prefix before its command."""
        command = oracle.command
        if not isinstance(command, str):
            program = _from_anywhere(command[0])
            return replace(oracle, command=(*self.prefix, program, *command[1:]))
        # The file is appended to the whole line, where the inner shell would not see it.
        named = command if oracle.stdin or names_file(command) else f"{command} {{file}}"
        return replace(oracle, command=f"{shlex.join(self.prefix)} sh -c {shlex.quote(named)}")

    def within(self, outer: Remedy) -> Remedy:
        """Return both remedies as one."""
        return Remedy(f"{self.title} and {outer.title}", (*outer.prefix, *self.prefix))


def _from_anywhere(program: str) -> str:
    """Return the program for a run's directory; only as the first word it begins in the workspace."""
    is_relative = Path(program).name != program and not Path(program).is_absolute()
    return f"{{workspace}}/{program}" if is_relative and "{" not in program else program


@dataclass(frozen=True, slots=True)
class RemedyKind:
    """Remedies against one cause; if the original does not fail under one, the next may be right.

    - `title`: the kind, for people, after "with"
    - `remedies`: the remedies, in the order in which to try them
    """

    title: str
    remedies: tuple[Remedy, ...]

    def within(self, outer: Remedy) -> RemedyKind:
        """Return the kind with another remedy added to each of its own."""
        return RemedyKind(
            f"{self.title} and {outer.title}", tuple(each.within(outer) for each in self.remedies)
        )


def kinds_for(oracle: CommandOracle, filename: str) -> list[RemedyKind]:
    """Return the kinds of remedies that may help, the most likely first; all together come last.

    Whether their programs work here is for the caller to try. None are known for Windows.
    """
    if sys.platform == "win32" or not can_be_wrapped(oracle, filename):
        return []
    alone = list(_kinds(oracle, filename))
    if len(alone) <= 1:
        return alone
    together = alone[0]
    for kind in alone[1:]:
        together = together.within(kind.remedies[0])
    return [*alone, together]


def can_be_wrapped(oracle: CommandOracle, filename: str) -> bool:
    """Return whether no path needs quotes, which in a script within a script would end too early."""
    paths = (filename, str(oracle.workspace), tempfile.gettempdir())
    return not isinstance(oracle.command, str) or all(shlex.quote(each) == each for each in paths)


def _kinds(oracle: CommandOracle, filename: str) -> Iterator[RemedyKind]:
    if _runs_python(oracle, filename):
        seeds = [f"PYTHONHASHSEED={seed}" for seed in _HASH_SEEDS]
        remedies = tuple(Remedy(each, ("env", each)) for each in seeds)
        yield RemedyKind("a fixed PYTHONHASHSEED", remedies)
    if sys.platform == "linux":
        if shutil.which("setarch"):
            yield _single("fixed addresses", "setarch", "-R")
        allowed = os.sched_getaffinity(0)
        if shutil.which("taskset") and len(allowed) > 1:
            yield _single("one CPU", "taskset", "-c", str(min(allowed)))


def _single(title: str, *prefix: str) -> RemedyKind:
    return RemedyKind(title, (Remedy(title, prefix),))


def _runs_python(oracle: CommandOracle, filename: str) -> bool:
    """Return whether Python is in the command, or in the first lines of a script that it names."""
    named = inner_words(oracle.command, oracle.workspace)
    if Path(filename).suffix == ".py" or any("python" in Path(word).name for word in named):
        return True
    return any(b"python" in text for text in _beginnings(oracle))


def _beginnings(oracle: CommandOracle) -> Iterator[bytes]:
    """Yield the first kilobytes of each program or script that the command of an oracle names."""
    for word in inner_words(oracle.command, oracle.workspace):
        yield _beginning(Path(shutil.which(word) or oracle.workspace / word))


def beginnings_of_scripts(oracle: CommandOracle) -> Iterator[bytes]:
    """Yield the first kilobytes of each script that the command names; programs have null bytes."""
    return (text for text in _beginnings(oracle) if b"\0" not in text)


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(_READ_BYTES)
    except OSError:
        return b""
