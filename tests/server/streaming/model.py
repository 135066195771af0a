"""A model of a reduction and a user in one buffer, with invariants checked after each step."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from pollard_server.text.text_edits import same_text, shows
from tests.server.streaming.desk import Desk
from tests.server.streaming.editors import Temperament

ORIGINAL = "".join(f"line {number} é😀{end}" for number, end in enumerate(["\n", "\r\n"] * 4))
# What users type, once each: from a private use area, so that no reduction has it.
_FIRST_KEY = 0xE000


class Model:
    """One run. The steps may come in any order; each takes a number that varies it.

    The reduction cuts whatever it likes but never the user's keys, so every missing key was lost by
    streaming.
    """

    def __init__(self, temperament: Temperament) -> None:
        self.desk = Desk(ORIGINAL, temperament)
        self.editor, self.streamer = self.desk.editor, self.desk.streamer
        self.offered: list[str] = []
        self.typed = 0
        self.flushes = 0
        self.newest: str | None = None
        self.in_session = False
        self.bases: deque[str] = deque()  # what the server took for the text when it sent an edit
        self.expected: str | None = None  # of the edit sent last
        self.before_last: str | None = None  # what it was made for
        # When the user undid an edit, until a `begin` that knew about it.
        self.vetoed_in: int | None = None
        # Whether anything happened that was not the reduction's and may yet be reported.
        self.disturbed = False
        self.blamed = 0
        self.desk.client.on_request = self.check_request
        self.begin(0)

    # The user.

    def type(self, number: int) -> None:
        self.disturbed = True
        self.editor.type(chr(_FIRST_KEY + self.typed), number % (len(self.editor.text) + 1))
        self.typed += 1

    def undo(self, number: int) -> None:
        self.disturbed = True
        before, step = self.editor.text, self.editor.undo()
        if step is not None and step.of_server and self.editor.text != before:
            self.vetoed_in = self.editor.version

    # The editor.

    def take_request(self, number: int) -> None:
        if not self.editor.inbox:
            return
        base, text = self.bases.popleft(), self.editor.text
        if self.editor.take_request(publish_first=number % 2 == 0):
            assert base == text, "an edit went into a text that it was not made for"
            assert self.vetoed_in is None, "an edit went in after the user had undone one"
            made = self.editor.states[-1]
            assert any(shows(made, text, base) for text in self.offered), f"{made!r} is no offer"

    def publish(self, number: int) -> None:
        self.editor.publish()

    def touch(self, number: int) -> None:
        self.disturbed = True
        self.editor.touch()

    def deliver(self, number: int) -> None:
        self.desk.deliver()

    def advance(self, number: int) -> None:
        seconds = (0.1, 0.3, 6.0)[number % 3]
        self.disturbed |= seconds > 5 and not self.editor.is_quiet  # so late counts as never
        self.desk.client.advance(seconds)

    # The reduction.

    def begin(self, number: int) -> None:
        self.in_session, self.newest = True, None
        known = (self.streamer.snapshot.version or 0) >= (self.vetoed_in or 0)
        # It may also begin from the text to which the user went back, without having been told of
        # it.
        if known or self.streamer.snapshot.text == self.editor.text:
            self.vetoed_in = None
        self.desk.begin(interval=0.25, live=number % 4 != 1)

    def begin_again(self, number: int) -> None:
        if self.streamer.foreign or not self.in_session:
            self.begin(number)

    def end(self, number: int) -> None:
        self.in_session = False
        self.streamer.end()

    def offer(self, number: int) -> None:
        """Remove every n-th character but the user's, or the last lines; or restore everything."""
        present = self.streamer.snapshot.text
        keys = [key for key in present if _FIRST_KEY <= ord(key) < _FIRST_KEY + self.typed]
        text = self.newest if self.newest and number % 2 else present
        kept = keys if number % 5 == 0 else [*keys, *"\r\n"]
        stride = 2 + number % 7
        text = "".join(c for index, c in enumerate(text) if index % stride or c in kept)
        if number % 9 == 0:
            text = _without_last_lines(present, keys)
        if number % 11 == 0:
            text = "".join(keys) + ORIGINAL
        if all(key in text for key in keys):
            self.offered.append(text)
            self.newest = text
            self.streamer.offer(text)

    def flush(self, number: int) -> None:
        self.flushes += 1
        self.desk.flush()

    # What must hold.

    def check_request(self) -> None:
        assert not self.streamer.foreign, "an edit was sent against a foreign text"
        assert self.in_session, "an edit was sent into a buffer that was given back"
        unanswered = [each for each in self.desk.client.requests if not each.answer.done()]
        assert not unanswered, "a second edit was sent before the first was answered"
        self.bases.append(self.streamer.snapshot.text)
        self.expected, self.before_last = self.newest, self.bases[-1]

    def check(self) -> None:
        if self.expected is not None and same_text(self.editor.text, self.expected):
            # The user's undo led to exactly the text of the edit sent last, which is as good as
            # applied.
            self.vetoed_in = None
        lost = [key for key in self.editor.keys if key not in self.editor.text]
        assert not lost, f"keys were lost: {lost!r}"
        assert self.disturbed or len(self.desk.foreign) == self.blamed, "nobody did that"
        self.blamed = len(self.desk.foreign)
        if self.editor.is_quiet:
            assert self.streamer.snapshot == self.editor.snapshot
            self.disturbed = False
        assert len(self.desk.flushed) <= self.flushes

    def finish(self) -> None:
        """Deliver all messages; an undisturbed reduction must end with the last offered text."""
        disturbances = len(self.desk.foreign)
        self.flush(0)
        for _ in range(4):
            self.settle()
            self.desk.client.advance(6.0)
        assert self.editor.is_quiet
        assert len(self.desk.flushed) == self.flushes, "somebody waits for a flush for ever"
        undisturbed = self.in_session and not self.streamer.foreign
        if undisturbed:
            assert self.desk.flushed[-1]
            text = self.editor.text
            assert self.newest is None or shows(text, self.newest, self.before_last or text)
        assert len(self.desk.foreign) - disturbances <= 1

    def settle(self) -> None:
        while not self.editor.is_quiet:
            self.take_request(1)
            self.desk.publish()
            self.check()


def _without_last_lines(text: str, keys: list[str]) -> str:
    lines = text.splitlines(keepends=True)
    return text if set("".join(lines[-2:])) & set(keys) else "".join(lines[:-2])


Action = Callable[[Model, int], None]

# Likely steps occur more often.
ACTIONS: list[Action] = [
    Model.type,
    Model.undo,
    *[Model.take_request] * 3,
    *[Model.publish] * 2,
    Model.touch,
    *[Model.deliver] * 4,
    *[Model.advance] * 2,
    *[Model.begin_again] * 2,
    Model.end,
    *[Model.offer] * 3,
    Model.flush,
]
