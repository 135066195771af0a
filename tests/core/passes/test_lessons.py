"""Learning from invalid candidates: only edits that were never anything else, and only put off."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.engine.learning import INVALID_BEFORE_SKIPPING, InvalidEdits
from pollard.oracle import Judge, Verdict, VerdictCache
from pollard.passes.catalogue import PASSES
from pollard.passes.strategy import PRESETS, Strategy
from tests.core.oracle.helpers import outcome
from tests.core.passes.support import Case, Reduced, cases, removable, subject_of
from tests.core.passes.test_minimality import MINIMAL
from tests.examples import examples

INVALID, UNINTERESTING = Verdict.INVALID, Verdict.UNINTERESTING
MANY = 30


class Telling:
    """An oracle that is a function; what is neither interesting nor valid is invalid."""

    def __init__(self, case: Case, valid: Callable[[bytes], bool]) -> None:
        self._case = case
        self._valid = valid
        self._lock = threading.Lock()
        self.asked: list[bytes] = []
        self.interesting: set[bytes] = set()

    def run(self, text: bytes, *, cancelled=None):
        with self._lock:
            self.asked.append(text)
            if self._case(text):
                self.interesting.add(text)
                return outcome(verdict=Verdict.INTERESTING)
            return outcome(verdict=UNINTERESTING if self._valid(text) else INVALID)


def learning(
    case: Case,
    strategy: str,
    valid: Callable[[bytes], bool],
    *,
    jobs: int = 1,
    learn: bool = True,
) -> tuple[Reduced, Judge]:
    oracle, accepted = Telling(case, valid), []
    cache = VerdictCache("oracle", "name", persistent=False)
    with Judge(oracle, cache, jobs) as judge:
        subject = subject_of(case, judge, accepted, learn_invalid=learn)
        Strategy.parse(strategy).run(subject)
    return Reduced(subject, accepted, oracle), judge


def never(_: bytes) -> bool:
    return False


def balanced(text: bytes) -> bool:
    """Some texts are valid, others not, as with a compiler."""
    return text.count(b"(") % 2 == 0


VALID = st.sampled_from([never, balanced])


@pytest.mark.parametrize("strategy", MINIMAL)
@examples(6)
@given(case=cases(), valid=VALID)
def test_guarantees_hold(strategy: str, case: Case, valid: Callable[[bytes], bool]):
    """A pass with a `*` goes on until it has skipped nothing; others skip nothing."""
    result, _ = learning(case, strategy, valid)
    assert set(result.accepted) <= result.judge.interesting
    assert removable(result, case) == []


@pytest.mark.parametrize("jobs", [2, 4])
@pytest.mark.parametrize("strategy", ["hddh*", "hoist*", "hddr*", "default"])
@examples(4)
@given(case=cases(), valid=VALID)
def test_any_number_of_jobs_learns_the_same(
    strategy: str, jobs: int, case: Case, valid: Callable[[bytes], bool]
):
    one, alone = learning(case, strategy, valid)
    more, together = learning(case, strategy, valid, jobs=jobs)
    assert more.accepted == one.accepted
    assert together.counters.runs == alone.counters.runs
    assert together.counters.invalid == alone.counters.invalid
    assert more.subject.memory.invalid.skipped == one.subject.memory.invalid.skipped


@pytest.mark.parametrize("name", [*PRESETS, *(f"{name}*" for name in PASSES)])
def test_a_pass_ends_though_everything_is_invalid(name: str):
    case = Case(b'[1, [2, "three"], {"a": 4}]\n', "json", lambda _: False)
    result, _ = learning(case, name, never)
    assert result.text == case.text


def _records() -> Case:
    """Each record needs its `id` to be valid at all, and none its `x`."""
    text = json.dumps([{"id": number, "x": [number]} for number in range(MANY)]).encode()

    def complete(text: bytes) -> bool:
        return text.count(b'"id"') == text.count(b"{") == MANY

    return Case(text, "json", complete)


def _invalid_before_the_last_reduction(learn: bool) -> int:
    case = _records()
    result, _ = learning(
        case, "hdd:one-by-one*", lambda text: text.count(b'"id"') == text.count(b"{"), learn=learn
    )
    asked = result.judge.asked
    last = asked.index(result.accepted[-1])
    return sum(text.count(b'"id"') < text.count(b"{") for text in asked[:last])


def test_what_is_always_invalid_is_put_off():
    """Every record has an `id`: after a few no other is tried while there is more to gain."""
    without, with_lessons = map(_invalid_before_the_last_reduction, (False, True))
    assert with_lessons < without / 2


def test_what_was_put_off_is_tried_at_the_end():
    """Each unit of the result was really tried, not just taken for hopeless."""
    result, _ = learning(_records(), "hdd:one-by-one*", never)
    assert result.subject.memory.invalid.skipped
    without_one: list[bytes] = []
    refusing = Case(b"not asked for", "json", lambda text: bool(without_one.append(text)))
    assert removable(result, refusing) == []
    assert len(without_one) > 2 * MANY
    assert set(without_one) <= set(result.judge.asked)


def test_nothing_is_learnt_unless_it_is_wanted():
    result, _ = learning(_records(), "hdd:one-by-one*", never, learn=False)
    assert result.subject.memory.invalid.skipped == 0


def _taught(*verdicts: Verdict, enabled: bool = True) -> InvalidEdits:
    lessons = InvalidEdits(enabled=enabled)
    lessons.skipping = True
    for verdict in verdicts:
        lessons.learn("kind", verdict)
    return lessons


def test_a_kind_is_hopeless_when_it_was_invalid_often_enough():
    assert _taught(*[INVALID] * INVALID_BEFORE_SKIPPING).is_hopeless("kind")
    assert not _taught(*[INVALID] * (INVALID_BEFORE_SKIPPING - 1)).is_hopeless("kind")
    assert not _taught(*[INVALID] * INVALID_BEFORE_SKIPPING).is_hopeless("other")


@pytest.mark.parametrize("verdict", [UNINTERESTING, Verdict.TIMEOUT, Verdict.INTERESTING])
@pytest.mark.parametrize("place", [0, 1, INVALID_BEFORE_SKIPPING])
def test_one_other_verdict_gives_hope_for_ever(verdict: Verdict, place: int):
    verdicts = [INVALID] * INVALID_BEFORE_SKIPPING
    verdicts.insert(place, verdict)
    assert not _taught(*verdicts, *[INVALID] * INVALID_BEFORE_SKIPPING).is_hopeless("kind")


def test_nothing_is_hopeless_while_nothing_may_be_skipped():
    lessons = _taught(*[INVALID] * INVALID_BEFORE_SKIPPING)
    lessons.skipping = False
    assert not lessons.is_hopeless("kind")


def test_several_edits_at_once_teach_nothing():
    lessons = InvalidEdits(enabled=True)
    lessons.skipping = True
    for _ in range(INVALID_BEFORE_SKIPPING):
        lessons.learn(None, INVALID)
    assert not lessons.is_hopeless(None)
    assert not _taught(*[INVALID] * INVALID_BEFORE_SKIPPING, enabled=False).is_hopeless("kind")
