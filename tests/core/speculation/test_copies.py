"""The tree of copies: what is needed with which probability, and what verdicts refute."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from pollard.engine.statistics import Tally
from pollard.oracle import Verdict
from pollard.speculation import Speculation
from pollard.speculation.chances import OtherTexts
from pollard.speculation.changes import Change
from pollard.speculation.coordinator import Coordinator
from pollard.speculation.copies import AwaitedText, OpenQuestion, SearchCopy
from pollard.speculation.messages import Answer, Offered
from pollard.speculation.running_ahead import RunningAhead

NO, YES, INVALID = Verdict.UNINTERESTING, Verdict.INTERESTING, Verdict.INVALID


def _question(
    *chances: float, exhausted: bool = True, wants_verdicts: bool = False
) -> OpenQuestion:
    """A question with a text for each chance."""
    question = OpenQuestion(wants_verdicts)
    for number, chance in enumerate(chances):
        entry = question.extend(Offered((b"%d" % number,), exhausted=False, guarded=0))
        assert entry is not None
        entry.key, entry.chance = entry.text, chance
    question.exhausted = exhausted
    return question


def _learn(question: OpenQuestion, key: bytes, verdict: Verdict) -> None:
    for entry in question.awaited:
        if entry.key == key:
            entry.verdict = verdict


def _copy(
    question: OpenQuestion, parent: SearchCopy | None = None, hit: int | None = None
) -> SearchCopy:
    copy = SearchCopy(parent, None if parent is None else Answer(hit))
    copy.question, copy.computing = question, False
    if parent is not None:
        parent.children[hit] = copy
    return copy


def _ahead(min_need: float) -> RunningAhead:
    """With four jobs, and any number of processes."""
    return RunningAhead(4, min_need, Mock())


def test_the_need_of_a_text_is_the_product_along_its_path() -> None:
    real = _copy(_question(0.25, 0.5))
    none = _copy(_question(0.5), real, None)
    second = _copy(_question(0.5), real, 1)
    real.weigh(1.0)
    assert [entry.need for entry in real.question.awaited] == [1.0, 0.75]
    assert none.question.awaited[0].need == pytest.approx(0.75 * 0.5)
    assert second.question.awaited[0].need == pytest.approx(0.75 * 0.5)
    assert none.question.beyond == pytest.approx(0.75 * 0.5 * 0.5)


def _removals(question: OpenQuestion, count: int) -> list[AwaitedText]:
    """Texts of a question that lack the same token, so that what is known of one tells of the next."""
    lacking = Change((b"token",), removed_bytes=5, share=0.1, identity=1)
    read = [
        question.extend(Offered((b"%d" % number,), exhausted=False, guarded=0, change=lacking))
        for number in range(count)
    ]
    return [entry for entry in read if entry is not None]


def test_chances_take_the_answers_on_the_way_there_for_true() -> None:
    real = SearchCopy()
    first, second = _removals(real.ask(wants_verdicts=False), 2)
    assert second.chance < first.chance
    none, hit = SearchCopy(real, Answer(None)), SearchCopy(real, Answer(0))
    (after_none,) = _removals(none.ask(wants_verdicts=False), 1)
    (after_hit,) = _removals(hit.ask(wants_verdicts=False), 1)
    assert after_none.chance < second.chance
    assert after_hit.chance > after_none.chance


def test_chances_are_the_same_whether_an_answer_was_assumed_or_known() -> None:
    real = SearchCopy()
    for entry, verdict in zip(_removals(real.ask(wants_verdicts=False), 2), (NO, YES), strict=True):
        entry.key, entry.verdict = entry.text, verdict
    assumed = SearchCopy(real, Answer(1))
    assert [judged.verdict for judged in real.judged()] == [NO, YES]
    (after_known,) = _removals(real.ask(wants_verdicts=False), 1)
    (after_assumed,) = _removals(assumed.ask(wants_verdicts=False), 1)
    assert after_known.chance == after_assumed.chance


def test_the_chance_of_a_text_follows_from_other_texts_with_its_change() -> None:
    real = SearchCopy()
    (entry,) = _removals(real.ask(wants_verdicts=False), 1)
    before, others = entry.chance, OtherTexts()
    others.note(entry.change, b"other", interesting=False)
    entry.consider(others)
    assert entry.chance < before
    others.note(entry.change, b"another", interesting=True)
    entry.consider(others)
    assert entry.chance > before


def test_a_verdict_on_one_path_tells_of_the_same_change_on_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pollard.speculation.coordinator.open_carrier", Mock())
    coordinator = Coordinator(Mock(), 4, Mock(), Speculation.EAGER)
    coordinator._real = real = _copy(_question(0.5))
    none, hit = _copy(_question(), real, None), _copy(_question(), real, 0)
    (wrong,) = _removals(none.ask(wants_verdicts=False), 1)
    (right,) = _removals(hit.ask(wants_verdicts=False), 1)
    wrong.key, before = b"wrong", right.chance
    coordinator._learn({b"wrong": NO})
    assert wrong.verdict is NO
    assert right.chance < before


def test_texts_are_judged_in_order_and_what_follows_a_hit_is_dropped() -> None:
    question = _question(0.5, 0.5, 0.5)
    _learn(question, b"1", YES)
    assert list(question.judged()) == []
    assert [entry.index for entry in question.awaited] == [0, 1]
    _learn(question, b"0", NO)
    assert [judged.text for judged in question.judged()] == [b"0", b"1"]
    assert question.decided == Answer(1)


def test_a_question_without_interesting_texts_is_decided_at_its_end() -> None:
    question = _question(0.5, exhausted=False)
    _learn(question, b"0", NO)
    assert len(list(question.judged())) == 1
    assert question.decided is None
    question.extend(Offered((None,), exhausted=True, guarded=0))
    assert list(question.judged()) == []
    assert question.decided == Answer(None)


def test_verdicts_refute_the_assumptions_that_contradict_them() -> None:
    question = _question(0.5, 0.5, 0.5)
    _learn(question, b"1", YES)
    assert [question.is_refuted(Answer(hit)) for hit in (0, 1, 2, None)] == [
        False,
        False,
        True,
        True,
    ]
    _learn(question, b"0", NO)
    assert [question.is_refuted(Answer(hit)) for hit in (0, 1)] == [True, False]


def test_a_search_that_wants_verdicts_is_right_only_if_it_assumed_them_all() -> None:
    question = _question(0.5, 0.5, wants_verdicts=True)
    assumed = question.answer(1)
    assert assumed == Answer(1, ((0, NO), (1, YES)))
    _learn(question, b"0", INVALID)
    assert question.is_refuted(assumed)
    _learn(question, b"1", YES)
    assert len(list(question.judged())) == 2
    assert question.decided == Answer(1, ((0, INVALID), (1, YES)))


def test_the_most_probable_path_goes_on_first() -> None:
    real = _copy(_question(0.1, 0.2))
    real.weigh(1.0)
    step = _ahead(0.0).next_step([real], 0)
    assert step is not None
    assert (step.assumes, step.hit, step.chance) == (True, None, pytest.approx(0.9 * 0.8))


@pytest.mark.parametrize(("chance", "goes_on"), [(0.3, True), (0.6, False)])
def test_frugal_goes_on_only_where_a_text_is_more_likely_needed_than_not(
    chance: float, goes_on: bool
) -> None:
    real = _copy(_question(chance, exhausted=False))
    real.weigh(1.0)
    step = _ahead(0.5).next_step([real], 0)
    assert (step is not None and not step.assumes) == goes_on


def test_nothing_is_forked_while_enough_texts_wait() -> None:
    real = _copy(_question(0.1))
    real.weigh(1.0)
    assert _ahead(0.0).next_step([real], 3) is None


def test_a_shadow_that_becomes_real_reports_what_its_parent_had_not() -> None:
    real = _copy(_question(0.1))
    shadow = _copy(_question(0.1), real, None)
    deeper = _copy(_question(0.1), shadow, 0)
    shadow.log.append(Tally())  # type: ignore[arg-type]
    deeper.replace(shadow)
    assert real.children == {None: deeper}
    assert deeper.log == shadow.log
    assert deeper.assumption == Answer(None)
