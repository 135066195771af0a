"""The user's answers to the server's questions."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

RUN_ONCE = "Run once"
ALWAYS = "Always in this workspace"
NO = "No"
KEEP_REDUCING = "Continue"
KEEP_MINE = "Stop"
RESTORE = "Restore"
UNANSWERED = "(the question stays open)"

CONSENT = (RUN_ONCE, ALWAYS, NO)
FOREIGN = (KEEP_REDUCING, KEEP_MINE, RESTORE)


@dataclass
class Question:
    """A message of the server with buttons; the answer None means that it was dismissed."""

    message: str
    titles: tuple[str, ...]
    answer: asyncio.Future[str | None]

    def reply(self, title: str | None) -> None:
        """Click one of the buttons, or dismiss the message."""
        assert title is None or title in self.titles, (title, self.titles)
        self.answer.set_result(title)


@dataclass
class Answers:
    """The user's answers: to the question for consent, after a change, and to other questions.

    Answers in `queue` take precedence, whatever the question; each is used once, in order.
    """

    consent: str | None = ALWAYS
    foreign: str | None = UNANSWERED
    other: str | None = None
    queue: list[str | None] = field(default_factory=list)

    def to(self, question: Question) -> str | None:
        if self.queue:
            return self.queue.pop(0)
        if question.titles == CONSENT:
            return self.consent
        return self.foreign if question.titles == FOREIGN else self.other
