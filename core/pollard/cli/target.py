"""The target of a command: the file, the oracle for it, and the lines that may change.

The oracle does not run in the current directory, so the words of COMMAND must be resolved
(`resolve`). The first rule that fits a word applies; relative paths are looked up in the current
directory:

1. FILE itself becomes `{file}`: the user means the candidate. So does a directory that FILE is in, such
   as `.`, unless another word names FILE or the word before is an option such as `-I`. A command that
   reads all files there would find the original.
2. A companion (`--with`) becomes `{dir}/NAME`: its copy beside the candidate.
3. An existing file becomes its absolute path. But the first word needs a separator; without one it
   is a program on PATH. The word after `-o` or `--output` stays: each run writes a file of its own.
4. Likewise an existing directory becomes its absolute path, but only if the word has a separator or is
   `.` or `..`; `build` and `test` are often names of subcommands.
5. Everything else stays: options, `-Iinclude`, words with `{file}`, `{dir}` or `{workspace}`.

In a directory or among several files that are reduced, each word that names one of them becomes
`{dir}/PATH`, or `{file}` for the main file: rule 1 is for all of them. The first word and the script of
a shell, `sh run.sh`, are the oracle and not among them. A directory around them becomes `{dir}`. With
`--around`, a directory that FILE is in stays a relative path: runs have it, too.

A single word with blanks that is not a file is a shell command, in which nothing is replaced.
"""

from __future__ import annotations

import enum
import os
import re
import shlex
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from pollard.errors import PollardError
from pollard.oracle.command import names_output
from pollard.syntax.tree.document import Document

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence
    from typing import Any

    from pollard.cli.options import OracleRequest
    from pollard.oracle import CommandOracle
    from pollard.settings import OracleSettings, Settings
    from pollard.settings.schema import SandboxSettings
    from pollard.syntax.encodings.encoding import Encoding


_ORACLE_NAME = "command line"
_PLACEHOLDERS = ("{file}", "{dir}", "{workspace}")
_PATH_SEPARATORS = tuple(filter(None, (os.sep, os.altsep)))

_SHELLS = {"sh", "bash", "dash", "ksh", "zsh"}
# Options of shells: one with code as its value, and those with another value.
_CODE, _WITH_VALUE = re.compile(r"-\w*c"), {"-o", "+o", "-O", "+O"}
# Options whose value is a directory in which a program looks for what a file names.
_SEARCHING = re.compile(r"-([ILF]|i(system|quote|dirafter)|cp|classpath|-.*path)")


class Role(enum.Enum):
    """What a word of COMMAND is: the program, the script that a shell runs, or anything else."""

    PROGRAM = enum.auto()
    SCRIPT = enum.auto()
    OTHER = enum.auto()


class PlaceInRun(Protocol):
    """Tells what stands for a word of COMMAND that names what is reduced, or a directory around it."""

    def __call__(self, path: Path, *, role: Role, around: bool) -> str | None:
        """Return it, or None for other paths.

        `role`: what the word is; `around`: whether directories around count, which they never do for
        the program.
        """


def resolve(
    command: Sequence[str], place: PlaceInRun, companions: Sequence[Path] = ()
) -> str | tuple[str, ...]:
    """Return the oracle's command for the words of COMMAND, by the rules of the module's docstring."""
    if len(command) == 1 and len(command[0].split()) > 1 and not _exists(command[0]):
        return command[0]
    roles = _roles(command)
    is_named = any(map(_is_named, command, roles, repeat(place)))
    resolved = []
    for number, (word, role) in enumerate(zip(command, roles, strict=True)):
        if role is Role.PROGRAM and not _has_separator(word):
            resolved.append(word)  # on PATH
            continue
        if names_output(command, number) and place(Path(word), role=role, around=False) is None:
            resolved.append(word)
            continue
        around = number > 0 and not is_named and not _SEARCHING.fullmatch(command[number - 1])
        resolved.append(_resolved(word, place, companions, role=role, around=around))
    return tuple(resolved)


def _roles(command: Sequence[str]) -> list[Role]:
    roles = [Role.PROGRAM if number == 0 else Role.OTHER for number in range(len(command))]
    script = _script_of_shell(command)
    if script is not None:
        roles[script] = Role.SCRIPT
    return roles


def _script_of_shell(command: Sequence[str]) -> int | None:
    """Return which word of COMMAND is the script that a shell runs; None if it runs none."""
    if not command or Path(command[0]).stem not in _SHELLS:
        return None
    before = ""
    for number, word in enumerate(command[1:], 1):
        if _CODE.fullmatch(word):
            return None
        if not word.startswith(("-", "+")) and before not in _WITH_VALUE:
            return number
        before = word
    return None


