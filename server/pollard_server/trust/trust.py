"""Decides whether an oracle may run: by what is known, or by asking the user."""

from __future__ import annotations

import enum
import threading
from contextlib import contextmanager
from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING, Protocol

from lsprotocol import types as lsp

from pollard.errors import PollardError
from pollard_server.trust.consents import Consents, Trials
from pollard_server.trust.pin import Pins
from pollard_server.trust.question import ALWAYS, ONCE, TITLES, question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future

    from pollard.oracle import Oracle

SEAL = object()


class NotAllowed(PollardError):
    """The oracle may not run; the text says why and what to do about it."""


class Consent(enum.Enum):
    """What is known of the user's consent to an oracle before it is asked for."""

    GIVEN = "given"
    NEEDED = "needed"
    REFUSED = "refused"
    UNTRUSTED = "untrusted"


@dataclass(frozen=True, slots=True)
class Permit:
    """The user's consent to run `oracle`, that very value, for one request.

    `pin` is the hash of what was consented to. Only `Trust` makes permits; the seal is no field, so
    that neither a call nor `dataclasses.replace` can make one for another oracle.
    """

    oracle: Oracle
    pin: str
    seal: InitVar[object]

    def __post_init__(self, seal: object) -> None:
        if seal is not SEAL:
            message = "only Trust.request makes permits"
            raise TypeError(message)


# An Event cannot be waited for together with something else, so a cancelled one is looked for. This
# often, and only while a question is open, it costs next to nothing.
_LOOK_SECONDS = 0.025
# Files that change whenever the user has read the question are not worth a fourth one.
_MOST_QUESTIONS = 3
# In the place of an answer: what a consent on disk stands for.
_STANDING = "standing consent"


UNTRUSTED = (
    "This workspace is not trusted, so none of its commands may run; trust it in your editor "
    '(in Visual Studio Code: "Workspaces: Manage Workspace Trust"), then start again.'
)


class AskingClient(Protocol):
    """What trust needs of the editor."""

    def ask(self, kind: lsp.MessageType, message: str, titles: Sequence[str]) -> Future[str | None]:
        """Ask the user; the future holds one of `titles` or None."""

    def show(self, kind: lsp.MessageType, message: str) -> None:
        """Show the user a message."""

    def log(self, kind: lsp.MessageType, message: str) -> None:
        """Write to the editor's log."""


@dataclass(frozen=True, slots=True)
class _Asker:
    """One request, and how much distrust and refusal there had been when it began."""

    cancelled: threading.Event
    distrusts: int
    refused_so_far: int


