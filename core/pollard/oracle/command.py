"""From the configured command to the arguments of one run: placeholders, PATH, the shell."""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.oracle.errors import OracleError

if TYPE_CHECKING:
    from collections.abc import Mapping

# Other braces (awk '{print}', ${VAR}) are none of our business. Quotes that directly enclose a
# placeholder are replaced with it, since the value brings its own.
_BARE = re.compile(r"(?<!\$)\{(?P<name>file|dir|workspace)\}")
_IN_SHELL = re.compile(rf"(?P<quote>[\"'])?{_BARE.pattern}(?(quote)(?P=quote))")
_SHELL = "/bin/sh"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A command whose program was found, ready to be filled in for each run."""

    command: tuple[str, ...] | str
    program: str
    append_file: bool
    workspace: Path

    def arguments(self, file: Path) -> list[str]:
        """The argument list for the candidate at the absolute path `file`."""
        values = self._values(file)
        if isinstance(self.command, str):
            return [_SHELL, "-c", self._script(values)]
        filled = [_fill(word, values) for word in self.command]
        return [*filled, values["file"]] if self.append_file else filled

    def program_for(self, file: Path) -> str:
        """The program to execute, which may itself be the candidate or lie beside it."""
        return _fill(self.program, self._values(file))

    def _values(self, file: Path) -> dict[str, str]:
        return {"file": str(file), "dir": str(file.parent), "workspace": str(self.workspace)}

    def _script(self, values: Mapping[str, str]) -> str:
        assert isinstance(self.command, str)
        script = _IN_SHELL.sub(lambda found: shlex.quote(values[found["name"]]), self.command)
        return f"{script} {shlex.quote(values['file'])}" if self.append_file else script


def prepare(
    command: tuple[str, ...] | str, workspace: Path, *, stdin: bool, owner: str = "oracle"
) -> Prepared:
    """Find the program of `command`; a relative path is taken from `workspace`.

    `owner` is whose command messages say that it is. Raises `OracleError` if the program is not there
    or may not be executed.
    """
    text = command if isinstance(command, str) else "\0".join(command)
    append = not stdin and not any(found["name"] == "file" for found in _BARE.finditer(text))
    if isinstance(command, str):
        return Prepared(command, _SHELL, append, workspace)
    first = command[0].replace("{workspace}", str(workspace))
    return Prepared(command, _find(first, workspace, owner), append, workspace)


def words(command: tuple[str, ...] | str, workspace: Path) -> list[str]:
    """The words of `command` with `{workspace}` filled in; a shell string is split roughly."""
    if isinstance(command, str):
        try:
            split = shlex.split(command)
        except ValueError:
            split = command.split()
    else:
        split = list(command)
    return [word.replace("{workspace}", str(workspace)) for word in split]


def _fill(word: str, values: Mapping[str, str]) -> str:
    return _BARE.sub(lambda found: values[found["name"]], word)


def _find(program: str, workspace: Path, owner: str) -> str:
    if "{" in program and _BARE.search(program):
        return program  # the candidate itself, or a file copied beside it
    if Path(program).name == program:
        found = shutil.which(program)
        if found is None:
            raise OracleError(_not_found(program, workspace, owner))
        return str(Path(found).absolute())
    path = workspace / program
    if not path.exists():
        message = f"The {owner}'s command {program!r} does not exist; correct its path."
        raise OracleError(message)
    if path.is_dir() or shutil.which(str(path)) is None:
        message = f"The {owner}'s command {str(path)!r} is not executable; run: chmod +x {path}"
        raise OracleError(message)
    return str(path)


def _not_found(program: str, workspace: Path, owner: str) -> str:
    if (workspace / program).is_file():
        return (
            f"The {owner}'s command {program!r} was not found on PATH; there is a file of that name "
            f"in {workspace}: write ./{program} to run it."
        )
    return (
        f"The {owner}'s command {program!r} was not found on PATH; install it or correct its name."
    )