def _is_named(word: str, role: Role, place: PlaceInRun) -> bool:
    """Return whether a word of COMMAND names what is reduced, itself or by a placeholder."""
    if _is_fixed(word):
        return _has_placeholder(word)
    return _has_placeholder(place(Path(word), role=role, around=False) or "")


def _is_fixed(word: str) -> bool:
    """Return whether a word is no path whatever files there are."""
    return not word or word.startswith("-") or _has_placeholder(word)


def _has_separator(word: str) -> bool:
    return any(separator in word for separator in _PATH_SEPARATORS)


def _has_placeholder(word: str) -> bool:
    return any(name in word for name in _PLACEHOLDERS)


def place_of(file: Path, top: Path | None = None) -> PlaceInRun:
    """Return the place of a single file: `{file}`.

    `top` is the directory that a run stands for, if it has what is around the file; directories in it
    stay where they are.
    """

    def place(path: Path, *, role: Role, around: bool) -> str | None:  # noqa: ARG001 (see the protocol)
        if _same(path, file):
            return "{file}"
        if not around or not is_in(file, path):
            return None
        if top is None:
            return "{file}"
        return os.path.relpath(path, top) if is_in(path, top) else None

    return place


def is_in(path: Path, directory: Path) -> bool:
    """Return whether a path is in a directory, or is the directory."""
    try:
        return directory.is_dir() and path.resolve().is_relative_to(directory.resolve())
    except OSError:
        return False


def _resolved(
    word: str, place: PlaceInRun, companions: Sequence[Path], *, role: Role, around: bool
) -> str:
    if _is_fixed(word):
        return word
    path = Path(word)
    is_directory = (_has_separator(word) or word in (".", "..")) and _exists(word) and path.is_dir()
    placed = place(path, role=role, around=around and is_directory)
    if placed is not None:
        return placed
    for companion in companions:
        if _same(path, companion):
            return os.path.join("{dir}", companion.name)  # noqa: PTH118 (it is no path yet)
    if not _exists(word):
        return word
    if path.is_file() or is_directory:
        return str(Path.cwd() / path)
    return word


def hints_about(command: Sequence[str], options: Container[str]) -> list[str]:
    """Return hints for what may be wrong about the words of COMMAND.

    `options` are Pollard's own, one of which may follow `--` by mistake.
    """
    return [*_misplaced(command, options), *_taken_for_files(command)]


def _misplaced(command: Sequence[str], options: Container[str]) -> list[str]:
    """Return a hint about long options of Pollard in COMMAND; most programs have short ones."""
    given = [word.split("=", 1)[0] for word in command[1:] if word.startswith("--")]
    ours = [option for option in given if option in options]
    if not ours:
        return []
    verb = "is" if len(ours) == 1 else "are"
    told = f"{', '.join(ours)} {verb} given to {command[0]}"
    return [f"hint: {told}, since options of Pollard come before --."]


def _taken_for_files(command: Sequence[str]) -> list[str]:
    """Return a hint for each word of COMMAND that looks like a subcommand, and is an existing file."""
    if len(command) == 1:
        return []
    return [
        f"hint: the word {word} was taken for the file {Path.cwd() / word}; no word is in a command "
        f'in quotes, such as "{command[0]} {word} {{file}}".'
        for number, word in enumerate(command)
        if number > 0
        and re.fullmatch(r"\w+", word)
        and Path(word).is_file()
        and not names_output(command, number)
    ]


def _exists(word: str) -> bool:
    """Return whether a word is a path that exists; one that is too long for a path is none."""
    return os.path.exists(word)  # noqa: PTH110 (Path.exists raises an error for a long word)


def _same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except (OSError, ValueError):
        return False


class FileError(PollardError):
    """FILE cannot be read or is not a regular file."""


class RequestError(PollardError):
    """Options contradict each other."""


def read_file(file: Path) -> bytes:
    """Return the bytes of FILE. Raises FileError."""
    if file.is_dir():
        raise FileError(f"{file} is a directory; name one file in it.")
    if str(file) == "-":
        message = (
            "FILE cannot be standard input; save that to a file, whose name tells the language."
        )
        raise FileError(message)
    if not file.exists():
        raise FileError(f"There is no file {file}; correct its path.")
    if not file.is_file():
        raise FileError(f"{file} is not a regular file; copy its content to one.")
    try:
        return file.read_bytes()
    except OSError as error:
        raise FileError(f"{file} cannot be read: {error.strerror}; correct that.") from error


