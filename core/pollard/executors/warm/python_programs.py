"""Recognises commands that run a Python program, and reads what the interpreter would run."""

from __future__ import annotations

import re
import shlex
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.oracle.command import PreparedCommand

_INTERPRETER = re.compile(r"(?:python|pypy)[0-9.]*")
# Options of the interpreter that only change how it runs a program, and those of them with a value.
_FLAGS = "bBdEIOPqsSu"
_FLAGS_WITH_VALUE = "WX"
_MAX_HEAD_BYTES = 4096
_PIP_LONG_SHEBANG = re.compile(rb"'''exec' (.+) \"\$0\" \"\$@\"")


@dataclass(frozen=True, slots=True)
class PythonProgram:
    """What a command runs: an interpreter, its options, and a module, a script or code.

    `length` is the number of the command's words up to the program's own arguments.
    """

    interpreter: tuple[str, ...]
    mode: Literal["module", "script", "code"]
    target: str
    length: int

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the interpreter's command line up to the program's own arguments."""
        option = {"module": ("-m",), "code": ("-c",), "script": ()}[self.mode]
        return (*self.interpreter, *option, self.target)


def python_program(prepared: PreparedCommand) -> PythonProgram | None:
    """Return the Python program that a command is, or None.

    It must not depend on the candidate: a script that is the candidate, or beside it, is none.
    """
    if isinstance(prepared.command, str) or _depends_on_run(prepared.program):
        return None
    program, words = prepared.program, prepared.command
    if _INTERPRETER.fullmatch(Path(program).name):
        return _by_options(program, words[1:])
    return _by_first_line(Path(program))


def _depends_on_run(word: str) -> bool:
    return "{file}" in word or "{dir}" in word


def _by_options(program: str, words: Sequence[str]) -> PythonProgram | None:
    """Return what an interpreter with these arguments runs."""
    options: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-"):
            script = _script(word)
            used = 1 + len(words) - len(rest)
            found = PythonProgram((program, *options), "script", script, used)
            return found if script else None
        flags, kind, value = _divided(word)
        if kind and not value and not rest:
            return None
        if flags is None:
            return None
        value = value or (rest.pop(0) if kind else "")
        options += [f"-{flags}"] if flags else []
        if kind in ("m", "c"):
            mode: Literal["module", "code"] = "module" if kind == "m" else "code"
            if _depends_on_run(value):
                return None
            return PythonProgram((program, *options), mode, value, 1 + len(words) - len(rest))
        options += [f"-{kind}", value] if kind else []
    return None


def _divided(word: str) -> tuple[str | None, str, str]:
    """Divide a word of short options into flags, the option that takes a value, and that value.

    The flags are None if one of them is unknown.
    """
    letters = word[1:]
    flags = letters[: len(letters) - len(letters.lstrip(_FLAGS))]
    rest = letters[len(flags) :]
    if not rest:
        return flags or None, "", ""
    if rest[0] in (*_FLAGS_WITH_VALUE, "m", "c"):
        return flags, rest[0], rest[1:]
    return None, "", ""


def _script(word: str) -> str:
    """Return a script's path if it can be read here and is no archive; else ""."""
    path = Path(word)
    if _depends_on_run(word) or not path.is_absolute() or not path.is_file():
        return ""
    return "" if path.suffix == ".pyc" or zipfile.is_zipfile(path) else word


def _by_first_line(path: Path) -> PythonProgram | None:
    """Return what a script runs whose first line names a Python."""
    words = interpreter_words(path)
    script = _script(str(path))
    if not (script and words):
        return None
    found = shutil.which(words[0])
    if found is None or not _INTERPRETER.fullmatch(Path(found).name):
        return None
    read = _by_options(found, [*words[1:], script])
    return read and PythonProgram(read.interpreter, read.mode, read.target, 1)


def interpreter_words(script: Path) -> list[str]:
    """Return the interpreter of a script's first line with its options; [] if it names none."""
    try:
        with script.open("rb") as stream:
            return list(_interpreter_words(stream.read(_MAX_HEAD_BYTES)))
    except OSError:
        return []


def _interpreter_words(head: bytes) -> Iterator[str]:
    first, _, rest = head.partition(b"\n")
    if not first.startswith(b"#!"):
        return
    line = first[2:].strip()
    # An interpreter with a long path or a blank in it is called by a shell.
    if line == b"/bin/sh" and (match := _PIP_LONG_SHEBANG.match(rest)):
        line = match[1]
        yield from shlex.split(line.decode(errors="replace"))
        return
    interpreter, *argument = line.decode(errors="replace").split(maxsplit=1) or [""]
    if Path(interpreter).name == "env":
        yield from argument  # env takes one word, unless it is called with -S
    else:
        yield from (interpreter, *argument)
