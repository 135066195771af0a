"""The last look past the grammar: what it keeps and the language does not need, on a budget."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.passes.strategy import Strategy
from pollard.passes.text.unguarded import unguarded
from pollard.syntax.tree.sizes import size
from tests.core.passes.support import Case, after, cases, document, reduced, reduced_ahead
from tests.examples import examples


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("c", b"int f() {}\n", b"f() {}\n"),
        ("html", b"<p><a>x</a></p>\n", b"<p><a>x</p>\n"),
        ("html", b"<p>x</p>\n", b"<p>x\n"),
        ("css", b"@media x { a { b: c } }\n", b"@media x { a { b: c\n"),
        ("json", b'{"a": [1, 2]}\n', b'{"a": [1, 2\n'),
        ("html", b"<p><a id=x>y</a></P>\n", b"<p><a id=x>y\n"),
        ("html", b"<p><a id=x> </a>\n", b"<p><a id=x>\n"),
        ("javascript", b"x = <a><b>c</b></a>\n", b"x = <a><b>c\n"),
    ],
)
def test_what_the_grammar_asks_for_goes_if_it_is_not_needed(name, text, wanted):
    case = Case(text, name, lambda text: text.split() == wanted.split())
    result = reduced(case, after(1000, unguarded))
    assert result.text.split() == wanted.split()
    assert result.subject.guard


def test_the_same_pieces_stay_where_only_guarded_passes_run():
    text, wanted = b'{"a": [1, 2]}\n', b'{"a": [1, 2'
    assert reduced(Case(text, "json", lambda text: text.strip() == wanted), "hddh*").text == text


def test_it_does_nothing_where_the_grammar_is_of_another_language():
    case = Case(b"(let needle)\n", "scheme", lambda _: True)
    assert reduced(case, unguarded, foreign_grammar=True).judge.asked == []
    assert reduced(case, unguarded).judge.asked


@pytest.mark.parametrize("tried", [0, 39, 100, 400])
def test_it_costs_one_run_for_twenty_at_most(tried):
    text = b"int f(int a, int b) { if (a) { return b; } else { return g(a, b); } }\n" * 3
    asked = reduced(Case(text, "c", lambda _: False), after(tried, unguarded)).judge.asked
    assert 0 < len(asked) <= max(tried // 20, 2)


@examples(25)
@given(case=cases(), tried=st.integers(0, 400))
def test_the_budget_holds_whatever_is_interesting(case: Case, tried: int):
    result = reduced(case, after(tried, unguarded))
    sizes = [size(text) for text in (case.text, *result.accepted)]
    assert len(result.judge.asked) <= max(tried // 20, 2)
    assert set(result.accepted) <= result.judge.interesting
    assert sizes == sorted(set(sizes), reverse=True)


def test_nothing_is_asked_twice():
    text = b"int f(int a) { return a; }\n"
    asked = reduced(Case(text, "c", lambda _: False), after(1000, unguarded)).judge.asked
    assert len(asked) == len(set(asked))


def test_nothing_at_all_is_not_asked_for():
    """The grammar takes an empty text, so that it was for the guarded passes to try."""
    text = b"int f(int a) { return a; }\n"
    asked = reduced(Case(text, "c", lambda _: False), after(1000, unguarded)).judge.asked
    assert asked
    assert all(candidate.strip() for candidate in asked)


def test_the_heaviest_pieces_are_tried_first_then_the_end_then_the_rest():
    text = b"int f(int a) { return aaaaaaaaaaaaaaaaaaaa; }\n"
    asked = reduced(Case(text, "c", lambda _: False), after(1000, unguarded)).judge.asked
    left = [size(one) for one in asked]
    assert left[:2] == sorted(left[:2])
    assert asked[2].split() == b"int f(int a) { return aaaaaaaaaaaaaaaaaaaa".split()
    assert left[3:] == sorted(left[3:])


def test_the_end_tags_at_the_end_go_as_a_whole_before_their_brackets_do():
    text = b"<p>much more text<b id=x>y</b></p>\n"
    asked = reduced(Case(text, "html", lambda _: False), after(1000, unguarded)).judge.asked
    whole, brackets = b"<p>much more text<b id=x>y\n", b"<p>much more text<b id=x>y</b></p\n"
    assert asked[2] == whole
    assert asked.index(whole) < asked.index(brackets) == 3


def test_of_an_end_tag_nothing_is_left_where_any_part_could_go_first():
    text = b"<form><label for=a> </label>\n"
    case = Case(text, "html", lambda text: b"<form><label for=a>" in text)
    assert reduced(case, after(60, unguarded)).text.strip() == b"<form><label for=a>"


def test_nothing_happens_without_a_guard_that_could_be_passed():
    text = b"int f() {}\n"
    assert (
        reduced(Case(text, "c", lambda _: True), after(99, unguarded), guard=False).judge.asked
        == []
    )


def test_nothing_happens_without_a_grammar_or_where_much_is_left():
    assert reduced(Case(b"a b\n", None, lambda _: True), after(99, unguarded)).judge.asked == []
    long = b"int a;\n" * 10_000
    assert reduced(Case(long, "c", lambda _: True), after(99, unguarded)).judge.asked == []


def test_only_the_region_changes():
    text = b"int f() {} int g() {} int h() {}\n"
    start, end = text.index(b"int g"), text.index(b" int h")
    result = reduced(Case(text, "c", lambda _: True), after(1000, unguarded), region=(start, end))
    assert result.accepted
    assert result.text.startswith(text[:start])
    assert result.text.endswith(text[end:])


def test_an_end_tag_that_is_only_partly_in_the_region_is_not_cut():
    text = b"<p><b id=words>x</b></p>\n"
    case = Case(text, "html", lambda _: False)
    asked = reduced(case, after(1000, unguarded), region=(0, text.index(b">\n"))).judge.asked
    assert asked[2] == b"<p><b id=words>x</p>\n"


def test_only_the_smallest_has_it_and_the_default_leaves_what_parses():
    names = [step.name for step in Strategy.parse("smallest").steps]
    assert names[-2:] == ["unguarded", "pairs"]
    case = Case(b"int f() { return 1; }\n", "c", lambda text: b"f()" in text)
    assert document(reduced(case, "default").text, "c").errors == 0
    assert document(reduced(case, "smallest").text, "c").errors > 0


@examples(15)
@given(case=cases())
def test_reading_ahead_accepts_the_same(case: Case):
    result = reduced(case, after(200, unguarded))
    assert reduced_ahead(case, after(200, unguarded), 4) == (result.accepted, len(result.accepted))
