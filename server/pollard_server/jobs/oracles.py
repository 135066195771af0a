"""From a document to the oracle that may run on it, with the user's permit.

The functions that wait are called in a job's thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.errors import Cancelled
from pollard.executors import check_oracle
from pollard_server.client.open_documents import encoded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pollard.oracle import CommandOracle
    from pollard_server.client.open_documents import OpenDocument
    from pollard_server.configuration import DocumentSettings
    from pollard_server.jobs.job_thread import JobThread, Services
    from pollard_server.trust import Permit

#: The name of an oracle that is tried before it is configured, and the source it is said to have.
TRIAL = "trial"
ENTERED = "the editor"


def settings_of(services: Services, worker: JobThread, document: OpenDocument) -> DocumentSettings:
    """Return the document's settings, fetched afresh; waits.

    Raises Cancelled and SettingsError.
    """
    fetched = services.configuration.fetch(document.uri, services.roots())
    found = worker.wait_for(fetched)
    services.shares.most = max(services.shares.most, found.settings.workers)
    return found


def permitted(
    services: Services,
    worker: JobThread,
    document: OpenDocument,
    found: DocumentSettings,
    name: str | None,
) -> Permit:
    """Return the user's permit to run an oracle on a document; waits.

    Raises SettingsError if no oracle fits, and NotAllowed.
    """
    oracle = oracle_for(found, document, name)
    source = found.origin_of(oracle.name)
    return services.trust.request(oracle, source, document.name, worker.stopping)


def trial_of(
    services: Services,
    worker: JobThread,
    document: OpenDocument,
    found: DocumentSettings,
    definition: Mapping[str, object],
) -> Permit:
    """Return the user's permit to try an oracle that is not configured; waits.

    Raises SettingsError if the definition is wrong, and NotAllowed.
    """
    settings = found.settings.merge({"oracles": {TRIAL: definition}}, ENTERED)
    chosen = settings.oracle_for(document.language, TRIAL)
    oracle = chosen.to_oracle(settings.workspace or document.folder)
    trust, stopping = services.trust, worker.stopping
    return trust.request(oracle, ENTERED, document.name, stopping, trial=True)


def oracle_for(found: DocumentSettings, document: OpenDocument, name: str | None) -> CommandOracle:
    """Return the oracle called `name`, or the settings' choice for None. Raises SettingsError."""
    settings = found.settings
    chosen = settings.oracle_for(document.language, name)
    return chosen.to_oracle(settings.workspace or document.folder)


def complaint(services: Services, worker: JobThread, document: OpenDocument, permit: Permit) -> str:
    """Run the oracle on the buffer's final text; return why it is not interesting, "" if it is.

    The engine has not run exactly that text if the editor changed its line ends.
    """
    try:
        seen = services.on_loop(lambda: document.snapshot.text)
        text = encoded(worker.wait_for(seen))
        with services.shares.share() as share:
            checked = check_oracle(
                permit.oracle,
                document.name,
                text,
                runs=1,
                cancelled=worker.stopping,
                share=share,
            )
    except Cancelled:  # the user stopped it when the reduction itself was already done
        return ""
    return "" if checked.interesting else checked.describe()
