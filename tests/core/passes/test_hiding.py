"""Hiding: what was refused is not asked for again, and nothing else changes by that."""

from __future__ import annotations

import pytest
from hypothesis import given

from pollard.engine.memory import KnownTexts, digest
from pollard.engine.subject import Candidate, Subject
from pollard.passes.papers.hdd import hdd
from pollard.syntax.branches.branches import Preprocessing
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Edit
from tests.core.passes.support import Case, Loop, cases, document, reduced
from tests.examples import examples

TEXT = b"[1, 2, 3]"
OPEN = Preprocessing(hide=False)
STRATEGIES = ["hddh*", "hddr*", "hdd+", "hoist*+hdd*", "ddmin", "default"]


@pytest.mark.parametrize("guard", [True, False])
@pytest.mark.parametrize("strategy", STRATEGIES)
@examples(6)
@given(case=cases())
def test_the_oracle_is_asked_for_the_same_texts_in_the_same_order(
    strategy: str, guard: bool, case: Case
):
    """A cache of verdicts would answer the rest, so that runs are the same; the guard does less."""
    hidden = reduced(case, strategy, guard=guard)
    open_ = reduced(case, strategy, guard=guard, preprocessing=OPEN)
    assert hidden.accepted == open_.accepted
    assert list(dict.fromkeys(hidden.judge.asked)) == list(dict.fromkeys(open_.judge.asked))
    assert len(hidden.judge.asked) <= len(open_.judge.asked)
    assert hidden.subject.tally.guarded <= open_.subject.tally.guarded


def test_a_second_iteration_over_the_same_text_asks_nothing(parses: list[Document]):
    """What the parser refuses roughly is not remembered; what it confirmed is."""
    judge = Loop(lambda text: text == TEXT)
    subject = Subject(document(TEXT, "json"), judge)
    subject.memory.every_unit_tried = True
    hdd(subject)
    asked, guarded, parsed = len(judge.asked), subject.tally.guarded, len(parses)
    assert asked
    assert guarded
    hdd(subject)
    assert len(judge.asked) == asked
    assert len(parses) < 2 * parsed


def test_switched_off_it_asks_again(parses: list[Document]):
    judge = Loop(lambda text: text == TEXT)
    subject = Subject(document(TEXT, "json"), judge, preprocessing=OPEN)
    subject.memory.every_unit_tried = True
    hdd(subject)
    asked, guarded, parsed = len(judge.asked), subject.tally.guarded, len(parses)
    hdd(subject)
    assert (len(judge.asked), subject.tally.guarded) == (2 * asked, 2 * guarded)
    assert len(parses) > 1.5 * parsed


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> list[Document]:
    """The documents that were parsed."""
    parsed: list[Document] = []
    real = Document._parsed

    def counting(self, *arguments):
        parsed.append(self)
        return real(self, *arguments)

    monkeypatch.setattr(Document, "_parsed", counting)
    return parsed


def test_what_a_judge_read_ahead_of_its_hit_is_not_taken_for_refused():
    """Nobody has heard a verdict on it: a sequential search would not have come to it."""

    class Eager:
        def first(self, texts):
            return len([*texts]) and 0

    subject = Subject(document(TEXT, "json"), Eager())
    base = subject.document
    subject.first(Candidate(base, (Edit(*span),)) for span in [(1, 4), (4, 7)])
    assert not subject.memory.texts.is_refused(digest(b"[1, 3]"))


def test_errors_are_remembered_up_to_the_number_that_was_asked_for():
    """The budget of errors shrinks as the document does; a text may break it then, not before."""
    texts = KnownTexts()
    two = document(b"[1 2, [3 4], 5]", "json")
    key = digest(two.text)
    assert not texts.finds_more_errors(two, key, 2)
    assert texts.finds_more_errors(two, key, 1)
    assert texts.knows_more_errors(key, 1)
    assert texts.knows_more_errors(key, 0)
    assert not texts.knows_more_errors(key, 2)


def test_the_oldest_texts_are_forgotten_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pollard.engine.memory._MAX_ENTRIES", 2)
    texts, broken = (
        KnownTexts(),
        [document(text, "json") for text in (b"[1 2]", b"[3 4]", b"[5 6]")],
    )
    for one in broken:
        assert texts.finds_more_errors(one, digest(one.text), 0)
    known = [texts.knows_more_errors(digest(one.text), 0) for one in broken]
    assert known == [False, True, True]
