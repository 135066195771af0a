"""The oracle for a diagnostic: the usual command of its tool, with the files that configure the tool.

The run's directory stands for the topmost directory that has one of these files. So rules for paths,
such as `per-file-ignores`, hold for candidates as they hold for the original.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.oracle.diagnostics.surroundings import Surroundings
from pollard.oracle.diagnostics.tools import EDITOR, known_tools
from pollard.oracle.diagnostics.wanted import (
    SERVER,
    name_of,
    no_tool,
    only_in_editors,
    wanted_from,
)
from pollard.settings.compile_flags import compile_flags
from pollard.settings.schema import OracleSettings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.oracle.diagnostics.tools import Tool, ToolProject
    from pollard.oracle.diagnostics.wanted import WantedDiagnostic

_ENDS_OF_PROJECT = (".git", ".hg")
# Writes the text $0 into the file $1, and runs the other words.
_WRITE_AND_RUN = 'printf %s "$0" > "$1" && shift && exec "$@"'
# Where projects have programs of their own.
_PROGRAMS = ("node_modules/.bin", ".venv/bin", "venv/bin", ".venv/Scripts", "venv/Scripts")


def oracle_for_diagnostics(texts: Sequence[str], file: Path) -> OracleSettings:
    """Return the oracle for diagnostics of a file, which are written "TOOL:CODE MESSAGE".

    Its name is the text of the diagnostics. Raises `OracleError` if they are not of one known tool, or
    if Pollard cannot run that tool.
    """
    wanted = [wanted_from(text) for text in texts]
    tool = wanted[0].tool
    if any(each.tool is not tool for each in wanted):
        raise OracleError("All diagnostics must be reported by the same tool; name one tool.")
    if tool.name == SERVER:
        raise OracleError(no_tool(texts[0]))
    if tool.name == EDITOR:
        raise OracleError(only_in_editors(texts[0]))
    if not tool.command:
        message = (
            f"Pollard cannot know how {tool.title} is to be called; give its command, as in "
            f"--diagnostic {tool.name} -- {tool.name} ... {{file}}."
        )
        raise OracleError(message)
    folders = list(_folders_of_project(file.absolute().parent))
    config, surroundings = _around([tool], folders)
    return OracleSettings(
        command=_command(wanted, file.absolute(), folders, config, surroundings.root),
        name=name_of(wanted),
        diagnostic=tuple(map(str, wanted)),
        files=tuple(map(str, config)),
        surroundings=surroundings,
    )


def oracle_for_server(command: tuple[str, ...] | str, file: Path) -> OracleSettings:
    """Return the oracle for a language server, with the files that configure any known tool."""
    folders = list(_folders_of_project(file.absolute().parent))
    config, surroundings = _around(list(known_tools().values()), folders)
    program, *arguments = [command] if isinstance(command, str) else command
    return OracleSettings(
        command=(_program(program, folders), *arguments),
        kind="lsp",
        name=Path(program).name,
        files=tuple(map(str, config)),
        surroundings=surroundings,
    )


def _around(tools: Sequence[Tool], folders: Sequence[Path]) -> tuple[list[Path], Surroundings]:
    """Return the files that configure tools, and the surroundings; the first folder is the file's."""
    found = (path for folder in folders for tool in tools for path in _config_files(tool, folder))
    config = list(dict.fromkeys(found))
    names = dict.fromkeys(name for tool in tools for name in tool.links)
    links = [path for folder in folders for name in names if (path := folder / name).is_dir()]
    neighbours = any(tool.neighbours for tool in tools) and _ends_project(folders[-1])
    highest = [folders[-1]] if neighbours else [path.parent for path in (*config, *links)]
    root = min(highest, key=_depth, default=folders[0])
    return config, Surroundings(root, folders[0].relative_to(root), tuple(links), neighbours)


def is_diagnostic(name: str) -> bool:
    """Return whether an oracle with this name is one for a diagnostic that Pollard can make."""
    try:
        tool = wanted_from(name).tool
        return ":" in name and (bool(tool.command) or tool.name == EDITOR)
    except OracleError:
        return False


def _folders_of_project(folder: Path) -> Iterator[Path]:
    """Yield a folder and those above it, up to the project's own or the user's."""
    for each in (folder, *folder.parents):
        yield each
        if each == Path.home() or _ends_project(each):
            return


def _ends_project(folder: Path) -> bool:
    return any((folder / name).exists() for name in _ENDS_OF_PROJECT)


def _config_files(tool: Tool, folder: Path) -> Iterator[Path]:
    """Yield the files in a folder that configure a tool, in the order of their patterns."""
    found = (path for pattern in tool.config for path in sorted(folder.glob(pattern)))
    yield from dict.fromkeys(path for path in found if path.is_file())


def _depth(folder: Path) -> int:
    return len(folder.parts)


def _command(
    wanted: Sequence[WantedDiagnostic],
    file: Path,
    folders: Sequence[Path],
    config: Sequence[Path],
    root: Path,
) -> tuple[str, ...]:
    tool = wanted[0].tool
    program, *arguments = tool.command
    program = _program(program, folders)
    settings = next((path for path in config if path.name == tool.config[0]), None)
    if tool.project and settings and Path(program).is_absolute():
        return _in_project(tool.project, (program, *arguments), file, settings, root)
    if tool.flags:
        index = arguments.index(tool.flags)
        flags = [*compile_flags(file, folders), *(flag for each in wanted for flag in each.flags)]
        arguments[index:index] = flags
    return (program, *arguments)


def _in_project(
    project: ToolProject, command: Sequence[str], file: Path, settings: Path, root: Path
) -> tuple[str, ...]:
    """Return the command for a project that consists of the file and of what it imports."""
    original = file.relative_to(settings.parent).as_posix()
    text = project.text.replace("{config}", settings.name).replace("{original}", original)
    place = (settings.parent.relative_to(root) / project.name).as_posix()
    words = [word for word in command if word != "{file}"]
    words += [word.replace("{project}", place) for word in project.arguments]
    return ("/bin/sh", "-c", _WRITE_AND_RUN, text, place, *words)


def _program(name: str, folders: Sequence[Path]) -> str:
    """Return the path of a program: the project's own, or the one on PATH; else its name."""
    places = os.pathsep.join(str(folder / inner) for folder in folders for inner in _PROGRAMS)
    found = shutil.which(name, path=places) or shutil.which(name)
    return str(Path(found).absolute()) if found else name
