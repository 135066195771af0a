"""The oracles that can reduce a document, the obstacles to that, and adding an oracle.

`oracles_for` uses only settings that are already known, because menus must not wait. `report` turns
its answer into the result of `pollard.oracles`. `with_new_oracle` implements
`pollard.configureOracle`.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pygls.uris import from_fs_path

from pollard.errors import PollardError
from pollard.oracle.diagnostics.wanted import text_for_server, wanted_like, wanted_of_editor
from pollard.oracle_setup.presets import PRESETS
from pollard.oracle_setup.suggested_commands import suggested_command
from pollard.oracle_setup.writing import new_settings
from pollard.settings import SettingsError
from pollard_server.actions import OfferedDiagnostic
from pollard_server.configuration.diagnostics import OWN_SOURCE
from pollard_server.jobs.permits import oracle_for
from pollard_server.protocol import results
from pollard_server.trust import UNTRUSTED, Consent
from pollard_server.trust.question import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from lsprotocol import types as lsp

    from pollard.oracle import CommandOracle
    from pollard.oracle_setup.presets import PresetQuestion
    from pollard_server.client.open_documents import OpenDocument
    from pollard_server.configuration import Configuration, DocumentSettings
    from pollard_server.jobs.permits import Target
    from pollard_server.protocol.arguments import ConfigureOracleArguments
    from pollard_server.trust import Trust

Reason = Literal["untrusted", "settings", "none"]

UNKNOWN = "The settings are not known yet; try again."
REFUSED = (
    "You did not allow the oracle {!r} to run; you are asked again when its settings change, or by the "
    "commands pollard.checkOracle and pollard.reduce."
)


@dataclass(frozen=True, slots=True)
class OfferedOracles:
    """The oracles that are offered for a document, by name, the default one first.

    `default` is the oracle that runs if a request names none; None if a request must name one.
    `obstacle` says why no oracle can run, and `reason` is the kind of that obstacle. `obstacles`
    says why single oracles cannot run, by name.
    """

    oracles: Mapping[str, CommandOracle] = field(default_factory=dict)
    default: str | None = None
    obstacle: str | None = None
    reason: Reason | None = None
    obstacles: Mapping[str, str] = field(default_factory=dict)


def oracles_for(
    target: Target, language: str | None, configuration: Configuration, trust: Trust
) -> OfferedOracles:
    """Return the oracles of a document or folder according to the known settings, without waiting."""
    document_settings = configuration.known(target.settings_uri)
    broken = configuration.known_error(target.settings_uri)
    if document_settings is None:
        obstacle = _sentence(broken) if broken else UNKNOWN
        return _if_trusted(OfferedOracles(reason="settings", obstacle=obstacle), trust)
    names = [oracle.name for oracle in document_settings.settings.oracles_for(language)]
    default, error = _default(document_settings, language)
    names.sort(key=lambda name: name != default)
    oracles = {name: oracle_for(document_settings, target, name) for name in names}
    offered = OfferedOracles(
        oracles=oracles,
        default=default,
        obstacle=None if names or error is None else _sentence(error),
        reason=None if names or error is None else "none",
        obstacles=_refused(oracles, trust),
    )
    return _if_trusted(offered, trust)


def offered_diagnostics(
    shown: Iterable[lsp.Diagnostic], *, asks_editor: bool, servers: Iterable[str] = ()
) -> tuple[OfferedDiagnostic, ...]:
    """Return those of an editor's diagnostics that Pollard can reduce to, each of them once.

    A tool that Pollard does not know can be asked for by the oracle of that name among `servers`, which
    are language servers, or with `asks_editor` by the editor.
    """
    by_source = {name.casefold(): name for name in servers}
    offered: dict[str, OfferedDiagnostic] = {}
    for diagnostic in shown:
        code = "" if diagnostic.code is None else str(diagnostic.code)
        source = diagnostic.source or ""
        wanted = wanted_like(source, code, diagnostic.message)
        if wanted is not None:
            text, title = str(wanted), f"{wanted.tool.title} {wanted.code or wanted.message}"
        elif source == OWN_SOURCE or not (asks_editor or source.casefold() in by_source):
            continue
        else:
            wanted = wanted_of_editor(source, code, diagnostic.message)
            server = by_source.get(source.casefold())
            text = text_for_server(server, code, diagnostic.message) if server else str(wanted)
            title = f"{source} {code or wanted.message}".strip()
        offered.setdefault(text, OfferedDiagnostic(text, title, diagnostic))
    return tuple(offered.values())


def report(target: Target, configuration: Configuration, trust: Trust) -> results.OracleChoices:
    """Return the result of `pollard.oracles` according to the known settings."""
    language = target.language
    offered = oracles_for(target, language, configuration, trust)
    document_settings = configuration.known(target.settings_uri)
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
        file=_uri(document_settings.file) if document_settings and document_settings.file else None,
    )


def usable_settings(
    document: OpenDocument, configuration: Configuration, trust: Trust
) -> DocumentSettings:
    """Return a document's settings. Raises PollardError if they are unknown or have a mistake."""
    document_settings = configuration.known(document.uri)
    if document_settings is None:
        raise PollardError(oracles_for(document, None, configuration, trust).obstacle or "")
    return document_settings


