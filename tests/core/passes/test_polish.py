"""Polishing: strings, numbers, comments and operators lose characters, names and keywords none."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from pollard.passes.shortening.tokens import polish, polish_heavy
from pollard.syntax.branches.branches import Preprocessing
from tests.core.passes.support import Case, cases, document, in_order, reduced, reduced_ahead
from tests.examples import examples

if TYPE_CHECKING:
    from pollard.engine.subject import Subject


@pytest.mark.parametrize(
    ("name", "text", "needed", "expected"),
    [
        ("c", b"int x = 123456;\n", (b"1",), b"int x = 1;\n"),
        ("c", b'char *s = "some words";\n', (b"o",), b'char *s = "o";\n'),
        ("c", b'f("items: %d", x);\n', (b"%d",), b'f("%d", x);\n'),
        ("rust", b'f!("items: {}", x);\n', (b"{}",), b'f!("{}", x);\n'),
        ("python", b'f("items:%5.2f or {a}")\n', (b"%5.2f", b"{a}"), b'f("%5.2f{a}")\n'),
        ("c", b"int x; // it is needed\n", (b"int x; //", b"it"), b"int x; //it\n"),
        ("c", b"int x = a << 1;\n", (b"x",), b"int x = a < 1;\n"),
        ("json", b'{"a key": 12345}\n', (b"a", b": 1"), b'{"a": 1}\n'),
        ("python", b"x = 3.25 ** 2\n", (b"x = 3",), b"x = 3 * 2\n"),
        ("html", b"<p>words</p>\n", (b"w", b"/"), b"<p>w</p>\n"),
        ("xml", b'<p a="words here">x</p>\n', (b"or", b"/"), b'<p a="or">x</p>\n'),
        ("toml", b'a = "words here"\n', (b"or",), b'a = "or"\n'),
        ("yaml", b'a: "words here"\n', (b"or",), b'a: "or"\n'),
        ("rst", b"T\n========\n\nx\n", (b"T", b"=="), b"T\n==\n\nx\n"),
        ("markdown", b"some words [x](y) and more\n", (b"[x](y)",), b"[x](y)\n"),
        ("markdown", b"some words and more\n\nx\n", (b"so", b"x"), b"so\n\nx\n"),
        ("markdown", b"[some words](y)\n", (b"[", b"](y)"), b"[](y)\n"),
        ("markdown", b"x\n\n-------\n", (b"x", b"---"), b"x\n\n---"),
        (
            "c",
            'char *s = "éèü"; // ö\r\n'.encode(),
            ("è".encode(), b"//"),
            'char *s = "è"; //\r\n'.encode(),
        ),
    ],
)
def test_characters_of_tokens_go(name, text, needed, expected):
    case = Case(text, name, lambda text: in_order(needed, text))
    assert reduced(case, polish).text == expected


def test_words_that_stand_in_two_places_go_from_both():
    text = b'{"a": "some words here", "b": ["some words here"]}\n'

    def holds(text: bytes) -> bool:
        found = re.findall(rb'"([\w ]*words[\w ]*)"', text)
        return len(found) == 2 and found[0] == found[1]

    assert reduced(Case(text, "json", holds), polish).text == b'{"a": " words", "b": [" words"]}\n'


WORDS = b" ".join(b"word%d" % number for number in range(9_000))
BASE64 = WORDS.replace(b" ", b"+")


@pytest.mark.parametrize(
    ("name", "before", "content", "after"),
    [
        ("json", b'{"a": "', WORDS, b'"}\n'),
        ("python", b'x = """', WORDS.replace(b" ", b"\n"), b'"""\n'),
        ("c", b'char x[] = "', BASE64, b'";\n'),
        ("html", b'<img src="', BASE64, b'">\n'),
        ("perl", b"print <DATA>;\n__DATA__\n", WORDS.replace(b" ", b"\n"), b""),
    ],
    ids=["words", "lines", "bytes", "an attribute", "data after the program"],
)
def test_a_token_that_is_most_of_a_long_text_is_shortened(name, before, content, after):
    needed = (before, b"rd7000", after)
    case = Case(before + content + after, name, lambda text: in_order(needed, text))
    found = reduced(case, partial(polish_heavy, retry_factor=0.5))
    assert in_order(needed, found.text)
    assert len(found.text) < len(before) + len(after) + 64
    assert len(found.judge.asked) < 100


@pytest.mark.parametrize(
    ("name", "text", "needed", "expected"),
    [
        ("python", b'x = ["", \'\', ""]\n', (b",", b","), b"x = [0, 0, 0]\n"),
        ("python", b'def f():\n    ""\n', (b"def f():",), b"def f():\n    0\n"),
        ("javascript", b'f("", ``)\n', (b"f(", b"``"), b"f(0, ``)\n"),
        ("c", b'#include ""\nchar *s = "";\n', (b'""', b'""'), b'#include ""\nchar *s = "";\n'),
        ("json", b'{"": ""}\n', (b'""', b":"), b'{"": ""}\n'),
    ],
)
def test_empty_strings_give_way_to_a_digit_all_at_once(name, text, needed, expected):
    """Those with the same quotes; where one of them has to stay, all stay."""
    case = Case(text, name, lambda text: in_order(needed, text))
    assert reduced(case, polish).text == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("c", b"int x = 0x1F;\n", b"int x = 31;\n"),
        ("python", b"x = 0b1_01\n", b"x = 5\n"),
        ("lua", b"f(200000, 200000)\n", b"f(2e5, 2e5)\n"),
        ("javascript", b"f(0x7fffffff);\n", b"f(3e9);\n"),
        ("javascript", b"f(99999);\n", b"f(1e5);\n"),
        ("javascript", b"f(1 + 1)\n", b"f(2)\n"),
        ("javascript", b"f(0 - 16)\n", b"f(-16)\n"),
        ("python", b"f(4 * 5)\n", b"f(20)\n"),
        ("javascript", b"f('a ' + 'b')\n", b"f('a b')\n"),
        ("lua", b'f("a" .. "b")\n', b'f("ab")\n'),
        ("c", b'f("a" "b");\n', b'f("ab");\n'),
        ("javascript", b'f("a" + 1);\n', b'f("a1");\n'),
        ("lua", b'f(1 .. "a")\n', b'f("1a")\n'),
        ("javascript", b"f(`a ${'b'} ${7}`)\n", b"f(`a b ${7}`)\n"),
        ("python", b"f(f'a {7}')\n", b"f(f'a 7')\n"),
        ("ruby", b"f(\"a #{'b'}\")\n", b'f("a b")\n'),
    ],
)
def test_a_literal_gets_its_shortest_spelling(name: str, text: bytes, expected: bytes):
    """At all of its places, where no character of it can go."""
    assert reduced(Case(text, name, lambda one: one in (text, expected)), polish).text == expected


def test_a_number_that_is_short_or_no_number_stays():
    text = b"f(1234, 100, 12, 'f 200000', x0x10)\n"
    asked = reduced(Case(text, "python", lambda _: False), polish).judge.asked
    assert not any(b"e" in each for each in asked)


def test_empty_strings_outside_of_the_region_stay():
    text = b'x = ""\ny = ""\n'
    case = Case(text, "python", lambda _: True)
    assert reduced(case, polish, region=(0, 7)).text == b'x = 0\ny = ""\n'


def test_names_and_keywords_keep_their_characters():
    text = b"unsigned name(void);\n"
    assert reduced(Case(text, "c", lambda _: True), polish).judge.asked == []


def test_the_longest_token_comes_first():
    text = b'char *s = "short", *t = "much, much longer";\n'
    asked = reduced(Case(text, "c", lambda _: False), polish).judge.asked
    assert all(b"short" in one for one in asked[:3])
    assert all(b"longer" in one for one in asked[3:])


@pytest.mark.parametrize(
    ("language", "comment", "bare"),
    [("c", b"/* words and words */", b"/**/"), ("python", b"# words and words", b"#")],
)
def test_a_comment_that_must_stay_is_tried_without_its_words_at_once(language, comment, bare):
    text = b"x = 1" + b";" * (language == "c") + b"\n" + comment + b"\n"
    result = reduced(Case(text, language, lambda text: bare[:2] in text), polish)
    assert result.judge.asked[1] == text.replace(comment, bare)
    assert bare in result.text


@pytest.mark.parametrize("length", [5, 8, 15, 16, 17, 31, 64])
def test_a_token_that_resists_costs_three_runs_at_most(length):
    text = b'char *s = "%s";\n' % (b"abcdefgh" * 8)[:length]
    asked = reduced(Case(text, "c", lambda _: False), polish).judge.asked
    assert 0 < len(asked) <= 3


def test_of_a_token_that_is_most_of_the_text_the_words_are_minimised():
    """No half of it can go, as what is needed is at both ends."""
    words = b" ".join(b"word%d" % number for number in range(30))
    case = Case(b"/* first %b last */ f();\n" % words, "c", partial(in_order, (b"first", b"last")))
    assert reduced(case, polish).text == b"/* first last */ f();\n"


@pytest.mark.parametrize("length", [2, 3, 4])
def test_of_a_short_one_each_character_is_tried(length):
    token = b"abcd"[:length]
    asked = reduced(Case(b'char *s = "%s";\n' % token, "c", lambda _: False), polish).judge.asked
    for number in range(length):
        without = token[:number] + token[number + 1 :]
        assert b'char *s = "%s";\n' % without in asked
    assert len(asked) <= 7


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [("python", b'x = """', b'"""\n'), ("ruby", b"f DATA\n__END__\n", b"")],
)
def test_lines_of_a_token_go_before_its_characters(language, before, after):
    """Here no half and no quarter of the token ends where a row does."""
    rows = [b"%s,%d\n" % (name, number) for number, name in enumerate((b"ann", b"robert", b"eve"))]
    text = before + b"".join(rows) * 3 + after

    def interesting(new: bytes) -> bool:
        table = new.removeprefix(before).removesuffix(after).split(b"\n")
        return all(re.fullmatch(rb"|\w*,\d?", row) for row in table) and b"bert" in new

    left = reduced(Case(text, language, interesting), polish).text
    assert left.removeprefix(before).removesuffix(after).count(b",") == 1


def test_all_lines_of_a_token_may_go():
    text = b"f(1)\n__END__\nann,1\nbob,2\neve,3\n"
    assert reduced(Case(text, "ruby", lambda new: b"f" in new), polish).text.split() == [
        b"f(1)",
        b"__END__",
    ]


def test_line_ends_of_two_characters_are_not_cut_in_two():
    comment = Case(b"int x; // one\r\nint y;\r\n", "c", lambda text: b"//" in text)
    string = Case(b'x = """a\r\nb"""\r\n', "python", lambda text: b"a" in text)
    for case in (comment, string):
        result = reduced(case, polish)
        assert result.accepted
        assert all(one.count(b"\r") == one.count(b"\n") for one in result.judge.asked)


def test_what_is_needed_is_found_in_the_middle():
    text = b'char *s = "(Apache-2.0 AND BSD-3-Clause)";\n'
    case = Case(text, "c", lambda text: b'" AND "' in text or b" AND " in text)
    assert reduced(case, polish).text == b'char *s = " AND ";\n'


MOSTLY_COMMENT = b'f("string", 12345); /* many words that are the most of it all */\n'


def test_only_what_is_most_of_a_text_may_be_polished_early():
    result = reduced(
        Case(MOSTLY_COMMENT, "c", lambda text: b"/*" in text), partial(polish_heavy, retry_factor=4)
    )
    assert result.text == b'f("string", 12345); /**/\n'
    assert all(text.startswith(b'f("string", 12345);') for text in result.judge.asked)


@pytest.mark.parametrize(("again", "visits"), [(0.5, 2), (4, 1)])
def test_what_was_most_and_resisted_waits_until_less_is_left(again, visits):
    def asked(times: int) -> int:
        def run(subject: Subject) -> None:
            for _ in range(times):
                polish_heavy(subject, again)

        needed = Case(MOSTLY_COMMENT, "c", lambda _: False)
        return len(reduced(needed, run, preprocessing=Preprocessing(hide=False)).judge.asked)

    assert asked(1) > 0
    assert asked(2) == visits * asked(1)


def test_equal_tokens_are_visited_once():
    text = b'char *a = "abcdefgh", *b = "abcdefgh", *c = "abcdefgh";\n'
    assert len(reduced(Case(text, "c", lambda _: False), polish).judge.asked) <= 3


def test_what_resisted_is_not_tried_again_after_something_else_went():
    needed = b"abcdefghijklmnop"
    case = Case(b'char *s = "%s", *t = "xyz";\n' % needed, "c", lambda text: needed in text)
    result = reduced(case, polish)
    assert result.accepted
    assert sum(needed not in one for one in result.judge.asked) <= 3


def test_only_tokens_inside_the_region_change():
    text = b"int x = 1234; int y = 1234; int z = 1234;\n"
    inside = (text.index(b"int y"), text.index(b" int z"))
    result = reduced(Case(text, "c", lambda _: True), polish, region=inside)
    assert re.fullmatch(rb"int x = 1234; int y = \d; int z = 1234;\n", result.text)


def test_a_region_of_a_long_text_is_polished_by_offsets():
    """Nodes of texts above 128 kB, which are parsed in pieces, have no text of their own."""
    text = b"int a;\n" * 20_000 + b"int x = 123456;\n"
    case = Case(text, "c", lambda text: b"int x = 1" in text)
    assert document(text, "c").root.end_byte > 131_072
    region = len(text) - 100, len(text)
    assert reduced(case, polish, region=region).text.endswith(b"int x = 1;\n")


@pytest.mark.parametrize(
    "text",
    [
        b", ".join(b'"text%d"' % number for number in range(300)),
        b", ".join([b'"text"'] * 10_000),
    ],
    ids=["many tokens", "many bytes"],
)
def test_where_much_is_left_it_asks_nothing(text):
    case = Case(b"[%s]\n" % text, "json", lambda _: True)
    assert reduced(case, polish).judge.asked == []


def test_brackets_nested_thousands_of_levels_deep_are_no_problem():
    text = b"[" * 20_000 + b"123456" + b"]" * 20_000
    case = Case(text, "json", lambda text: b"1" in text)
    assert reduced(case, polish).text == text.replace(b"123456", b"1")


@examples(15)
@given(case=cases())
def test_reading_ahead_accepts_the_same(case: Case):
    result = reduced(case, polish)
    assert set(result.accepted) <= result.judge.interesting
    assert reduced_ahead(case, polish, 4) == (result.accepted, len(result.accepted))
