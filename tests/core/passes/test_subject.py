"""The one way to make the document better: what is tried, what is refused, what is accepted."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.engine.subject import Candidate, Subject
from pollard.errors import Cancelled
from pollard.passes.strategy import PRESETS, Strategy
from pollard.search.first import Hit
from pollard.syntax.tree.edits import Edit, apply
from pollard.syntax.tree.sizes import size
from tests.core.passes.support import Case, Loop, cases, document, reduced, subject_of
from tests.examples import examples

TEXT = b"[1, 2, 3]"


def _subject(test, text: bytes = TEXT, **options) -> tuple[Subject, Loop]:
    judge = Loop(test)
    return Subject(document(text, "json"), judge, **options), judge


def _without(subject: Subject, *spans: tuple[int, int]) -> Candidate:
    return Candidate(subject.document, tuple(Edit(*span) for span in spans))


def test_the_first_interesting_candidate_becomes_the_document():
    subject, judge = _subject(lambda text: b"3" in text)
    stream = [_without(subject, span) for span in [(5, 8), (4, 7), (1, 4), (1, 7)]]
    hit = subject.first(stream)
    assert hit == Hit(1, stream[1])
    assert subject.document.text == apply(TEXT, stream[1].edits) == b"[1, 3]"
    assert judge.asked == [b"[1, 2]", b"[1, 3]"]
    assert subject.tally.accepted == 1


def test_the_new_document_has_the_tree_of_its_text():
    subject, _ = _subject(lambda _: True)
    subject.first([_without(subject, (1, 4), (5, 8))])
    assert str(subject.document.root) == str(document(b"[2]", "json").root)


def test_nothing_interesting_leaves_everything_as_it_was():
    subject, _ = _subject(lambda _: False)
    before = subject.document
    assert subject.first([_without(subject, (1, 4))]) is None
    assert subject.first([]) is None
    assert subject.document is before
    assert subject.tally.accepted == 0


def test_listeners_hear_of_a_reduction_when_the_document_has_changed():
    heard: list[bytes] = []
    subject, _ = _subject(lambda _: True, on_reduced=lambda: heard.append(subject.document.text))
    subject.first([_without(subject, (1, 4))])
    assert heard == [b"[2, 3]"]


def test_the_guard_refuses_new_syntax_errors_without_a_run_and_counts_them():
    subject, judge = _subject(lambda _: True)
    hit = subject.first([_without(subject, span) for span in [(0, 1), (2, 3), (1, 4)]])
    assert hit is not None
    assert hit.index == 2
    assert judge.asked == [b"[2, 3]"]
    assert subject.tally.guarded == 2


def test_without_the_guard_everything_is_tried():
    subject, judge = _subject(lambda _: True, guard=False)
    subject.first([_without(subject, (0, 1))])
    assert judge.asked == [b"1, 2, 3]"]
    assert subject.tally.guarded == 0


def test_errors_of_the_best_text_are_allowed_and_no_more_than_those():
    """The budget shrinks with the document: an error that is gone does not come back."""
    subject, judge = _subject(lambda _: True, text=b"[1 2, [3 4], 5]")
    assert subject.document.errors == 2
    assert subject.first([_without(subject, (11, 14))]) is not None  # still two errors
    assert subject.first([_without(subject, (1, 3))]) is not None  # one
    assert subject.document.errors == 1
    candidate = Candidate(subject.document, (Edit(1, 2, b"1 2"),))
    asked = len(judge.asked)
    assert subject.first([candidate]) is None
    assert len(judge.asked) == asked


def test_an_unchanged_text_is_never_run_though_the_oracle_would_like_it():
    subject, judge = _subject(lambda _: True)
    same = Candidate(subject.document, (Edit(1, 2, b"1"),))
    assert subject.first([_without(subject), same]) is None
    assert judge.asked == []
    assert subject.tally.guarded == 0


def test_what_fits_is_told_and_counted():
    subject, _ = _subject(lambda _: True)
    assert subject.fits(subject.document, (Edit(1, 4),))
    assert not subject.fits(subject.document, (Edit(0, 1),))
    assert subject.tally.guarded == 1


def test_cancellation_ends_a_stream_before_the_next_candidate():
    cancelled = threading.Event()
    tried: list[bytes] = []

    def test(text: bytes) -> bool:
        tried.append(text)
        cancelled.set()
        return False

    subject, _ = _subject(test, cancelled=cancelled)
    spans = [(1, 4), (4, 7)]
    with pytest.raises(Cancelled):
        subject.first(_without(subject, span) for span in spans)
    assert tried == [b"[2, 3]"]
    with pytest.raises(Cancelled):
        subject.fits(subject.document, ())


@pytest.mark.parametrize("strategy", PRESETS)
def test_a_cancelled_strategy_keeps_what_it_has(strategy: str):
    cancelled = threading.Event()

    def test(text: bytes) -> bool:
        if len(text) < len(TEXT):
            cancelled.set()
        return b"1" in text

    subject, judge = _subject(test, cancelled=cancelled)
    with pytest.raises(Cancelled):
        Strategy.parse(strategy).run(subject)
    assert subject.document.text in {TEXT, *judge.interesting}


class _Hoarder:
    """A judge that reads as far as a real one with many jobs before it takes the first."""

    def __init__(self, ahead: int) -> None:
        self._ahead = ahead

    def first(self, texts):
        for number, _ in enumerate(texts, 1):
            if number == self._ahead:
                break
        return 0


@pytest.mark.parametrize(
    ("language", "text", "right"),
    [("json", b"[1, 2 }", b"]"), ("html", b"<p>1</p><script>f(2 };</script>", b")")],
)
def test_what_fits_depends_on_no_hit_in_between(language: str, text: bytes, right: bytes):
    """It is asked ahead, before a syntax error goes with a hit, or after that with one job."""
    subject = subject_of(Case(text, language, lambda _: True), Loop(lambda _: True), [])
    base, wrong = subject.document, text.index(b"}")
    edits = (Edit(wrong, wrong + 1),)
    assert subject.fits(base, edits)
    assert subject.first([Candidate(base, (Edit(wrong, wrong + 1, right),))])
    assert subject.fits(base, edits)


def test_judges_may_read_far_ahead():
    subject = Subject(document(b"[" + b"1, " * 999 + b"1]", "json"), _Hoarder(500))
    before = subject.document.text
    subject.first(_without(subject, (1 + 3 * n, 4 + 3 * n)) for n in range(999))
    assert len(subject.document.text) == len(before) - 3


_PLACES = st.tuples(st.integers(0, 300), st.integers(0, 300)).map(sorted)


@pytest.mark.parametrize("strategy", [*PRESETS, "hddr*", "hdd+", "hoist*"])
@examples(15)
@given(data=st.data())
def test_nothing_outside_the_region_changes(strategy: str, data: st.DataObject):
    case = data.draw(cases())
    start, end = (min(place, len(case.text)) for place in data.draw(_PLACES))
    result = reduced(case, strategy, region=(start, end))
    for text in [*result.judge.asked, result.text]:
        assert text.startswith(case.text[:start])
        assert text.endswith(case.text[end:])
        assert len(text) >= start + len(case.text) - end
        assert size(text) <= size(case.text)
    first, last = result.subject.span
    assert (first, last) == (start, len(result.text) - len(case.text) + end)


def test_no_candidate_reaches_out_of_the_region():
    """Whatever a pass asks for, what is outside is not even tried."""
    subject, judge = _subject(lambda _: True, region=(4, 8), guard=False)
    spans = [(3, 5), (7, 9), (1, 9)]
    assert subject.first(_without(subject, span) for span in spans) is None
    assert judge.asked == []
    assert subject.first([_without(subject, (4, 7))]) is not None
    assert subject.first([_without(subject, (4, 6))]) is None  # the region is shorter now
    assert subject.first([_without(subject, (4, 5))]) is not None
    assert subject.document.text == b"[1, ]"


def test_elements_at_the_end_of_the_region_do_not_take_the_separator_after_it():
    text = b'{"a": [1, [2, [3, {"b": null}]], true], "c": 1}\n'
    region = (6, text.index(b", true"))
    case = Case(text, "json", lambda text: b"c" in text)
    result = reduced(case, "hoist*+hdd*", region=region)
    assert result.text.endswith(text[region[1] :])
    assert len(result.text) < len(text) - 15


def test_a_block_that_is_not_all_inside_the_region_keeps_its_indentation():
    text = b"if a:\n\tb = 1\n\tif c:\n\t\td()\n"
    case = Case(text, "python", lambda _: True)
    assert reduced(case, "hdd*", region=(0, 11)).text.endswith(text[11:])
