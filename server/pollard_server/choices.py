"""What a document can be reduced with, and what stands in the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pollard.settings import SettingsError
from pollard_server.jobs.oracles import oracle_for
from pollard_server.trust import UNTRUSTED, Consent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pollard.oracle import Oracle
    from pollard_server.configuration import Configuration, DocumentSettings
    from pollard_server.documents import Document
    from pollard_server.trust import Trust

Reason = Literal["untrusted", "settings", "none"]

UNKNOWN = "The settings are not known yet; try again."
REFUSED = (
    "You did not allow the oracle {!r} to run; you are asked again when its settings change, or by the "
    "commands pollard.checkOracle and pollard.reduce."
)


@dataclass(frozen=True, slots=True)
class Choices:
    """The oracles that are offered for a document, by name, the default one first.

    `default` is the one taken if none is named, None if one has to be. `obstacle` says why none can
    run, and `reason` which kind of obstacle that is; `obstacles` has what is against single ones.
    """

    oracles: Mapping[str, Oracle] = field(default_factory=dict)
    default: str | None = None
    obstacle: str | None = None
    reason: Reason | None = None
    obstacles: Mapping[str, str] = field(default_factory=dict)


def choices(
    document: Document, language: str | None, configuration: Configuration, trust: Trust
) -> Choices:
    """Return the choices by the settings that are known; `language` is the document's."""
    found = configuration.known(document.uri)
    broken = configuration.known_error(document.uri)
    if found is None:
        obstacle = _sentence(broken) if broken else UNKNOWN
        return _against(Choices(reason="settings", obstacle=obstacle), trust)
    names = [oracle.name for oracle in found.settings.oracles_for(language)]
    default, error = _default(found, language)
    names.sort(key=lambda name: name != default)
    oracles = {name: oracle_for(found, document, name) for name in names}
    offered = Choices(
        oracles=oracles,
        default=default,
        obstacle=None if names or error is None else _sentence(error),
        reason=None if names or error is None else "none",
        obstacles=_refused(oracles, trust),
    )
    return _against(offered, trust)


def _against(offered: Choices, trust: Trust) -> Choices:
    """Return the choices as they are in a workspace that is trusted or not."""
    if trust.trusted:
        return offered
    return Choices(offered.oracles, offered.default, UNTRUSTED, "untrusted", offered.obstacles)


def _default(
    found: DocumentSettings, language: str | None
) -> tuple[str | None, SettingsError | None]:
    try:
        return found.settings.oracle_for(language).name, None
    except SettingsError as error:
        return None, error


def _refused(oracles: Mapping[str, Oracle], trust: Trust) -> dict[str, str]:
    refused = (name for name in oracles if trust.state(oracles[name]) is Consent.REFUSED)
    return {name: REFUSED.format(name) for name in refused}


def _sentence(error: SettingsError) -> str:
    """Return the first problem as a sentence, with its place in a settings file."""
    problem = error.problems[0]
    return str(problem) if problem.line else f"{problem.message[:1].upper()}{problem.message[1:]}."
