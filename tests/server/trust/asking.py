"""A fake editor that is asked for consent, and requests that run in threads of their own."""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field

from pollard.journal import state_directory
from pollard_server.trust import ALWAYS, NO, ONCE, Trust

PATIENCE = 10.0  # seconds, for what comes at once
NEVER = threading.Event()  # cancels nothing


@dataclass
class FakeClient:
    """Answers each question with the next of `answers`; without any, the test answers."""

    answers: list = field(default_factory=list)
    asked: queue.Queue = field(default_factory=queue.Queue)
    questions: list = field(default_factory=list)
    shown: list = field(default_factory=list)
    logged: list = field(default_factory=list)
    before_answer: object = None

    def ask(self, kind, message, titles):
        assert tuple(titles) == (ONCE, ALWAYS, NO)
        future = Future()
        self.questions.append(message)
        if self.before_answer is not None:
            self.before_answer()
        if self.answers:
            answer = self.answers.pop(0)
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)
        self.asked.put(future)
        return future

    def show(self, kind, message):
        self.shown.append(message)

    def log(self, kind, message):
        self.logged.append(message)

    def next_question(self):
        return self.asked.get(timeout=PATIENCE)


class Asking:
    """A request in its own thread, as a job makes it."""

    def __init__(self, trust, oracle):
        self.cancelled = threading.Event()
        self._outcome = Future()
        self._thread = threading.Thread(target=self._run, args=(trust, oracle), daemon=True)
        self._thread.start()

    def _run(self, trust, oracle):
        try:
            permit = trust.request(oracle, "/ws/pollard.toml", "a.c", self.cancelled)
        except BaseException as error:
            self._outcome.set_exception(error)
        else:
            self._outcome.set_result(permit)

    @property
    def is_waiting(self):
        return not self._outcome.done()

    def error(self):
        return self._outcome.exception(timeout=PATIENCE)

    def permit(self):
        return self._outcome.result(timeout=PATIENCE)


def answered(*answers):
    """An editor that gives these answers one after the other, and the trust that asks it."""
    client = FakeClient(list(answers))
    return client, Trust(client)


def request(trust, oracle):
    """Request a permit in this thread."""
    return trust.request(oracle, "/ws/pollard.toml", "a.c", NEVER)


def consents():
    """Return the files of all consents that are kept."""
    return sorted((state_directory() / "consents").glob("*"))


class EditorTools:
    """What an editor has of its own; never asked here."""

    name, fingerprint = "An editor", None

    def diagnose(self, text, *, wait_seconds, is_cancelled):
        raise AssertionError
