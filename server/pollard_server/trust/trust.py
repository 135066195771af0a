"""Decides whether an oracle may run: by remembered consents, or by asking the user."""

from __future__ import annotations

import enum
import threading
from contextlib import contextmanager
from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING, Protocol

from lsprotocol import types as lsp

from pollard.errors import PollardError
from pollard_server.trust.consents import Consents, TrialAnswers
from pollard_server.trust.pin import Pins
from pollard_server.trust.question import ALWAYS, ONCE, TITLES, question, question_about

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future

    from pollard.oracle import CommandOracle

SEAL = object()


class NotAllowed(PollardError):
    """The oracle may not run; the text says why and what to do about it."""


class Consent(enum.Enum):
    """The user's consent to an oracle, as known before asking."""

    GIVEN = "given"
    NEEDED = "needed"
    REFUSED = "refused"
    UNTRUSTED = "untrusted"


@dataclass(frozen=True, slots=True)
class Permit:
    """The user's consent to run exactly `oracle`, for one request.

    `pin` is the hash of what the user consented to. Only `Trust` makes permits: the seal is no
    field, so neither a call nor `dataclasses.replace` can make one for another oracle.
    """

    oracle: CommandOracle
    pin: str
    seal: InitVar[object]

    def __post_init__(self, seal: object) -> None:
        if seal is not SEAL:
            message = "only Trust.request makes permits"
            raise TypeError(message)


# The interval at which an open question checks for a cancellation: nothing can wait for both an Event
# and a condition.
_POLL_SECONDS = 0.025
# The most times to ask, if the files change while the user reads the question.
_MAX_QUESTIONS = 3
# The answer of a user whose consent is on disk.
_STANDING = "standing consent"


UNTRUSTED = (
    "This workspace is not trusted, so none of its commands may run; trust it in your editor "
    '(in Visual Studio Code: "Workspaces: Manage Workspace Trust"), then start again.'
)


class AskingClient(Protocol):
    """The part of the client that asking for consent needs."""

    def ask(self, kind: lsp.MessageType, message: str, titles: Sequence[str]) -> Future[str | None]:
        """Ask the user; the future holds one of `titles` or None."""

    def show(self, kind: lsp.MessageType, message: str) -> None:
        """Show the user a message."""

    def log(self, kind: lsp.MessageType, message: str) -> None:
        """Write to the editor's log."""


@dataclass(frozen=True, slots=True)
class _Asking:
    """One request, and the numbers of revocations and refusals when it began."""

    cancelled: threading.Event
    revocations: int
    refused_so_far: int


