"""Texts that are nearly hopeless are left out, by what was known when their stream began."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from pollard.engine.chances import Chances
from pollard.engine.changes import Change
from pollard.engine.subject import Candidate, Subject
from pollard.passes.strategy import Strategy
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Edit
from tests.core.passes.support import Loop

LINES = b"".join(b"%d;\n" % number for number in range(10, 40))


@dataclass
class FixedChances(Chances):
    """Gives each text the same chance, and keeps what it learned."""

    value: float
    learned: list[tuple[Change, bool]] = field(default_factory=list)

    def chance(self, change: Change) -> float:
        return self.value

    def note(self, change: Change, *, interesting: bool) -> None:
        self.learned.append((change, interesting))


def _removals(subject: Subject) -> list[Candidate]:
    """A candidate for each line."""
    base = subject.document
    starts = range(0, len(base.text), 4)
    return [Candidate(base, (Edit(start, start + 4, b""),)) for start in starts]


def _subject(judge: Loop, chances: Chances | None, text: bytes = LINES) -> Subject:
    subject = Subject(Document(text, None), judge)
    subject.memory.chances = chances
    return subject


@pytest.mark.parametrize(("chance", "runs"), [(0.002, 3), (0.02, 30), (None, 30)])
def test_one_in_eight_of_the_unlikely_texts_is_run(chance: float | None, runs: int) -> None:
    judge = Loop(lambda _: False)
    subject = _subject(judge, None if chance is None else FixedChances(chance))
    subject.first(_removals(subject))
    assert len(judge.asked) == runs


def test_the_eighth_is_counted_over_several_streams() -> None:
    judge = Loop(lambda _: False)
    subject = _subject(judge, FixedChances(0.002))
    for candidate in _removals(subject)[:16]:
        subject.first([candidate])
    assert len(judge.asked) == 2


def test_what_is_learned_are_the_verdicts_up_to_the_interesting_text() -> None:
    chances = FixedChances(0.5)
    subject = _subject(Loop(lambda text: b"12;" not in text), chances)
    subject.first(_removals(subject))
    assert [(change.removed[0], hit) for change, hit in chances.learned] == [
        (b"10", False),
        (b"11", False),
        (b"12", True),
    ]


def test_nothing_is_foretold_in_long_texts() -> None:
    judge = Loop(lambda _: False)
    subject = _subject(judge, FixedChances(0.002), LINES * 600)
    subject.first(_removals(subject)[:20])
    assert len(judge.asked) == 20


@pytest.mark.parametrize(("name", "foretells"), [("default", True), ("smallest", False)])
def test_the_default_strategy_leaves_out_what_is_unlikely(name: str, foretells: bool) -> None:
    subject = _subject(Loop(lambda text: b"12;" in text), None)
    Strategy.parse(name).run(subject)
    assert (subject.memory.chances is not None) == foretells
