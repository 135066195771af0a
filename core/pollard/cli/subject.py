"""What a command works on: the file, its language, and the oracle for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.errors import PollardError

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.cli.options import OracleRequest
    from pollard.oracle import Oracle
    from pollard.settings import OracleSettings, Settings
    from pollard.syntax.languages import Grammar

_NAME = "command line"


class FileError(PollardError):
    """FILE cannot be read, or is nothing that can be reduced."""


class RequestError(PollardError):
    """Options contradict each other."""


def read_file(file: Path) -> bytes:
    """Return the bytes of FILE; raise FileError, which says what is wrong with it."""
    if file.is_dir():
        raise FileError(f"{file} is a directory; name one file in it.")
    if not file.exists():
        raise FileError(f"There is no file {file}; correct its path.")
    if not file.is_file():
        raise FileError(f"{file} is not a regular file; copy its content to one.")
    try:
        return file.read_bytes()
    except OSError as error:
        raise FileError(f"{file} cannot be read: {error.strerror}; correct that.") from error


def grammar_for(file: Path, text: bytes, language: str | None) -> Grammar | None:
    """Return the grammar for FILE, None if none knows it or the language is "none".

    Raises UnknownLanguageError for a language that was named and is not there.
    """
    from pollard.syntax import languages  # noqa: PLC0415 (not for --help)

    if is_plain(language):
        return None
    name = language or languages.detect(file.name, text[: languages.HEAD])
    return languages.find(name) if name else None


def is_plain(language: str | None) -> bool:
    """Tell whether that is how one says that FILE is in no language."""
    from pollard.syntax.names import PLAIN  # noqa: PLC0415 (not for --help)

    return language is not None and language.strip().lower() in PLAIN


def oracle_for(
    request: OracleRequest, settings: Settings, file: Path, language: str | None
) -> Oracle:
    """Return the oracle: COMMAND, or one of the settings; the options win over both."""
    chosen = _given(request, settings, file, language) if request.command else None
    if chosen is None:
        chosen = settings.oracle_for(language, request.name)
    companions = tuple(str(path.absolute()) for path in request.companions)
    changes = {"files": (*chosen.files, *companions), **request.changes}
    workspace = settings.workspace or file.resolve().parent
    return replace(chosen, **changes).to_oracle(workspace)


def _given(
    request: OracleRequest, settings: Settings, file: Path, language: str | None
) -> OracleSettings:
    from pollard.cli.words import resolve  # noqa: PLC0415 (not for --help)

    if request.name is not None:
        raise RequestError("Give a COMMAND or --oracle NAME, not both.")
    command = resolve(request.command, file, request.companions)
    if not command or not command[0].strip():
        raise RequestError("COMMAND is empty; name a program after --.")
    table = {"oracles": {_NAME: {"command": command}}}
    return settings.merge(table, _NAME).oracle_for(language, _NAME)