def oracle_for(
    request: OracleRequest,
    settings: Settings,
    file: Path,
    language: str | None,
    place: PlaceInRun | None = None,
) -> CommandOracle:
    """Return the oracle: COMMAND or one of the settings, changed by the options.

    `place` says where the reduced files are in a run, if `file` is not the only one.
    """
    if request.server is not None:
        chosen = _server_oracle(request, settings, file, language)
    elif request.command:
        top = Path.cwd() if "around" in request.changes else None
        chosen = _command_oracle(request, settings, place or place_of(file, top), language)
    elif request.diagnostics and request.name is None:
        chosen = diagnostic_oracle(request.diagnostics, settings, file, language)
    else:
        chosen = settings.oracle_for(language, request.name)
    companions = tuple(str(path.absolute()) for path in request.companions)
    changes = {
        "files": (*chosen.files, *companions),
        "sandbox": sandbox_settings(request.sandbox, chosen.sandbox),
        **request.changes,
    }
    workspace = settings.workspace or file.resolve().parent
    if request.command and "around" in request.changes and is_in(file, Path.cwd()):
        workspace = Path.cwd()
    return replace(chosen, **changes).to_oracle(workspace, file)


def without_links_to(oracle: CommandOracle, files: Sequence[Path]) -> CommandOracle:
    """Return the oracle without links to files that change during the reduction, if it has links."""
    around = oracle.surroundings
    if around is None or not around.neighbours:
        return oracle
    apart = tuple(path.resolve() for path in files)
    return replace(oracle, surroundings=replace(around, apart=apart))


def diagnostic_oracle(
    texts: Sequence[str], settings: Settings, file: Path, language: str | None
) -> OracleSettings:
    """Return the oracle for diagnostics of FILE, with the limits of the settings."""
    from pollard.settings.usual_tools import oracle_for_diagnostics  # noqa: PLC0415 (not for --help)

    oracle = oracle_for_diagnostics(texts, file)
    return settings.with_oracle(oracle).oracle_for(language, oracle.name)


def sandbox_settings(
    options: Mapping[str, Any], settings: SandboxSettings | None = None
) -> SandboxSettings:
    """Return the settings changed by options, whose paths are relative to the current directory."""
    from pollard.settings.schema import SandboxSettings  # noqa: PLC0415 (not for --help)

    chosen = settings or SandboxSettings()
    lists = {name: options.get(name, ()) for name in ("read", "write", "env")}
    for name in ("read", "write"):
        lists[name] = tuple(str(Path(path).expanduser().absolute()) for path in lists[name])
    added = {name: (*getattr(chosen, name), *values) for name, values in lists.items()}
    return replace(chosen, **{**options, **added})


def _command_oracle(
    request: OracleRequest, settings: Settings, place: PlaceInRun, language: str | None
) -> OracleSettings:
    if request.name is not None:
        raise RequestError("Give a COMMAND or --oracle NAME, not both.")
    command = resolve(request.command, place, request.companions)
    if not command or not command[0].strip():
        raise RequestError("COMMAND is empty; name a program after --.")
    table = {"oracles": {_ORACLE_NAME: {"command": command}}}
    return settings.merge(table, _ORACLE_NAME).oracle_for(language, _ORACLE_NAME)


def _server_oracle(
    request: OracleRequest, settings: Settings, file: Path, language: str | None
) -> OracleSettings:
    from pollard.settings.usual_tools import oracle_for_server  # noqa: PLC0415 (not for --help)

    if request.name is not None or request.command:
        raise RequestError("Give --lsp COMMAND without another COMMAND or --oracle.")
    try:
        words = shlex.split(request.server or "")
    except ValueError as error:
        raise RequestError(f"--lsp is no command: {error}.") from error
    if not words:
        raise RequestError('--lsp is empty; name a language server, as in "pylsp".')
    oracle = oracle_for_server(resolve(words, place_of(file), request.companions), file)
    return settings.with_oracle(oracle).oracle_for(language, oracle.name)


_LINE_RANGE = re.compile(r"\s*(\d*)\s*(:?)\s*(\d*)\s*")


def region(lines: str | None, file: bytes, encoding: Encoding) -> tuple[int, int] | None:
    """Return the byte range (start, end) of a file's lines `A:B`, `A:`, `:B` or `A`; None for None.

    Lines count from 1, and both ends are included. Raises click.UsageError for anything else.
    """
    if lines is None:
        return None
    match = _LINE_RANGE.fullmatch(lines)
    if match is None or not (match[1] or match[3]):
        raise click.UsageError(
            f"--lines must be A:B, A:, :B or A with line numbers, not {lines!r}."
        )
    text = encoding.decoded(file)
    document = Document(text)
    last = document.line_count - (text.endswith(b"\n") or not text)
    begin = int(match[1] or 1)
    end = int(match[3] or last) if match[2] else begin
    if not 1 <= begin <= end <= last:
        count = "1 line" if last == 1 else f"{last} lines"
        raise click.UsageError(f"--lines {lines} is out of range: the file has {count}.")
    return encoding.span_in_file(text, document.lines(begin, end))
