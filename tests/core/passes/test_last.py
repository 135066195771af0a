"""What holds for all of the last passes, whatever the text, the region and the oracle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.passes.catalogue import PASSES
from pollard.syntax.branches.branches import Preprocessing
from pollard.syntax.tree.sizes import size
from tests.core.passes.support import Case, cases, document, reduced
from tests.examples import examples

LAST = ["rename", "merge", "inline", "polish", "shorten", "unguarded"]


@pytest.mark.parametrize("name", LAST)
@examples(10)
@given(case=cases(), data=st.data())
def test_only_interesting_texts_are_accepted_and_only_the_region_changes(name, case: Case, data):
    start = data.draw(st.integers(0, len(case.text)))
    end = data.draw(st.integers(start, len(case.text)))
    result = reduced(case, PASSES[name], region=(start, end))
    sizes = [size(text) for text in (case.text, *result.accepted)]
    assert set(result.accepted) <= result.judge.interesting
    assert sizes == sorted(sizes, reverse=True)
    for text in result.judge.asked:
        assert text.startswith(case.text[:start])
        assert text.endswith(case.text[end:])


@pytest.mark.parametrize("name", LAST[:-1])
@examples(8)
@given(case=cases())
def test_no_candidate_has_more_syntax_errors_but_in_the_one_pass_that_may(name, case: Case):
    most = document(case.text, case.language).errors
    for text in reduced(case, PASSES[name]).judge.asked:
        assert document(text, case.language).errors <= most


@pytest.mark.parametrize("name", LAST)
@examples(5)
@given(case=cases())
def test_it_ends_with_the_same_result_where_refused_texts_are_not_remembered(name, case: Case):
    forgetful = reduced(case, PASSES[name], preprocessing=Preprocessing(hide=False))
    if name != "unguarded":  # whose budget may go on what is asked twice
        assert forgetful.text == reduced(case, PASSES[name]).text


@pytest.mark.parametrize("name", LAST)
def test_a_second_time_gives_the_same_candidates_in_the_same_order(name):
    text = (
        b"int long, other; int f(int arg) { return long + arg + 123; }\nint x = f(other) + more1;\n"
    )
    case = Case(text, "c", lambda text: b"int x" in text)
    once, again = reduced(case, PASSES[name]), reduced(case, PASSES[name])
    assert once.judge.asked == again.judge.asked
    assert once.judge.asked


@pytest.mark.parametrize("name", LAST)
def test_brackets_nested_thousands_of_levels_deep_are_no_problem(name):
    text = b"let y = 12; x = " + b"[" * 1500 + b"y" + b"]" * 1500 + b";\n"
    reduced(Case(text, "javascript", lambda text: text.count(b"[") == 1500), PASSES[name])
