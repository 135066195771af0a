"""Renaming: names of one letter, wherever they stand as names."""

from __future__ import annotations

import pytest
from hypothesis import given

from pollard.passes.shortening.renaming import rename
from tests.core.passes.support import Case, cases, reduced, reduced_ahead
from tests.examples import examples


def _renamed(name: str, text: bytes, *needed: bytes) -> bytes:
    """The text with all names renamed but those that are needed."""
    case = Case(text, name, lambda text: all(word in text for word in needed))
    return reduced(case, rename).text


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "c",
            b"int total(int first) { return first + total(first); }\n",
            b"int t(int f) { return f + t(f); }\n",
        ),
        ("python", b"def outer(key):\n    return key\n", b"def o(k):\n    return k\n"),
        ("javascript", b"let data = 1;\nshow(data);\n", b"let d = 1;\nshow(d);\n"),
        ("rust", b"struct Point { xs: u8 }\n", b"struct P { x: u8 }\n"),
        ("lua", b"local abc = 1\nreturn abc\n", b"local a = 1\nreturn a\n"),
    ],
)
def test_all_occurrences_of_a_name_get_its_first_letter_in_one_run(name, text, expected):
    result = reduced(Case(text, name, lambda _: True), rename)
    assert result.text == expected
    assert len(result.judge.asked) == 1


def test_a_name_that_nothing_declares_is_renamed_if_it_occurs_again():
    assert _renamed("c", b"int x = open(once, open);\n") == b"int x = o(once, o);\n"


def test_prefixes_in_xml_are_renamed_in_names_and_values():
    text = b'<ab:c xmlns:ab="ab:u" ab:d="/ab:c/x-ab:y">ab: ab</ab:c>\n'
    assert _renamed("xml", text) == b'<a:c xmlns:a="a:u" a:d="/a:c/x-ab:y">ab: ab</a:c>\n'


def test_names_in_tags_are_renamed_without_their_prefixes_if_they_occur_again():
    text = b'<x:list xmlns:x="u"><item key="k"/><item>list</item></x:list>\n'
    expected = b'<x:l xmlns:x="u"><i key="k"/><i>list</i></x:l>\n'
    assert _renamed("xml", text) == expected


def test_keywords_strings_and_comments_keep_their_words():
    text = b'int foo; /* foo */ char *s = "foo"; int g() { return foo; }\n'
    assert _renamed("c", text) == b'int f; /* foo */ char *s = "foo"; int g() { return f; }\n'


def test_capitals_stay_capitals_and_taken_letters_are_not_taken_again():
    text = b"struct Tree { int T; };\nstruct Type { int t; };\nint total, Other;\n"
    expected = b"struct A { int T; };\nstruct B { int t; };\nint a, O;\n"
    assert _renamed("c", text) == expected


def test_letters_of_strings_and_comments_are_taken_too():
    assert _renamed("c", b"int foo; // f\n") == b"int a; // f\n"


def test_names_of_other_alphabets_are_renamed_whole():
    text = "int été; int x = été + été; // é\r\n".encode()
    assert _renamed("c", text) == "int a; int x = a + a; // é\r\n".encode()


def test_a_letter_that_the_language_reserves_is_no_name():
    text = b"(defun total (x) x)\n(total 7)\n"
    assert _renamed("commonlisp", text) == b"(defun a (x) x)\n(a 7)\n"


def test_there_are_no_more_names_than_letters():
    text = b"".join(b"int name%d;\n" % number for number in range(30))
    result = _renamed("c", text)
    assert result.count(b"name") == 4
    assert len(set(result.split(b"\n"))) == 31


def test_what_resists_stays_and_the_others_go():
    text = b"int first, second, third, fourth;\n"
    assert _renamed("c", text, b"second") == b"int f, second, t, a;\n"


def test_n_names_that_resist_take_at_most_2n_runs():
    text = b"".join(b"int name%d;\n" % number for number in range(16))
    result = reduced(Case(text, "c", lambda _: False), rename)
    assert result.text == text
    assert 16 < len(result.judge.asked) <= 32


def test_names_that_stand_outside_of_the_region_are_left_alone():
    text = b"int used;\nint inner = used; int k = inner;\n"
    result = reduced(Case(text, "c", lambda _: True), rename, region=(10, len(text)))
    assert result.text == b"int used;\nint i = used; int k = i;\n"


def test_names_in_islands_are_left_alone():
    text = b"<script>var long = 1; f(long);</script>\n"
    assert _renamed("html", text) == text


def test_a_text_of_which_much_is_left_costs_nothing():
    text = b"int name;\n" * 7000
    assert reduced(Case(text, "c", lambda _: True), rename).judge.asked == []


def test_a_text_without_grammar_is_left_alone():
    assert reduced(Case(b"long long\n", None, lambda _: True), rename).judge.asked == []


@examples(15)
@given(case=cases())
def test_reading_ahead_accepts_the_same(case: Case):
    result = reduced(case, rename)
    assert set(result.accepted) <= result.judge.interesting
    assert reduced_ahead(case, rename, 4) == (result.accepted, len(result.accepted))
