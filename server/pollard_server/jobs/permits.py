"""Finds the oracle for a document, and gets the user's permit to run it.

Functions that wait must be called in a job's thread.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from lsprotocol import types as lsp

from pollard.errors import Cancelled
from pollard.executors import check_oracle
from pollard.executors.sandbox.execution import risk_of
from pollard.oracle.sandbox_policy import SandboxLevel
from pollard.oracle_setup.trying import trial_oracle
from pollard.settings import OracleSettings, usual_tools
from pollard.settings.usual_tools import oracle_for_diagnostics
from pollard_server.client.open_documents import encoded
from pollard_server.jobs.editor_oracle import EXPLANATION, editor_oracle

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pollard.oracle import CommandOracle
    from pollard.settings import Settings
    from pollard_server.client.open_documents import OpenDocument
    from pollard_server.configuration import DocumentSettings
    from pollard_server.jobs.job_thread import JobThread, Services
    from pollard_server.trust import Permit

#: The name of an oracle that is tried before it is configured, and its source in messages.
TRIAL = "trial"
ENTERED = "the editor"
_OF_EDITOR = "editor:"
#: The source of oracles that Pollard makes for diagnostics.
DIAGNOSTICS = "Pollard's list of tools"


class Target(Protocol):
    """What is reduced, an open document or a folder, as far as settings and permits need it."""

    @property
    def settings_uri(self) -> str:
        """The URI of the file whose settings hold."""

    @property
    def name(self) -> str:
        """Its name for people."""

    @property
    def folder(self) -> Path:
        """The folder of the document, or the folder itself."""

    @property
    def language(self) -> str | None:
        """The language's canonical id; None if no grammar knows it."""

    @property
    def warning(self) -> str | None:
        """What the user must know before an oracle runs; None if there is nothing."""


def fetch_settings(services: Services, worker: JobThread, target: Target) -> DocumentSettings:
    """Fetch the target's settings afresh; waits. Raises Cancelled and SettingsError."""
    fetched = services.configuration.fetch(target.settings_uri, services.roots())
    document_settings = worker.wait_for(fetched)
    settings = document_settings.settings
    if settings.executor.kind == "local":
        services.shares.max_runs = max(services.shares.max_runs, settings.workers)
    return document_settings


def request_permit(
    services: Services,
    worker: JobThread,
    target: Target,
    document_settings: DocumentSettings,
    name: str | None,
    *,
    on_files: bool = False,
    without_sandbox: bool = False,
) -> Permit:
    """Return the permit to run the oracle called `name`, or the default one for None; waits.

    With `on_files`, the target is a folder. With `without_sandbox`, nothing confines the oracle.
    Raises SettingsError if there is no such oracle, and NotAllowed if the user refuses.
    """
    _warn(services, target)
    if name is not None and name.startswith(_OF_EDITOR):
        oracle = editor_oracle(services.client, target, name)
        services.client.show(lsp.MessageType.Info, EXPLANATION.format(services.client.name))
        return services.trust.permit_without_command(oracle, worker.stopping)
    oracle = oracle_for(document_settings, target, name)
    if without_sandbox:
        oracle = replace(oracle, sandbox=replace(oracle.sandbox, level=SandboxLevel.OFF))
    source = _source(document_settings, oracle.name)
    risk = _risk(oracle, on_files=on_files)
    return services.trust.request(oracle, source, target.name, worker.stopping, risk=risk)


def request_trial_permit(
    services: Services,
    worker: JobThread,
    document: OpenDocument,
    document_settings: DocumentSettings,
    definition: Mapping[str, object],
) -> Permit:
    """Return the permit to try an oracle that is not configured; waits.

    Raises SettingsError if the definition is wrong, and NotAllowed if the user refuses.
    """
    settings = document_settings.settings
    file = document.folder / document.name
    oracle = trial_oracle(definition, settings, document.language, file, ENTERED)
    _warn(services, document)
    trust, stopping = services.trust, worker.stopping
    risk = _risk(oracle)
    return trust.request(oracle, ENTERED, document.name, stopping, trial=True, risk=risk)


def _risk(oracle: CommandOracle, *, on_files: bool = False) -> str:
    """Return what may happen since candidates are executed and nothing confines them; else ""."""
    return risk_of(oracle, on_files=on_files)


def _warn(services: Services, target: Target) -> None:
    """Show what the user must know before an oracle runs on the target."""
    if target.warning is not None:
        services.client.show(lsp.MessageType.Warning, target.warning)


def oracle_for(
    document_settings: DocumentSettings, target: Target, name: str | None
) -> CommandOracle:
    """Return the oracle called `name`, or the settings' choice for None.

    The name may be a diagnostic, such as "ruff:F821", or one for the language server of an oracle,
    which is written with the oracle's name. Raises SettingsError if there is no such oracle.
    """
    settings = document_settings.settings
    server = None if name in settings.oracles else _server_for(settings, name)
    if server is not None:
        settings = settings.with_oracle(server)
    elif name is not None and name not in settings.oracles and is_diagnostic(name):
        oracle = _diagnostic_oracle(name, target)
        settings, name = settings.with_oracle(oracle), oracle.name
    chosen = settings.oracle_for(target.language, name)
    return chosen.to_oracle(settings.workspace or target.folder, target.folder / target.name)


def _server_for(settings: Settings, name: str | None) -> OracleSettings | None:
    """Return the language server of "NAME:CODE MESSAGE", asked for this; None if NAME is none."""
    head, colon, wanted = (name or "").partition(":")
    oracle = settings.oracles.get(head)
    if not colon or oracle is None or oracle.kind != "lsp":
        return None
    return OracleSettings(
        command=oracle.command,
        kind="lsp",
        name=f"{head}:{wanted}",
        diagnostic=(f"lsp:{wanted}",),
        files=oracle.files,
        timeout=oracle.timeout,
        memory=oracle.memory,
        sandbox=oracle.sandbox,
    )


def is_diagnostic(name: str) -> bool:
    """Return whether an oracle of this name is made for a diagnostic, and not configured."""
    if ":" not in name:
        return False
    return usual_tools.is_diagnostic(name)


def _diagnostic_oracle(name: str, target: Target) -> OracleSettings:
    return oracle_for_diagnostics([name], target.folder / target.name)


def _source(document_settings: DocumentSettings, name: str) -> str:
    """Return, for users, where an oracle is defined, or the one whose language server is asked."""
    for known in (name, name.partition(":")[0]):
        if known in document_settings.settings.oracles:
            return document_settings.origin_of(known)
    return DIAGNOSTICS


def final_text_problem(
    services: Services, worker: JobThread, document: OpenDocument, permit: Permit
) -> str:
    """Run the oracle on the buffer's final text; return why it is not interesting, "" if it is.

    The editor may have changed line ends, and then the engine has not tried exactly that text.
    """
    try:
        seen = services.call_on_loop(lambda: document.snapshot.text)
        text = encoded(worker.wait_for(seen), document.encoding)
        with services.shares.share() as share:
            checked = check_oracle(
                permit.oracle,
                document.name,
                text,
                runs=1,
                cancelled=worker.stopping,
                share=share,
            )
    except Cancelled:  # stopped after the reduction itself was done
        return ""
    return "" if checked.interesting else checked.describe()
