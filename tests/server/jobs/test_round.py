"""A round of a reduction: nothing that happens after a stop keeps it from ending."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pollard.events import Counts, Reduced
from pollard.oracle import CommandOracle
from pollard.reduction import Plan
from pollard_server.jobs.round import Round
from pollard_server.streaming import ForeignChange
from pollard_server.streaming.stream import Snapshot

SECONDS = 30


class Desk:
    """A round's client, document and record, as far as the tests need them."""

    def __init__(self) -> None:
        self.questions: list[str] = []
        self.steps: list[Any] = []
        self.client = self.streamer = self
        self.name, self.snapshot, self.original = "case.txt", Snapshot(1, "abc\n"), b"abc\n"

    def ask(self, _kind: object, question: str, _titles: object) -> Any:
        self.questions.append(question)
        return SimpleNamespace(add_done_callback=lambda _: None)

    def post(self, call: Any, *arguments: object) -> None:
        call(*arguments)

    def offer(self, _text: str) -> None:
        pass

    def add_step(self, event: object) -> None:
        self.steps.append(event)


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def round_(desk: Desk, tmp_path: Path) -> Round:
    plan = Plan(b"abc\n", "case.txt", CommandOracle(("true", "{file}"), workspace=tmp_path))
    parts: Any = desk
    return Round(parts, parts, parts, plan, parts, lambda _: None, lambda _: None)


def reports_at_once(round_: Round) -> bool:
    """Return whether the engine's thread can report an accepted text without waiting."""
    event = Reduced(text=b"a\n", number=1, where="hdd", counts=Counts())
    thread = threading.Thread(target=round_._on_event, args=(event,), daemon=True)
    thread.start()
    thread.join(0.2 if not round_._not_paused.is_set() else SECONDS)
    return not thread.is_alive()


def test_while_it_is_paused_nothing_is_accepted(round_: Round, desk: Desk) -> None:
    round_.pause()
    assert not reports_at_once(round_)
    round_.resume()
    assert reports_at_once(round_)


@pytest.mark.parametrize("later", ["pause", "typing"])
def test_nothing_after_a_stop_pauses_the_round(round_: Round, desk: Desk, later: str) -> None:
    """Otherwise the engine's thread would wait for ever to report its last text."""
    round_.stop()
    if later == "pause":
        round_.pause()
    else:
        round_.on_foreign_change(ForeignChange.CHANGED)
    assert reports_at_once(round_)
    assert desk.steps
    assert desk.questions == []


def test_typing_asks_what_to_do(round_: Round, desk: Desk) -> None:
    round_.on_foreign_change(ForeignChange.CHANGED)
    [question] = desk.questions
    assert question.startswith("case.txt was changed while it was being reduced")
    round_.stop()
    assert reports_at_once(round_)
