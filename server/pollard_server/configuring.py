"""Tells which oracles a document has, and what its settings file is with one more."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from pygls.uris import from_fs_path

from pollard.errors import PollardError
from pollard.settings.editing import name_for, own_file, with_oracle
from pollard.settings.readers import command
from pollard.settings.settings_file import read_text
from pollard_server import results
from pollard_server.trust.visible import visible

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.oracle import Oracle
    from pollard_server.arguments import ConfigureOracle
    from pollard_server.configuration import DocumentSettings
    from pollard_server.documents import Document
    from pollard_server.session import Session


def told(document: Document, session: Session) -> results.OracleChoices:
    """Return what is told of a document's oracles, by the settings that are known."""
    language = document.language
    offered = session.choices(document, language)
    found = session.configuration.known(document.uri)
    return results.OracleChoices(
        language=language,
        oracles=tuple(
            results.OracleChoice(
                name=name,
                command=_shown(oracle),
                is_default=name == offered.default,
                obstacle=offered.obstacles.get(name),
            )
            for name, oracle in offered.oracles.items()
        ),
        obstacle=offered.obstacle,
        reason=offered.reason,
        file=_uri(found.file) if found and found.file else None,
    )


def usable(document: Document, session: Session) -> DocumentSettings:
    """Return a document's settings. Raises PollardError if they have a mistake or are not known."""
    found = session.configuration.known(document.uri)
    if found is None:
        raise PollardError(session.choices(document, None).obstacle or "")
    return found


def configured(
    document: Document, found: DocumentSettings, wish: ConfigureOracle
) -> results.Configured:
    """Return the settings file with the oracle in it; reads the disk.

    Raises PollardError if the definition is wrong or the file cannot be read.
    """
    settings, language = found.settings, document.language
    file = found.file or own_file(settings.workspace or document.folder)
    name = wish.name or name_for(_command(wish), settings.oracles)
    definition = dict(wish.definition)
    if language is not None:
        definition.setdefault("languages", [language])
    exists = file.exists()
    text = read_text(file) if exists else ""
    return results.Configured(
        name=name,
        uri=_uri(file),
        text=with_oracle(file, text, name, definition),
        created=not exists,
    )


def _shown(oracle: Oracle) -> str:
    command = oracle.command
    return visible(command if isinstance(command, str) else shlex.join(command))


def _command(wish: ConfigureOracle) -> str | tuple[str, ...]:
    try:
        return command(wish.definition.get("command"))
    except ValueError as error:
        raise PollardError(f"The command {error}.") from error


def _uri(file: Path) -> str:
    return from_fs_path(str(file)) or file.as_uri()
