"""What a judge reads ahead, and how far, changes nothing that is accepted: not of broken files either.

Their number of syntax errors goes down on the way, and what the guard lets pass goes with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.engine.subject import Subject
from pollard.passes.heaviest.descent import HoistingRules, hoist_far
from pollard.passes.strategy import Strategy
from pollard.syntax.branches.branches import Branch, below
from tests.core.passes.support import TOKEN, Case, Loop, cases, reduced, subject_of
from tests.examples import examples


class Greedy(Loop):
    """A judge that takes the first interesting text, and has read on behind it by then."""

    def __init__(self, case: Case, ahead: int) -> None:
        super().__init__(case)
        self._ahead = ahead

    def first(self, texts: Iterable[bytes | None]) -> int | None:
        stream = iter(texts)
        hit = super().first(stream)
        for _ in islice(stream, self._ahead):
            pass
        return hit


@st.composite
def broken(draw: st.DrawFn) -> Case:
    """Draw a case and leave out some of its tokens: what is left does not parse, mostly."""
    case = draw(cases(adversarial=False))
    places = [match.span() for match in TOKEN.finditer(case.text)]
    text = case.text
    for start, end in sorted(draw(st.sets(st.sampled_from(places), max_size=3)), reverse=True):
        text = text[:start] + text[end:]
    return Case(text, case.language, case.test, case.note)


@pytest.mark.parametrize("strategy", ["default", "hddh*"])
@examples(25)
@given(case=broken(), ahead=st.sampled_from([1, 4, 1000]))
def test_reading_ahead_changes_nothing(strategy: str, case: Case, ahead: int) -> None:
    alone = reduced(case, strategy)
    judge, accepted = Greedy(case, ahead), []
    Strategy.parse(strategy).run(subject_of(case, judge, accepted))
    assert judge.asked == alone.judge.asked
    assert accepted == alone.accepted


def test_what_failed_counts_however_far_candidates_were_read_ahead() -> None:
    """Of the equal first and last one only the first is tried, also if the last was read before."""
    equal = b"if (a) { needle(b, c, d, e, f, g, h); }\n"
    text = equal + b"while (a) { pin(1, 2, 3); }\n" + equal
    case = Case(text, "javascript", lambda text: text.startswith(b"if (a)") and b"pin" in text)

    def hoist_once(subject: Subject) -> None:
        failed: set[bytes] = set()

        def rules() -> HoistingRules:
            document = subject.document

            def piece(branch: Branch) -> bytes:
                return document.text[branch.start : branch.end]

            return HoistingRules(
                4,
                is_worth=lambda branch: piece(branch) not in failed,
                on_failed=lambda branch: failed.add(piece(branch)),
            )

        hoist_far(subject, below([subject.root], subject.span), rules)

    alone = reduced(case, hoist_once)
    judge, accepted = Greedy(case, 1000), []
    hoist_once(subject_of(case, judge, accepted))
    assert judge.asked == alone.judge.asked
    assert accepted == alone.accepted != []
    assert not any(one.startswith(equal) and not one.endswith(equal) for one in judge.asked)
