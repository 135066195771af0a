"""Tidying costs one run, falls back to halves, and happens early only where white space is most."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.engine.statistics import Statistics
from pollard.engine.tidying import SurplusBlanks, tidy
from pollard.events import Reduced
from pollard.syntax.grammars.languages import find
from tests.core.passes.support import Case, after, reduced, reduced_ahead
from tests.core.reductions import plan, watched

TEXT = b"int a;\n\n\nint b;\n\n\n    int c;\n\n\nint d;\n"
LIFTED = (
    b"void f() {\n" + b"            \n\n" * 500 + b"            needle();\n" + b"\n" * 500 + b"}\n"
)


def test_a_refused_text_is_tidied_by_halves_as_far_as_the_oracle_agrees() -> None:
    done = reduced(Case(TEXT, "c", lambda text: b"b;\n\n\n" in text), tidy)
    assert done.text == b"int a;\nint b;\n\n\n    int c;\nint d;\n"
    assert len(done.judge.asked) == 4


def test_an_oracle_that_wants_each_byte_gets_a_limited_number_of_runs() -> None:
    text = TEXT * 40
    few = reduced(Case(text, "c", lambda _: False), tidy)
    assert 1 < len(few.judge.asked) <= 10
    more = reduced(Case(text, "c", lambda _: False), after(160, tidy))
    assert 10 < len(more.judge.asked) <= 30


def test_text_of_another_grammar_loses_only_blank_lines_and_trailing_blanks() -> None:
    done = reduced(Case(b"  a  \n\n\n b\n", "c", lambda _: True), tidy, foreign_grammar=True)
    assert done.text == b"  a\n b\n"


@pytest.mark.parametrize(
    ("language", "text", "tidied"),
    [
        ("python", b"a = b + \\\n        1\n", b"a = b + 1\n"),
        ("c", b"int a\\\r\n= 1;\r\n", b"int a = 1;\r\n"),
        ("bash", b"ls a \\\n  b \\\n  | wc\n", b"ls a b | wc\n"),
    ],
)
def test_short_lines_are_joined_at_a_backslash(language: str, text: bytes, tidied: bytes) -> None:
    assert reduced(Case(text, language, lambda _: True), tidy).text == tidied


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("c", b'char *a = "b \\\nc";\n'),
        ("cmake", b"a(b \\\n  c)\n"),
        ("python", b"a = " + b"b" * 50 + b" + \\\n    " + b"c" * 50 + b"\n"),
    ],
)
def test_backslashes_of_strings_and_between_long_lines_stay(language: str, text: bytes) -> None:
    assert reduced(Case(text, language, lambda _: True), tidy).text == text


@given(st.integers(0, 2**24), st.sampled_from([2, 3, 4]))
def test_jobs_change_nothing(chosen: int, workers: int) -> None:
    """Nor does the oracle's answer to any text: here a bit of `chosen` decides."""
    case = Case(TEXT, "c", lambda text: bool(chosen >> (len(text) % 24) & 1))
    alone = reduced(case, tidy)
    assert reduced_ahead(case, tidy, workers)[0] == alone.accepted


def shed(subject) -> None:
    SurplusBlanks().shed(subject, Statistics())


def test_white_space_that_is_most_of_a_text_goes_early_in_one_run() -> None:
    done = reduced(Case(LIFTED, "c", lambda _: True), shed)
    assert done.text == b"void f() {\n    needle();\n}\n"
    assert len(done.judge.asked) == 1
    assert len(reduced(Case(LIFTED, "c", lambda _: False), shed).judge.asked) == 1


@pytest.mark.parametrize(
    "text", [TEXT, b"int a;\n" * 9, b"f()\n{\n        {\n  a;\n        }\n}\n"]
)
def test_a_text_with_little_surplus_keeps_it_until_the_end(text: bytes) -> None:
    assert reduced(Case(text, "c", lambda _: True), shed).judge.asked == []


def test_a_refusal_is_repeated_only_when_half_of_the_text_is_gone() -> None:
    def twice(subject) -> None:
        blanks = SurplusBlanks()
        blanks.shed(subject, Statistics())
        blanks.shed(subject, Statistics())

    assert len(reduced(Case(LIFTED, "c", lambda _: False), twice).judge.asked) == 1


def test_what_was_lifted_out_of_a_long_text_leaves_no_blanks_behind() -> None:
    """A result of 29 characters once kept 2,154 blanks and empty lines."""
    text = b"int a;\n" + b"\n" * 700 + LIFTED + b" \n" * 700 + b"int b;\n"
    seen = watched(
        plan('grep -q needle "$1"', text, filename="a.c", grammar=find("c"), strategy="hdd*")
    )
    assert b"needle" in seen.result.text
    assert not any(blanks in seen.result.text for blanks in (b"\n\n", b" \n", b"      "))
    assert seen.result.passes[-1].name == "tidy"


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_last_event_names_the_step(jobs: int) -> None:
    text = b'[\n\n  "needle",\n\n  1,\n\n "needle"\n\n\n]\n'
    seen = watched(plan(text=text, strategy="hdd*", cache=False, jobs=jobs))
    assert seen.of(Reduced)[-1].where == "tidy"
    assert seen.result.text == b'["needle", "needle"]\n'
    assert seen.result.passes[-1].runs == 1