class Trust:
    """The user's consents during one session; any thread may use it.

    `request` is the only way to a permit. It reads every file that the consent covers before and
    after the question, so that nothing can be changed while the user reads. It cannot protect from
    somebody who changes files in the workspace while the oracle runs, nor from the owner of a
    program on PATH.
    """

    def __init__(
        self, client: AskingClient, *, trusted: object = True, consents: Consents | None = None
    ) -> None:
        """Prepare a session; `trusted` is the client's word; only `True` means yes."""
        self._client = client
        self._consents = consents or Consents()
        self._pins = Pins()
        self._trials = TrialAnswers()
        self._trusted = trusted is True
        self._revocations = 0
        self._asking: set[str] = set()
        self._refused_so_far = 0
        self._refusals: dict[str, int] = {}
        self._changed = threading.Condition()

    @property
    def trusted(self) -> bool:
        """Whether the client trusts the workspace enough for the user to be asked.

        Only `True` means yes. Once it is false, open questions end and their answers do not count.
        """
        return self._trusted

    @trusted.setter
    def trusted(self, value: object) -> None:
        with self._changed:
            self._trusted = value is True
            self._revocations += not self._trusted
            self._changed.notify_all()
        if not self._trusted:
            self._trials.clear()

    def state(self, oracle: CommandOracle) -> Consent:
        """Return the consent as far as a menu needs it, within milliseconds; runs nothing."""
        if not self._trusted:
            return Consent.UNTRUSTED
        pin = self._pins.soon(oracle)
        if pin is None:
            return Consent.NEEDED
        if self._consents.holds(pin, oracle.workspace):
            return Consent.GIVEN
        with self._changed:
            return Consent.REFUSED if pin in self._refusals else Consent.NEEDED

    def request(
        self,
        oracle: CommandOracle,
        source: str,
        document: str,
        cancelled: threading.Event,
        *,
        trial: bool = False,
        risk: str = "",
    ) -> Permit:
        """Return the permit to run `oracle` for one request; asks the user if necessary.

        `source` and `document` tell the user where the oracle is defined and which text it will run
        on. Earlier refusals do not count, since this request is a new wish of the user. The answer
        to a `trial` is also valid for the next request for the same command, whatever its criteria
        are then; the question says so. A `risk` is a sentence about what the oracle may do although it
        should not; the user is asked about that once more, and may have consented to the oracle
        before.

        Blocks. Raises `NotAllowed`, also when `cancelled` is set or the client withdraws its trust.
        """
        with self._changed:
            asker = _Asking(cancelled, self._revocations, self._refused_so_far)
            self._check(asker)
        for _ in range(_MAX_QUESTIONS):
            pin = self._pins.now(oracle)
            with self._turn(pin, oracle, asker):
                known = self._known(pin, oracle, trial=trial)
                text = question(oracle, source, document, trial=trial)
                answer = known or self._asked(text, pin, oracle, asker)
                # The answer to a trial is one to both questions.
                is_open = bool(risk) and known in (None, _STANDING)
                is_asked = is_open and self._ask_once_more(risk, pin, oracle, asker)
                if (known == _STANDING and not is_asked) or self._pins.now(oracle) == pin:
                    permit = self._permit(pin, oracle, asker)
                    self._remember(answer, pin, oracle, trial=trial)
                    return permit
        message = (
            f"The files of the oracle {oracle.name!r} change again and again while you are asked "
            "about it; wait until they do not, then start once more."
        )
        raise NotAllowed(message)

    def permit_without_command(self, oracle: CommandOracle, cancelled: threading.Event) -> Permit:
        """Return the permit for an oracle that has the editor say what it reports.

        Nobody is asked, since no command runs. Raises `NotAllowed` in a workspace that is not trusted.
        """
        if oracle.command or oracle.formatter or oracle.diagnoser is None:
            message = "only oracles without any command need no consent"
            raise TypeError(message)
        with self._changed:
            asker = _Asking(cancelled, self._revocations, self._refused_so_far)
        return self._permit("", oracle, asker)

    def forget(self, oracle: CommandOracle) -> None:
        """Revoke a standing consent to `oracle` as it is now, and a refusal. Raises OSError."""
        pin = self._pins.now(oracle)
        self._consents.remove(pin)
        self._consents.remove(_unconfined(pin))
        with self._changed:
            self._refusals.pop(pin, None)

    @contextmanager
    def _turn(self, pin: str, oracle: CommandOracle, asker: _Asking) -> Iterator[None]:
        """Let one request at a time ask about a pin; a refusal counts for all waiting requests."""
        with self._changed:
            self._wait(lambda: pin not in self._asking, asker)
            if self._refusals.get(pin, 0) > asker.refused_so_far:
                raise _refused(oracle)
            self._asking.add(pin)
        try:
            yield
        finally:
            with self._changed:
                self._asking.remove(pin)
                self._changed.notify_all()

    def _known(self, pin: str, oracle: CommandOracle, *, trial: bool) -> str | None:
        """Return the answer that the user gave earlier; None if there is none."""
        if self._consents.holds(pin, oracle.workspace):
            return _STANDING
        return None if trial else self._trials.take(oracle)

    def _remember(self, answer: str, pin: str, oracle: CommandOracle, *, trial: bool) -> None:
        """Make a positive answer count for later requests."""
        if trial:
            self._trials.add(oracle, ALWAYS if answer == _STANDING else answer)
        if answer == ALWAYS:
            self._store(pin, oracle)

    def _ask_once_more(self, risk: str, pin: str, oracle: CommandOracle, asker: _Asking) -> bool:
        """Ask about a risk, unless the user always takes it; return whether. Raises NotAllowed."""
        if self._consents.holds(_unconfined(pin), oracle.workspace):
            return False
        if self._asked(question_about(risk), pin, oracle, asker) == ALWAYS:
            self._store(_unconfined(pin), oracle)
        return True

    def _asked(self, text: str, pin: str, oracle: CommandOracle, asker: _Asking) -> str:
        """Ask; return a positive answer, or remember the refusal and raise NotAllowed."""
        answer = self._ask(text, asker)
        if answer is not None and answer in (ONCE, ALWAYS):
            return answer
        with self._changed:
            self._refused_so_far += 1
            self._refusals[pin] = self._refused_so_far
        raise _refused(oracle)

    def _ask(self, text: str, asker: _Asking) -> str | None:
        self._client.log(lsp.MessageType.Info, text)
        future = self._client.ask(lsp.MessageType.Warning, text, TITLES)
        future.add_done_callback(self._wake)
        with self._changed:
            self._wait(future.done, asker)
        if future.cancelled() or future.exception() is not None:
            message = (
                "The editor cannot ask you whether the oracle may run; run `pollard reduce` in a "
                "terminal instead."
            )
            raise NotAllowed(message)
        return future.result()

    def _wake(self, _: object) -> None:
        with self._changed:
            self._changed.notify_all()

    def _wait(self, ready: Callable[[], bool], asker: _Asking) -> None:
        """Wait, holding the lock, until `ready`. Raises `NotAllowed` as `_check` does."""
        while True:
            self._check(asker)
            if ready():
                return
            self._changed.wait(_POLL_SECONDS)

    def _check(self, asker: _Asking) -> None:
        if not self._trusted or self._revocations != asker.revocations:
            raise NotAllowed(UNTRUSTED)
        if asker.cancelled.is_set():
            message = "It was stopped before the oracle was allowed to run."
            raise NotAllowed(message)

    def _permit(self, pin: str, oracle: CommandOracle, asker: _Asking) -> Permit:
        with self._changed:
            self._check(asker)
            self._refusals.pop(pin, None)
            return Permit(oracle, pin, SEAL)

    def _store(self, pin: str, oracle: CommandOracle) -> None:
        try:
            self._consents.add(pin, oracle)
        except OSError as error:
            message = (
                f"Your consent could not be kept in {self._consents.directory} "
                f"({error.strerror or error}), so it holds for this reduction only."
            )
            self._client.show(lsp.MessageType.Warning, message)


def _unconfined(pin: str) -> str:
    """Return the pin of the consent to run what is pinned although nothing confines it."""
    return f"{pin}-unconfined"


def _refused(oracle: CommandOracle) -> NotAllowed:
    return NotAllowed(
        f"You did not allow the oracle {oracle.name!r} to run; start again to be asked once more."
    )