def with_new_oracle(
    document: OpenDocument, document_settings: DocumentSettings, arguments: ConfigureOracleArguments
) -> results.Configured:
    """Return the settings file's text with the new oracle added; reads the disk.

    Raises PollardError if the definition is wrong or the file cannot be read.
    """
    settings = document_settings.settings
    written = new_settings(
        arguments.definition,
        settings,
        document_settings.file,
        settings.workspace or document.folder,
        language=document.language,
        name=arguments.name,
    )
    return results.Configured(
        name=written.name, uri=_uri(written.file), text=written.text, created=written.created
    )


def presets_for(language: str | None) -> results.PresetChoices:
    """Return the result of `pollard.presets` for a document in some language."""

    def shown(question: PresetQuestion) -> results.ShownQuestion:
        default = suggested_command(language) if question.is_command else question.default
        return results.ShownQuestion(
            name=question.name,
            prompt=question.prompt,
            default=default,
            optional=question.optional,
        )

    return results.PresetChoices(
        tuple(
            results.PresetChoice(
                name=preset.name,
                title=preset.title,
                detail=preset.detail,
                questions=tuple(map(shown, preset.questions)),
            )
            for preset in PRESETS
        )
    )


def _if_trusted(offered: OfferedOracles, trust: Trust) -> OfferedOracles:
    """Return `offered`; in an untrusted workspace, with that as its obstacle."""
    if trust.trusted:
        return offered
    return OfferedOracles(
        offered.oracles, offered.default, UNTRUSTED, "untrusted", offered.obstacles
    )


def _default(
    document_settings: DocumentSettings, language: str | None
) -> tuple[str | None, SettingsError | None]:
    try:
        return document_settings.settings.oracle_for(language).name, None
    except SettingsError as error:
        return None, error


def _refused(oracles: Mapping[str, CommandOracle], trust: Trust) -> dict[str, str]:
    refused = (name for name in oracles if trust.state(oracles[name]) is Consent.REFUSED)
    return {name: REFUSED.format(name) for name in refused}


def _sentence(error: SettingsError) -> str:
    """Return the first problem as a sentence, with its place in a settings file."""
    problem = error.problems[0]
    return str(problem) if problem.line else f"{problem.message[:1].upper()}{problem.message[1:]}."


def _shown(oracle: CommandOracle) -> str:
    command = oracle.command
    return visible(command if isinstance(command, str) else shlex.join(command))


def _uri(file: Path) -> str:
    return from_fs_path(str(file)) or file.as_uri()
