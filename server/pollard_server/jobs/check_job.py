"""A check of an oracle: runs it on the unchanged document and reports the outcome."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pollard.errors import Cancelled, PollardError
from pollard.executors import check_oracle
from pollard.executors.sandbox.sandboxes import Means, means_here
from pollard.oracle import Health
from pollard.oracle.sandbox_policy import SandboxLevel
from pollard.oracle_setup.presets import preset_named, trial_of
from pollard.oracle_setup.trying import tried
from pollard_server.client.connection import chosen_title
from pollard_server.client.open_documents import encoded
from pollard_server.jobs.job_thread import JobThread
from pollard_server.jobs.permits import TRIAL, fetch_settings, request_permit, request_trial_permit
from pollard_server.protocol.conversion import to_json
from pollard_server.protocol.notifications import CHECKED, CheckedParams
from pollard_server.trust import NotAllowed

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from pollard.oracle import Check, CommandOracle
    from pollard.oracle_setup.presets import Trial
    from pollard_server.client.open_documents import OpenDocument
    from pollard_server.configuration import DocumentSettings
    from pollard_server.jobs.job_thread import Services
    from pollard_server.protocol.arguments import CheckOracleArguments

logger = logging.getLogger(__name__)

TRY_WITHOUT = "Try Once Without the Sandbox"
_IS_DENIED = (
    "Without its sandbox the oracle {0!r} holds, so the sandbox denies what the command needs. Allow "
    "that in [oracles.{0}.sandbox]: a folder in `write` or `read`, `network = true`, or a variable in "
    "`env`."
)
_IS_NOT_DENIED = "The sandbox is not the reason: the oracle {0!r} does not hold without it either."


class CheckJob:
    """Runs an oracle on a document's text several times, in a worker thread."""

    def __init__(
        self,
        services: Services,
        document: OpenDocument,
        arguments: CheckOracleArguments,
        ended: Callable[[CheckJob], None],
        again: Callable[[OpenDocument, CheckOracleArguments], object],
    ) -> None:
        """`again` starts another check, if the user wants one; both calls come in the loop's thread."""
        self.document = document
        self._services = services
        self._arguments = arguments
        self._again = again
        self._text, self._encoding = document.snapshot.text, document.encoding
        self._worker = JobThread("check", self._work, lambda: services.client.post(ended, self))

    @property
    def id(self) -> str:
        """The check's name in this session."""
        return self._worker.id

    def start(self) -> None:
        """Start the worker thread."""
        self._worker.start()

    def stop(self) -> None:
        """End soon, from any thread."""
        self._worker.stop()

    def join(self, seconds: float) -> bool:
        """Wait for the check's thread to end, from any other; return whether it did."""
        return self._worker.join(seconds)

    def _work(self) -> None:
        try:
            self._check()
        except Cancelled:
            self._report(Health.BROKEN, "The check was stopped.")
            raise
        except NotAllowed as error:
            self._report(Health.BROKEN, str(error), quietly=self._arguments.is_trial)
        except PollardError as error:
            self._report(Health.BROKEN, str(error))
        except Exception:
            logger.exception("%s failed", self.id)
            self._report(Health.BROKEN, "The check ended with an internal error; see the log.")

    def _check(self) -> None:
        services, arguments = self._services, self._arguments
        document_settings = fetch_settings(services, self._worker, self.document)
        if arguments.preset is not None:
            self._try_preset(arguments.preset, document_settings)
            return
        if arguments.definition is None:
            permit = request_permit(
                services,
                self._worker,
                self.document,
                document_settings,
                arguments.oracle,
                without_sandbox=not arguments.sandbox,
            )
        else:
            permit = request_trial_permit(
                services, self._worker, self.document, document_settings, arguments.definition
            )
        text = encoded(self._text, self._encoding)
        with services.shares.share() as share:
            checked = check_oracle(
                permit.oracle,
                self.document.name,
                text,
                runs=arguments.checks or document_settings.settings.checks,
                cancelled=self._worker.stopping,
                share=share,
                on_step=None if arguments.definition is not None else self._on_step,
            )
        params = CheckedParams.of(self.id, self.document.uri, text, checked)
        services.client.notify(CHECKED, to_json(params))
        if arguments.definition is not None and checked.runs:  # the user chooses criteria next
            return
        self._tell(checked, permit.oracle)

    def _tell(self, checked: Check, oracle: CommandOracle) -> None:
        """Show the outcome. Where a sandbox may be the reason, offer to try once without it."""
        client = self._services.client
        seen = checked.describe()
        if not self._arguments.sandbox:
            meaning = _IS_DENIED if checked.interesting else _IS_NOT_DENIED
            seen = f"{meaning.format(oracle.name)}\n{seen}"
        if checked.health is Health.UNINTERESTING and _is_confined(oracle):
            answer = client.ask(lsp.MessageType.Warning, seen, [TRY_WITHOUT])
            answer.add_done_callback(self._answered)
        else:
            kind = lsp.MessageType.Info if checked.interesting else lsp.MessageType.Warning
            client.show(kind, seen)

    def _answered(self, answer: Future[str | None]) -> None:
        if chosen_title(answer) == TRY_WITHOUT:
            arguments = replace(self._arguments, sandbox=False)
            self._services.client.post(self._again, self.document, arguments)

    def _try_preset(self, name: str, document_settings: DocumentSettings) -> None:
        """Try the oracle of a preset, and report which criteria the user can choose."""
        services, document = self._services, self.document
        file = document.folder / document.name
        trial = trial_of(preset_named(name), self._arguments.answers or {}, file)

        def permitted(trial: Trial) -> CommandOracle:
            definition = trial.definition
            return request_trial_permit(
                services, self._worker, document, document_settings, definition
            ).oracle

        oracle = permitted(trial)
        with services.shares.share() as share:
            seen = tried(
                trial,
                oracle,
                document.name,
                encoded(self._text, self._encoding),
                among_links=permitted,
                cancelled=self._worker.stopping,
                share=share,
            )
        params = CheckedParams.of_preset(self.id, document.uri, seen)
        services.client.notify(CHECKED, to_json(params))
        if not seen.proposals:
            services.client.show(lsp.MessageType.Warning, seen.describe())

    def _on_step(self, what: str) -> None:
        self._services.client.log(lsp.MessageType.Info, f"{self.id}: measuring {what}")

    def _report(self, health: Health, sentence: str, *, quietly: bool = False) -> None:
        params = CheckedParams(
            id=self.id,
            uri=self.document.uri,
            oracle=TRIAL if self._arguments.is_trial else self._arguments.oracle or "",
            health=health.value,
            interesting=False,
            description=sentence,
        )
        self._services.client.notify(CHECKED, to_json(params))
        if not quietly and not self._worker.stopping.is_set():
            self._services.client.show(lsp.MessageType.Error, sentence)


def _is_confined(oracle: CommandOracle) -> bool:
    """Return whether a sandbox confines the runs of an oracle, so that it may be what they lack."""
    has_sandbox = oracle.sandbox.level is not SandboxLevel.OFF and oracle.diagnoser is None
    return has_sandbox and means_here()[0] is not Means.NOTHING