class Trust:
    """Consents of one session; any thread may use it.

    `request` is the only one that lets an oracle run. It reads every file that the consent covers
    before and after the question, so that nothing can be changed while the user reads. Whoever can
    change files in the workspace while the oracle is running already is beyond it, and so is the
    owner of a program on PATH.
    """

    def __init__(
        self, client: AskingClient, *, trusted: object = True, consents: Consents | None = None
    ) -> None:
        """`trusted` is what the client said at its start: only `True` means yes."""
        self._client = client
        self._consents = consents or Consents()
        self._pins = Pins()
        self._trials = Trials()
        self._trusted = trusted is True
        self._distrusts = 0
        self._asking: set[str] = set()
        self._refused_so_far = 0
        self._refusals: dict[str, int] = {}
        self._changed = threading.Condition()

    @property
    def trusted(self) -> bool:
        """Whether the client lets the workspace's commands be asked about; only `True` means yes.

        When it becomes false, questions that are open end at once, and their answers do not count.
        """
        return self._trusted

    @trusted.setter
    def trusted(self, value: object) -> None:
        with self._changed:
            self._trusted = value is True
            self._distrusts += not self._trusted
            self._changed.notify_all()
        if not self._trusted:
            self._trials.clear()

    def state(self, oracle: Oracle) -> Consent:
        """Say what an editor's menu has to know, within milliseconds; nothing runs because of it."""
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
        oracle: Oracle,
        source: str,
        document: str,
        cancelled: threading.Event,
        *,
        trial: bool = False,
    ) -> Permit:
        """Return the permit to run `oracle` for one request, asking the user if need be.

        `source` and `document` are what the user calls the place that defines the oracle and the
        text that it will see. An earlier refusal does not count: whoever comes here was told to.
        The answer to a `trial` also holds for the next request for the same command, whatever its
        criteria are then: the user has been told so.
        Blocks; raises `NotAllowed`, also when `cancelled` is set or the client stops trusting.
        """
        with self._changed:
            asker = _Asker(cancelled, self._distrusts, self._refused_so_far)
            self._check(asker)
        for _ in range(_MOST_QUESTIONS):
            pin = self._pins.now(oracle)
            with self._turn(pin, oracle, asker):
                answer = self._known(pin, oracle, trial=trial)
                if answer is None:
                    text = question(oracle, source, document, trial=trial)
                    answer = self._asked(text, pin, oracle, asker)
                if answer == _STANDING or self._pins.now(oracle) == pin:
                    permit = self._permit(pin, oracle, asker)
                    self._remember(answer, pin, oracle, trial=trial)
                    return permit
        message = (
            f"The files of the oracle {oracle.name!r} change again and again while you are asked "
            "about it; wait until they do not, then start once more."
        )
        raise NotAllowed(message)

    def forget(self, oracle: Oracle) -> None:
        """Revoke a standing consent to `oracle` as it is now, and a refusal; may raise OSError."""
        pin = self._pins.now(oracle)
        self._consents.remove(pin)
        with self._changed:
            self._refusals.pop(pin, None)

    @contextmanager
    def _turn(self, pin: str, oracle: Oracle, asker: _Asker) -> Iterator[None]:
        """Let one request at a time ask about a pin; what was refused meanwhile is refused to all."""
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

    def _known(self, pin: str, oracle: Oracle, *, trial: bool) -> str | None:
        """Return the answer that the user gave before, None if there is none to go by."""
        if self._consents.holds(pin, oracle.workspace):
            return _STANDING
        return None if trial else self._trials.take(oracle)

    def _remember(self, answer: str, pin: str, oracle: Oracle, *, trial: bool) -> None:
        """Let later requests go by an answer that was a yes."""
        if trial:
            self._trials.add(oracle, ALWAYS if answer == _STANDING else answer)
        if answer == ALWAYS:
            self._keep(pin, oracle)

    def _asked(self, text: str, pin: str, oracle: Oracle, asker: _Asker) -> str:
        """Ask, and return the answer if it is a clear yes; else remember that it was none."""
        answer = self._ask(text, asker)
        if answer is not None and answer in (ONCE, ALWAYS):
            return answer
        with self._changed:
            self._refused_so_far += 1
            self._refusals[pin] = self._refused_so_far
        raise _refused(oracle)

    def _ask(self, text: str, asker: _Asker) -> str | None:
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

    def _wait(self, ready: Callable[[], bool], asker: _Asker) -> None:
        """Wait, holding the lock, until `ready`; raise `NotAllowed` if that is of no use any more."""
        while True:
            self._check(asker)
            if ready():
                return
            self._changed.wait(_LOOK_SECONDS)

    def _check(self, asker: _Asker) -> None:
        if not self._trusted or self._distrusts != asker.distrusts:
            raise NotAllowed(UNTRUSTED)
        if asker.cancelled.is_set():
            message = "It was stopped before the oracle was allowed to run."
            raise NotAllowed(message)

    def _permit(self, pin: str, oracle: Oracle, asker: _Asker) -> Permit:
        with self._changed:
            self._check(asker)
            self._refusals.pop(pin, None)
            return Permit(oracle, pin, SEAL)

    def _keep(self, pin: str, oracle: Oracle) -> None:
        try:
            self._consents.add(pin, oracle)
        except OSError as error:
            message = (
                f"Your consent could not be kept in {self._consents.directory} "
                f"({error.strerror or error}), so it holds for this reduction only."
            )
            self._client.show(lsp.MessageType.Warning, message)


def _refused(oracle: Oracle) -> NotAllowed:
    return NotAllowed(
        f"You did not allow the oracle {oracle.name!r} to run; start again to be asked once more."
    )
